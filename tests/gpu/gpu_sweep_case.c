/* gpu_sweep_case.c - calls of the fault sweep: operands, expected results, and the comparison */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_sweep.h"
#include "policy/call/operand.h"
#include "shim/execute/cpu/cpu.h"
#include "shim/execute/gpu/blas/gpu_blas.h"
#include "shim/execute/gpu/fft/gpu_fft.h"

enum { CANARY = 0x5b, GAP_BYTES = 256, GAP_ROWS = 3 };

#define ORDER(name, size)                                                                          \
	{                                                                                          \
		.order = PANEL_ORDER_##name, .group = (size), .width = (size), .slice = (size)     \
	}

/* Sizes beyond PANEL_GRAIN, so that there are several panels, slices and blocks. */
const struct sweep_case sweep_cases[] = {
	{.name = "gemm, columns",
         .family = FAMILY_GEMM,
         .element = ELEMENT_D,
         .blas = {.m = 170, .n = 300, .k = 200, .alpha = {1.5}, .beta = {-0.5}},
         .choice = ORDER(COLUMNS, 128)},
	{.name = "trsm, left",
         .family = FAMILY_TRSM,
         .element = ELEMENT_D,
         .blas = {.side = SIDE_LEFT,
                  .uplo = UPLO_LOWER,
                  .m = 200,
                  .n = 300,
                  .k = 200,
                  .alpha = {2}},
         .choice = ORDER(COLUMNS, 128)},
	{.name = "herk, rings",
         .family = FAMILY_HERK,
         .element = ELEMENT_Z,
         .blas = {.uplo = UPLO_LOWER, .m = 300, .n = 300, .k = 60, .alpha = {1.5}, .beta = {0.5}},
         .choice = ORDER(RINGS, 128)},
	{.name = "trmm, right, out of core",
         .family = FAMILY_TRMM,
         .element = ELEMENT_D,
         .blas = {.side = SIDE_RIGHT,
                  .uplo = UPLO_UPPER,
                  .m = 300,
                  .n = 300,
                  .k = 300,
                  .alpha = {0.5}},
         .memory_mb = 1},
	{.name = "fft, in place",
         .family = FAMILY_FFT_C2C,
         .element = ELEMENT_Z,
         .blas = {.m = 480, .n = 40},
         .in_place = true},
	{.name = "fft, out of core",
         .family = FAMILY_FFT_C2C,
         .element = ELEMENT_Z,
         .blas = {.m = 320, .n = 240},
         .in_place = true,
         .memory_mb = 1},
	{.name = "gemm, rings",
         .family = FAMILY_GEMM,
         .element = ELEMENT_Z,
         .blas = {.transb = TRANSPOSE_C,
                  .m = 260,
                  .n = 200,
                  .k = 90,
                  .alpha = {1.5, -1},
                  .beta = {0.5, 1}},
         .choice = ORDER(RINGS, 128)},
	{.name = "gemm, rows",
         .family = FAMILY_GEMM,
         .element = ELEMENT_S,
         .blas = {.transa = TRANSPOSE_T, .m = 400, .n = 170, .k = 200, .alpha = {1}},
         .choice = ORDER(ROWS, 128)},
	{.name = "gemm, out of core",
         .family = FAMILY_GEMM,
         .element = ELEMENT_D,
         .blas = {.m = 300, .n = 300, .k = 150, .alpha = {1.5}, .beta = {-0.5}},
         .memory_mb = 1},
	{.name = "gemm, blocks",
         .family = FAMILY_GEMM,
         .element = ELEMENT_D,
         .blas = {.transb = TRANSPOSE_T,
                  .m = 300,
                  .n = 200,
                  .k = 200,
                  .alpha = {1.5},
                  .beta = {-0.5}},
         .choice = ORDER(BLOCKS, 128),
         .memory_mb = 2},
	{.name = "gemm, one matrix twice",
         .family = FAMILY_GEMM,
         .element = ELEMENT_D,
         .blas = {.transb = TRANSPOSE_T,
                  .m = 150,
                  .n = 150,
                  .k = 100,
                  .alpha = {1.5},
                  .beta = {-0.5}},
         .same = true},
	{.name = "gemm, another device",
         .family = FAMILY_GEMM,
         .element = ELEMENT_D,
         .blas = {.m = 170, .n = 300, .k = 130, .alpha = {1.5}, .beta = {-0.5}},
         .choice = ORDER(COLUMNS, 128),
         .device = 1},
	{.name = "symm, left",
         .family = FAMILY_SYMM,
         .element = ELEMENT_D,
         .blas = {.side = SIDE_LEFT, .m = 200, .n = 300, .k = 200, .alpha = {1.5}, .beta = {-0.5}},
         .choice = ORDER(COLUMNS, 128)},
	{.name = "trsm, right",
         .family = FAMILY_TRSM,
         .element = ELEMENT_D,
         .blas = {.side = SIDE_RIGHT,
                  .uplo = UPLO_LOWER,
                  .m = 300,
                  .n = 200,
                  .k = 200,
                  .alpha = {2}},
         .choice = ORDER(ROWS, 128)},
	{.name = "trsm, left, blocks",
         .family = FAMILY_TRSM,
         .element = ELEMENT_D,
         .blas = {.side = SIDE_LEFT,
                  .transa = TRANSPOSE_T,
                  .m = 300,
                  .n = 200,
                  .k = 300,
                  .alpha = {2}},
         .choice = ORDER(BLOCKS, 128)},
	{.name = "trsm, right, out of core",
         .family = FAMILY_TRSM,
         .element = ELEMENT_D,
         .blas = {.side = SIDE_RIGHT, .m = 300, .n = 300, .k = 300, .alpha = {2}},
         .memory_mb = 1},
	{.name = "trmm, left",
         .family = FAMILY_TRMM,
         .element = ELEMENT_D,
         .blas = {.side = SIDE_LEFT,
                  .uplo = UPLO_LOWER,
                  .m = 200,
                  .n = 300,
                  .k = 200,
                  .alpha = {0.5}},
         .choice = ORDER(COLUMNS, 128)},
	{.name = "trmm, left, out of core",
         .family = FAMILY_TRMM,
         .element = ELEMENT_D,
         .blas = {.side = SIDE_LEFT, .m = 300, .n = 300, .k = 300, .alpha = {0.5}},
         .memory_mb = 1},
	{.name = "herk, out of core",
         .family = FAMILY_HERK,
         .element = ELEMENT_Z,
         .blas = {.transa = TRANSPOSE_C,
                  .m = 300,
                  .n = 300,
                  .k = 60,
                  .alpha = {1.5},
                  .beta = {0.5}},
         .memory_mb = 1},
	{.name = "fft, out of place",
         .family = FAMILY_FFT_C2C,
         .element = ELEMENT_Z,
         .blas = {.m = 480, .n = 40}},
	{.name = "gemm, three copiers",
         .family = FAMILY_GEMM,
         .element = ELEMENT_D,
         .blas = {.m = 170, .n = 300, .k = 200, .alpha = {1.5}, .beta = {-0.5}},
         .choice = ORDER(COLUMNS, 128),
         .copiers = 3},
};
const int sweep_case_count = (int)(sizeof sweep_cases / sizeof sweep_cases[0]);

