/* fuzz_describe.c - BLAS calls with arbitrary arguments: described, decided and planned */
/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>

#include "policy/call/batch.h"
#include "policy/call/operand.h"
#include "policy/decide/decide.h"
#include "policy/plan/panels.h"
#include "shim/describe/describe_blas.h"
#include "tests/fuzz/fuzz.h"

/* ARGUMENT_MOST: entries of each array of a batch, and so the most groups and problems of one. */
enum { ARGUMENT_MOST = 8, PLANNED_MOST = 300 };

/* All arguments of all shapes, by the names of shapes.h. Integers are read with either width. */
struct arguments {
	int64_t m[ARGUMENT_MOST], n[ARGUMENT_MOST], k[ARGUMENT_MOST];
	int64_t lda[ARGUMENT_MOST], ldb[ARGUMENT_MOST], ldc[ARGUMENT_MOST];
	int64_t stridea[1], strideb[1], stridec[1], problems[1], groups[1];
	int64_t group_size[ARGUMENT_MOST];
	double alpha[2 * ARGUMENT_MOST], beta[2 * ARGUMENT_MOST];
	const void *a[ARGUMENT_MOST], *b[ARGUMENT_MOST], *c[ARGUMENT_MOST];
	char side[1], uplo[1], trans[1], diag[1], transa[ARGUMENT_MOST], transb[ARGUMENT_MOST];
	int order_number, side_number, uplo_number, trans_number, diag_number;
	int transa_number[ARGUMENT_MOST], transb_number[ARGUMENT_MOST];
};

static struct arguments given;
static struct call call;

/* Integers of 32 bits lie side by side. */
static void take_integers(struct fuzz_input *input, bool wide, int64_t *into, int count)
{
	for (int i = 0; i < count; i++) {
		const int64_t number = fuzz_take_number(input);
		const int32_t narrow = (int32_t)number;
		if (wide)
			into[i] = number;
		else
			memcpy((char *)into + 4 * i, &narrow, sizeof narrow);
	}
}

/* Of groups and problems: no more than the arrays hold, or illegal. */
static void take_count(struct fuzz_input *input, bool wide, int64_t *into, int most)
{
	const int32_t count = (int32_t)fuzz_take_byte(input) % (most + 2) - 1;
	if (wide)
		*into = count;
	else
		memcpy(into, &count, sizeof count);
}

static void take_scalars(struct fuzz_input *input, double *into, int count)
{
	static const double values[] = {0, 1, -1, 0.5};
	for (int i = 0; i < count; i++) {
		const uint64_t word = fuzz_take_byte(input) < 200 ? 0 : fuzz_take_word(input, 8);
		into[i] = values[fuzz_take_byte(input) % 4];
		if (word != 0)
			memcpy(&into[i], &word, sizeof word);
	}
}

/* Addresses that are near each other, so that operands overlap sometimes; never read. */
static void take_addresses(struct fuzz_input *input, const void **into)
{
	for (int i = 0; i < ARGUMENT_MOST; i++)
		into[i] = (const void *)(uintptr_t)(fuzz_take_word(input, 4) << 4);
}

static void take_letters(struct fuzz_input *input, char *into, int count)
{
	for (int i = 0; i < count; i++) {
		const unsigned byte = fuzz_take_byte(input);
		into[i] = byte < 224 ? "NTCULRntclr"[byte % 11] : (char)byte;
	}
}

static int take_constant(struct fuzz_input *input)
{
	const unsigned byte = fuzz_take_byte(input);
	return byte < 224 ? 101 + (int)(byte % 43) : (int)byte - 240;
}

static void take_arguments(struct fuzz_input *input, bool wide)
{
	int64_t *const integers[] = {given.m, given.n, given.k, given.lda, given.ldb, given.ldc};
	for (size_t i = 0; i < sizeof integers / sizeof integers[0]; i++)
		take_integers(input, wide, integers[i], ARGUMENT_MOST);
	take_integers(input, wide, given.stridea, 1);
	take_integers(input, wide, given.strideb, 1);
	take_integers(input, wide, given.stridec, 1);
	take_integers(input, wide, given.problems, 1);
	take_count(input, wide, given.groups, ARGUMENT_MOST);
	/* One problem a group, or none: all pointers are in the arrays. */
	for (int i = 0; i < ARGUMENT_MOST; i++)
		take_count(input, wide,
		           wide ? &given.group_size[i]
		                : (int64_t *)((char *)given.group_size + 4 * i),
		           1);
	take_scalars(input, given.alpha, 2 * ARGUMENT_MOST);
	take_scalars(input, given.beta, 2 * ARGUMENT_MOST);
	take_addresses(input, given.a);
	take_addresses(input, given.b);
	take_addresses(input, given.c);
	take_letters(input, given.side, 1);
	take_letters(input, given.uplo, 1);
	take_letters(input, given.trans, 1);
	take_letters(input, given.diag, 1);
	take_letters(input, given.transa, ARGUMENT_MOST);
	take_letters(input, given.transb, ARGUMENT_MOST);
	given.order_number = take_constant(input);
	given.side_number = take_constant(input);
	given.uplo_number = take_constant(input);
	given.trans_number = take_constant(input);
	given.diag_number = take_constant(input);
	for (int i = 0; i < ARGUMENT_MOST; i++) {
		given.transa_number[i] = take_constant(input);
		given.transb_number[i] = take_constant(input);
	}
}

