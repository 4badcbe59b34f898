/* call_problem.c - makes a struct call from sizes and flags, by the shim's own functions */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/call_problem.h"

#include <string.h>

#include "policy/call/operand.h"
#include "shim/describe/describe_problem.h"
#include "shim/table/symbol.h"

/*
 * Calls with larger operands are refused: their sum is used as an address, which must not overflow.
 */
static const uint64_t call_most_bytes = UINT64_C(1) << 60;

const char *call_problem_sizes(enum family family)
{
	return family_sizes(family_is_batch(family) ? FAMILY_GEMM : family);
}

const char *call_problem_flags(enum family family)
{
	if (family_is_lapack(family))
		return family_letters(family);
	static const char *const flags[FAMILY_KIND_COUNT] = {
		[FAMILY_KIND_PRODUCT] = "ab",   [FAMILY_KIND_TRIANGLE_OF_PRODUCT] = "uab",
		[FAMILY_KIND_SYMMETRIC] = "su", [FAMILY_KIND_RANK_K] = "ua",
		[FAMILY_KIND_RANK_2K] = "ua",   [FAMILY_KIND_TRIANGULAR] = "suad",
		[FAMILY_KIND_BATCH] = "ab",     [FAMILY_KIND_TRANSFORM] = "",
	};
	return flags[family_find_kind(family)];
}

void call_problem_name(const struct call_problem *problem, char name[CALL_NAME_BYTES])
{
	symbol_name_routine(problem->family, problem->element, name, CALL_NAME_BYTES);
}

static int64_t call_problem_get_size(const struct call_problem *problem, char letter,
                                     int64_t otherwise)
{
	const char *sizes = call_problem_sizes(problem->family), *at = strchr(sizes, letter);
	return at != NULL ? problem->size[at - sizes] : otherwise;
}

/* Fills the sizes and flags as the describe functions do; the operands are not set. */
static void call_problem_fill(const struct call_problem *problem, struct blas_call *blas)
{
	*blas = problem->flags;
	blas->n = call_problem_get_size(problem, 'n', 1);
	blas->m = call_problem_get_size(problem, 'm', blas->n);
	blas->k = call_problem_get_size(problem, 'k', blas->side == SIDE_LEFT ? blas->m : blas->n);
	if (family_find_kind(problem->family) == FAMILY_KIND_RANK_2K)
		blas->transb = blas->transa;
}

/*
 * Places the operands one after the other at addresses without memory; describing reads none of it.
 */
static bool call_problem_place(const struct call_problem *problem, struct blas_call *blas)
{
	uint64_t next_bytes = 4096;
	int64_t *const ld[OPERAND_COUNT] = {&blas->lda, &blas->ldb, &blas->ldc};
	uintptr_t base[OPERAND_COUNT] = {0};
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++) {
		struct matrix matrix;
		if (!operand_find(problem->family, blas, (enum operand)name, &matrix))
			continue;
		*ld[name] = matrix.rows;
		base[name] = next_bytes;
		next_bytes = operand_add_bytes(next_bytes,
		                               operand_size_bytes(&matrix, problem->element));
		if (next_bytes > call_most_bytes / (uint64_t)problem->count)
			return false;
	}
	blas->a = (const void *)base[OPERAND_A];
	blas->b = (const void *)base[OPERAND_B];
	blas->c = (void *)base[OPERAND_C];
	return true;
}

static bool call_problem_build_blas(const struct call_problem *problem, struct call *call)
{
	static const float single[] = {1, 0};
	static const double plain[] = {1, 0}, zero[] = {0, 0};
	const bool is_single = problem->element == ELEMENT_S || problem->element == ELEMENT_C;
	*call = (struct call){.symbol = -1, .family = problem->family, .element = problem->element};
	call_problem_fill(problem, &call->blas);
	if (!call_problem_place(problem, &call->blas))
		return false;
	describe_problem_end(call, is_single ? (const void *)single : plain, zero);
	if (family_is_batch(problem->family)) {
		describe_problem_add_work(call, &call->blas, problem->count - 1);
		call->batch = (struct batch_call){.strided = true,
		                                  .groups = 1,
		                                  .problems = problem->count,
		                                  .first = call->blas};
	}
	return true;
}

/*
 * Elements from row to row. Rows are tight; a real transform in place pads its reals to the size of
 * the complex side.
 */
static int64_t call_problem_row(const struct call_problem *problem, bool output)
{
	const int64_t n = problem->size[problem->sizes - 1];
	const bool real = problem->family == FAMILY_FFT_R2R ||
	                  problem->family == (output ? FAMILY_FFT_C2R : FAMILY_FFT_R2C);
	if (problem->family == FAMILY_FFT_C2C || (real && !problem->in_place))
		return n;
	return real && problem->family != FAMILY_FFT_R2R ? 2 * (n / 2 + 1) : n / 2 + 1;
}

/* Arrays of transforms that nobody reads: whether they overlap is known. */
static void *const call_problem_in = (void *)((uintptr_t)1 << 20), *const call_problem_out =
									   (void *)((uintptr_t)1
                                                                                    << 62);

static bool call_problem_fits(const struct call_problem *problem)
{
	double bytes = 2 * (double)element_size_bytes(problem->element) * (double)problem->count;
	for (int d = 0; d < problem->sizes; d++)
		bytes *= (double)problem->size[d] + 2;
	return bytes < (double)call_most_bytes;
}

static bool call_problem_build_fft(const struct call_problem *problem, struct built_call *built)
{
	char memory[2];
	int64_t dims[CALL_RANK][3], loop[1][3] = {{problem->count, 0, 0}};
	if (!call_problem_fits(problem))
		return false;
	for (int output = 0; output < 2; output++) {
		int64_t stride = 1;
		for (int d = problem->sizes - 1; d >= 0; d--) {
			dims[d][0] = problem->size[d];
			dims[d][1 + output] = stride;
			stride *= d == problem->sizes - 1 ? call_problem_row(problem, output)
			                                  : problem->size[d];
		}
		loop[0][1 + output] = stride;
	}
	built->request = (struct fft_request){
		.problem = {.family = problem->family, .element = problem->element}};
	describe_fftw_arrays(&built->request, memory, problem->in_place ? memory : memory + 1, -1,
	                     problem->estimate ? FFT_FLAG_ESTIMATE : 0);
	describe_fftw_guru(&built->request, &(struct fft_guru){.rank = problem->sizes,
	                                                       .dims = dims,
	                                                       .loops = problem->count > 1 ? 1 : 0,
	                                                       .loop_dims = loop,
	                                                       .wide = true});
	built->request.in = built->request.out = NULL;
	built->call = (struct call){.symbol = -1};
	describe_fftw_call(&built->call, &built->request, call_problem_in,
	                   problem->in_place ? call_problem_in : call_problem_out, NULL);
	return true;
}

bool call_problem_build(const struct call_problem *problem, struct built_call *built)
{
	if (family_is_fft(problem->family))
		return call_problem_build_fft(problem, built);
	if (family_is_lapack(problem->family))
		return call_problem_build_solve(problem, &built->call);
	return call_problem_build_blas(problem, &built->call);
}

bool call_problem_build_square(const struct call_problem *problem, int64_t n,
                               struct built_call *built)
{
	struct call_problem square = *problem;
	const char *sizes = call_problem_sizes(problem->family);
	for (int i = 0; i < square.sizes; i++) {
		const bool sides = family_is_lapack(problem->family) && sizes[i] == 'r';
		square.size[i] = !sides ? n : square.size[i] > 0 ? square.size[i] : 1;
	}
	return call_problem_build(&square, built);
}