/* Level 3 */

static bool sweep_has_triangle(enum family family, enum operand name)
{
	return name == OPERAND_C ? operand_is_triangle(family)
	                         : name == OPERAND_A && family_is_in_place(family);
}

/*
 * The unreferenced half of a triangle is NaN. Systems have a large diagonal, so that their
 * solutions stay small.
 */
static double complex sweep_value(const struct call *call, enum operand name, int64_t i, int64_t j)
{
	const double complex value = CMPLX(gpu_check_random(), gpu_check_random());
	const bool stored = call->blas.uplo == UPLO_UPPER ? i <= j : i >= j;
	if (!sweep_has_triangle(call->family, name))
		return value;
	if (!stored)
		return CMPLX(NAN, NAN);
	if (name == OPERAND_A)
		return i == j ? value + 3 : value / (double)call->blas.k;
	return value;
}

/* Places the operand in the block at *offset. */
static void sweep_fill(struct sweep_problem *problem, enum operand name, size_t *offset)
{
	struct call *call = &problem->call;
	struct matrix shape = {.rows = 0};
	operand_find(call->family, &call->blas, name, &shape);
	const int64_t ld = shape.rows + GAP_ROWS;
	char *base = problem->memory + *offset;
	*offset += (size_t)(ld * shape.columns) * element_size_bytes(call->element) + GAP_BYTES;
	for (int64_t j = 0; problem->memory != NULL && j < shape.columns; j++)
		for (int64_t i = 0; i < shape.rows; i++)
			gpu_check_store(base, i + j * ld, call->element, false,
			                sweep_value(call, name, i, j));
	*(name == OPERAND_A   ? &call->blas.lda
	  : name == OPERAND_B ? &call->blas.ldb
	                      : &call->blas.ldc) = ld;
	if (name == OPERAND_A)
		call->blas.a = base;
	else if (name == OPERAND_B)
		call->blas.b = base;
	else
		call->blas.c = base;
}