/* How shapes.h asks for each kind of argument; W is a value of either width. */
#define GIVEN_TEXT(name) given.name
#define GIVEN_ADDRESS(name) GIVEN_ADDRESS_##name
#define GIVEN_NONE(count)
#define GIVEN_INT(name) GIVEN_INT_##name
#define GIVEN_INTS(name) given.name##_number
#define GIVEN_WIDE(name) (*given.name)
#define GIVEN_SCALAR(E, name) given.name
#define GIVEN_ADDRESS_m given.m
#define GIVEN_ADDRESS_n given.n
#define GIVEN_ADDRESS_k given.k
#define GIVEN_ADDRESS_lda given.lda
#define GIVEN_ADDRESS_ldb given.ldb
#define GIVEN_ADDRESS_ldc given.ldc
#define GIVEN_ADDRESS_stridea given.stridea
#define GIVEN_ADDRESS_strideb given.strideb
#define GIVEN_ADDRESS_stridec given.stridec
#define GIVEN_ADDRESS_problems given.problems
#define GIVEN_ADDRESS_groups given.groups
#define GIVEN_ADDRESS_group_size given.group_size
#define GIVEN_ADDRESS_alpha given.alpha
#define GIVEN_ADDRESS_beta given.beta
#define GIVEN_ADDRESS_a (batched ? (void *)given.a : (void *)given.a[0])
#define GIVEN_ADDRESS_b (batched ? (void *)given.b : (void *)given.b[0])
#define GIVEN_ADDRESS_c (batched ? (void *)given.c : (void *)given.c[0])
#define GIVEN_INT_order given.order_number
#define GIVEN_INT_side given.side_number
#define GIVEN_INT_uplo given.uplo_number
#define GIVEN_INT_trans given.trans_number
#define GIVEN_INT_diag given.diag_number
#define GIVEN_INT_transa given.transa_number[0]
#define GIVEN_INT_transb given.transb_number[0]

/* The families that use each shape. */
static const enum family families_GEMM[] = {FAMILY_GEMM, FAMILY_GEMM3M},
			 families_GEMMT[] = {FAMILY_GEMMT},
			 families_SYMM[] = {FAMILY_SYMM, FAMILY_HEMM},
			 families_SYRK[] = {FAMILY_SYRK}, families_HERK[] = {FAMILY_HERK},
			 families_SYR2K[] = {FAMILY_SYR2K}, families_HER2K[] = {FAMILY_HER2K},
			 families_TRMM[] = {FAMILY_TRMM, FAMILY_TRSM},
			 families_BATCH[] = {FAMILY_GEMM_BATCH},
			 families_STRIDED[] = {FAMILY_GEMM_BATCH_STRIDED};

static void describe_f77(unsigned shape, unsigned which, bool wide)
{
	unsigned row = 0;
#define SHAPE(shape_name)                                                                          \
	if (shape == row++) {                                                                      \
		const size_t count = sizeof families_##shape_name / sizeof(enum family);           \
		call.family = families_##shape_name[which % count];                                \
		const bool batched = call.family == FAMILY_GEMM_BATCH;                             \
		describe_f77_##shape_name(&call, wide,                                             \
		                          LIST_f77_##shape_name(GIVEN_TEXT, GIVEN_ADDRESS,         \
		                                                GIVEN_ADDRESS, GIVEN_NONE));       \
	}
#include "shim/table/shape.def"
}

static void describe_cblas(unsigned shape, unsigned which, bool wide)
{
	unsigned row = 0;
#define SHAPE(shape_name)                                                                          \
	if (shape == row++) {                                                                      \
		const size_t count = sizeof families_##shape_name / sizeof(enum family);           \
		call.family = families_##shape_name[which % count];                                \
		const bool batched = call.family == FAMILY_GEMM_BATCH;                             \
		describe_cblas_##shape_name(&call, wide,                                           \
		                            LIST_cblas_##shape_name(D, GIVEN_INT, GIVEN_WIDE,      \
		                                                    GIVEN_ADDRESS, GIVEN_ADDRESS,  \
		                                                    GIVEN_SCALAR, GIVEN_SCALAR,    \
		                                                    GIVEN_INTS));                  \
	}