static void sweep_fill_blas(struct sweep_problem *problem, bool same, size_t *offset)
{
	*offset = GAP_BYTES;
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
		if (!(same && name == OPERAND_B))
			sweep_fill(problem, (enum operand)name, offset);
	if (!same)
		return;
	problem->call.blas.b = problem->call.blas.a;
	problem->call.blas.ldb = problem->call.blas.lda;
}

/* Transforms */

static void sweep_fill_fft(struct sweep_problem *problem, const struct sweep_case *wanted,
                           size_t *offset)
{
	const int64_t points = wanted->blas.m, count = wanted->blas.n, total = points * count;
	const size_t bytes = (size_t)total * sizeof(double complex);
	problem->transform = (struct fft_problem){.family = wanted->family,
	                                          .element = wanted->element,
	                                          .rank = 1,
	                                          .loops = 1,
	                                          .dims = {{points, 1, 1}},
	                                          .loop = {{count, points, points}},
	                                          .howmany = count,
	                                          .sign = -1,
	                                          .in_place = wanted->in_place};
	char *in = problem->memory + GAP_BYTES,
	     *out = wanted->in_place ? in : in + bytes + GAP_BYTES;
	*offset = (size_t)(out - problem->memory) + bytes + GAP_BYTES;
	for (int64_t i = 0; problem->memory != NULL && i < total; i++)
		gpu_check_store(in, i, wanted->element, false,
		                CMPLX(gpu_check_random(), gpu_check_random()));
	problem->call.fft = (struct fft_call){
		.problem = &problem->transform, .in = in, .out = out, .plan_key = problem->memory};
}

static void sweep_expect_fft(struct sweep_problem *problem)
{
	const struct fft_problem *transform = &problem->transform;
	const int64_t points = transform->dims[0].n;
	double complex *line = malloc((size_t)points * sizeof *line),
		       *root = malloc((size_t)points * sizeof *root);
	for (int64_t i = 0; i < points; i++)
		root[i] =
			cexp(CMPLX(0, transform->sign * 2 * acos(-1) * (double)i / (double)points));
	for (int64_t loop = 0; loop < transform->howmany; loop++) {
		for (int64_t i = 0; i < points; i++)
			line[i] = gpu_check_load(problem->call.fft.in, loop * points + i,
			                         transform->element, false);
		for (int64_t k = 0; k < points; k++) {
			double complex sum = 0;
			for (int64_t i = 0, r = 0; i < points; i++, r = (r + k) % points)
				sum += line[i] * root[r];
			gpu_check_store(problem->call.fft.out, loop * points + k,
			                transform->element, false, sum);
		}
	}
	free(line);
	free(root);
}

/* Both */

static size_t sweep_fill_all(struct sweep_problem *problem, const struct sweep_case *wanted)
{
	size_t size_bytes;
	if (family_is_fft(wanted->family))
		sweep_fill_fft(problem, wanted, &size_bytes);
	else
		sweep_fill_blas(problem, wanted->same, &size_bytes);
	return size_bytes;
}

static char *sweep_copy(const struct sweep_problem *problem)
{
	return memcpy(malloc(problem->size_bytes), problem->memory, problem->size_bytes);
}

struct sweep_problem sweep_problem_make(const struct sweep_case *wanted)
{
	struct sweep_problem problem = {
		.call = {.family = wanted->family, .element = wanted->element}};
	if (!family_is_fft(wanted->family))
		problem.call.blas = wanted->blas;
	problem.size_bytes = sweep_fill_all(&problem, wanted);
	problem.memory = malloc(problem.size_bytes);
	memset(problem.memory, CANARY, problem.size_bytes);
	sweep_fill_all(&problem, wanted);
	problem.before = sweep_copy(&problem);
	if (family_is_fft(wanted->family))
		problem.call.fft.problem = &problem.transform;
	if (family_is_fft(wanted->family))
		sweep_expect_fft(&problem);
	else
		cpu_plain_run(&problem.call);
	problem.expected = sweep_copy(&problem);
	return problem;
}

void sweep_problem_free(struct sweep_problem *problem)
{
	free(problem->memory);
	free(problem->before);
	free(problem->expected);
}

enum reason sweep_problem_run(struct sweep_problem *problem, int device, bool *finished)
{
	memcpy(problem->memory, problem->before, problem->size_bytes);
	if (!family_is_fft(problem->call.family))
		return gpu_blas_run(&problem->call, __builtin_return_address(0), device, NULL,
		                    finished);
	problem->call.fft.problem = &problem->transform;
	const enum reason reason = gpu_fft_run(&problem->call, device);
	*finished = reason == REASON_NONE;
	return reason;
}

/*
 * Whether the CPU can do the call. For a transform out of place the output may have changed,
 * because the CPU computes all of it.
 */
static bool sweep_is_untouched(const struct sweep_problem *problem)
{
	const struct fft_problem *transform = &problem->transform;
	size_t begin = problem->size_bytes, end = problem->size_bytes;
	if (family_is_fft(problem->call.family) && !transform->in_place) {
		begin = (size_t)((char *)problem->call.fft.out - problem->memory);
		end = begin +
		      (size_t)(transform->howmany * transform->dims[0].n) * sizeof(double complex);
	}
	return memcmp(problem->memory, problem->before, begin) == 0 &&
	       memcmp(problem->memory + end, problem->before + end, problem->size_bytes - end) == 0;
}

/*
 * Compares the block as an array of reals: those that the call does not write must be the same
 * bytes, the others nearly equal.
 */
static bool sweep_is_right(const struct sweep_problem *problem)
{
	const bool single =
		problem->call.element == ELEMENT_S || problem->call.element == ELEMENT_C;
	const size_t size = single ? sizeof(float) : sizeof(double);
	const enum element real = single ? ELEMENT_S : ELEMENT_D;
	const double allowed = single ? 1e-3 : 1e-10;
	for (size_t i = 0; i < problem->size_bytes / size; i++) {
		const char *got = problem->memory + i * size,
			   *wanted = problem->expected + i * size;
		if (memcmp(got, wanted, size) == 0)
			continue;
		const double error =
			cabs(gpu_check_load(problem->memory, (int64_t)i, real, true) -
		             gpu_check_load(problem->expected, (int64_t)i, real, true));
		if (memcmp(wanted, problem->before + i * size, size) == 0 || !(error <= allowed))
			return false;
	}
	return true;
}

enum sweep_verdict sweep_problem_judge(const struct sweep_problem *problem, bool finished)
{
	if (finished)
		return sweep_is_right(problem) ? SWEEP_RIGHT : SWEEP_WRONG;
	return sweep_is_untouched(problem) ? SWEEP_UNTOUCHED : SWEEP_WRONG;
}