#include "shim/table/shape.def"
}

/* Bytes of an operand by its definition: rows times columns, in integers that hold the product. */
static unsigned __int128 count_bytes(enum operand operand)
{
	struct matrix matrix;
	if (!operand_find(call.family, &call.blas, operand, &matrix))
		return 0;
	FUZZ_CHECK(matrix.rows >= 1 && matrix.columns >= 1 && matrix.ld >= matrix.rows);
	return (unsigned __int128)matrix.rows * (unsigned __int128)matrix.columns *
	       element_size_bytes(call.element);
}

static void check_bytes(void)
{
	unsigned __int128 bytes = 0;
	for (int operand = OPERAND_A; operand < OPERAND_COUNT; operand++)
		bytes += count_bytes((enum operand)operand);
	if (bytes > UINT64_MAX)
		bytes = UINT64_MAX;
	/* Equal operands are counted once. */
	FUZZ_CHECK(call.size_bytes <= bytes && call.size_bytes > 0);
	FUZZ_CHECK(call.output_bytes <= call.size_bytes);
	FUZZ_CHECK(call.work_flops >= 0 && call.work_flops <= DBL_MAX);
}

static void check_decision(void)
{
	static struct machine machine;
	static struct options options;
	static bool assumed;
	const struct experience experience = {.machine = &machine};
	const struct situation situation = {.gpu = GPU_READY, .setting = {.cpu_threads = 4}};
	struct decision decision;
	options_set_defaults(&options);
	if (!assumed)
		machine_assume(&machine, 90, 132);
	assumed = true;
	decide(&options, &experience, &situation, &call, &decision);
	FUZZ_CHECK(decision.reason > REASON_NONE && decision.reason < REASON_COUNT);
	FUZZ_CHECK(call.defect == REASON_NONE || decision.target == TARGET_CPU);
	FUZZ_CHECK(decision.predicted_cpu_ns == -1 ||
	           (decision.predicted_cpu_ns >= 0 && decision.predicted_cpu_ns <= DBL_MAX));
}

static void check_block(const struct panel_problem *problem, const struct panel_block *block)
{
	struct matrix matrix;
	FUZZ_CHECK(operand_find(problem->family, &problem->blas, block->operand, &matrix));
	FUZZ_CHECK(block->row.begin >= 0 && block->row.count > 0 && block->column.begin >= 0 &&
	           block->column.count > 0);
	FUZZ_CHECK(block->row.begin + block->row.count <= matrix.rows &&
	           block->column.begin + block->column.count <= matrix.columns);
}

/* Each copy of the plan stays within its operand and the arena. */
static void check_plan(void)
{
	const struct panel_problem problem = {
		.family = call.family, .element = call.element, .blas = call.blas};
	struct panel_rates rates = panel_rates_find(NULL, call.element, 90, 132);
	struct panel_plan plan;
	rates.copy_bytes = 1 << 20;
	rates.memory_bytes = (uint64_t)1 << (16 + call.blas.m % 8);
	if (!panels_plan(&problem, &rates, &plan))
		return;
	FUZZ_CHECK(plan.arena_bytes <= rates.memory_bytes);
	for (uint32_t i = 0; i < plan.count; i++)
		if (plan.steps[i].kind != PANEL_WORK)
			check_block(&problem, &plan.steps[i].block);
	panel_plan_free(&plan);
}

static bool is_planned(void)
{
	const struct blas_call *blas = &call.blas;
	const bool scaled = blas->alpha[0] != 0 || blas->alpha[1] != 0;
	return panels_takes(call.family) && scaled && blas->m <= PLANNED_MOST &&
	       blas->n <= PLANNED_MOST && blas->k <= PLANNED_MOST;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input input = {data, size};
	const unsigned choice = fuzz_take_byte(&input), shape = fuzz_take_byte(&input) % 10,
		       which = fuzz_take_byte(&input);
	const bool wide = (choice & 1) != 0;
	memset(&given, 0, sizeof given);
	memset(&call, 0, sizeof call);
	take_arguments(&input, wide);
	call.element = (enum element)(choice / 4 % ELEMENT_BLAS_COUNT);
	if ((choice & 2) != 0)
		describe_f77(shape, which, wide);
	else
		describe_cblas(shape, which, wide);
	FUZZ_CHECK(call.defect >= REASON_NONE && call.defect < REASON_COUNT);
	check_decision();
	if (call.defect != REASON_NONE || family_is_batch(call.family))
		return 0;
	check_bytes();
	if (is_planned())
		check_plan();
	return 0;
}
