/* panel_families_test.c - plans of every family, flag and order, in ample and little memory */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "panel_run.h"
#include "policy/plan/panel_time.h"
#include "shim/execute/cpu/cpu.h"
#include "tests/driver/c11_complex.h"

#undef I

/*
 * KERNEL_*: sizes at which the kernels themselves are compared. LITTLE_BYTES: holds a few hundred
 * elements.
 */
enum {
	KERNEL_M = 5,
	KERNEL_N = 4,
	KERNEL_K = 6,
	KERNEL_ROOM = 64,
	CASES = 2,
	LITTLE_BYTES = 48 << 10
};

static uint64_t random_state;

static int64_t draw(int64_t below)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (int64_t)((random_state >> 33) % (uint64_t)below);
}

/* One slice or many, seldom a whole number of them. */
static int64_t draw_size(void)
{
	static const int64_t least[] = {1, 64, 128, 180}, room[] = {40, 80, 130, 150};
	const int64_t number = draw(4);
	return least[number] + draw(room[number]);
}

/* The values of a family's flags: transa and transb, number of transpositions. */
struct flags {
	bool sides, triangles, diagonals, conjugates;
	int transa, transb;
};

static struct flags flags_of(enum family family)
{
	switch (family) {
	case FAMILY_GEMM:
	case FAMILY_GEMM3M: return (struct flags){.transa = 3, .transb = 3};
	case FAMILY_GEMMT: return (struct flags){.triangles = true, .transa = 3, .transb = 3};
	case FAMILY_SYMM:
	case FAMILY_HEMM:
		return (struct flags){.sides = true, .triangles = true, .transa = 1, .transb = 1};
	case FAMILY_TRMM:
	case FAMILY_TRSM:
		return (struct flags){.sides = true,
		                      .triangles = true,
		                      .diagonals = true,
		                      .transa = 3,
		                      .transb = 1};
	case FAMILY_HERK:
	case FAMILY_HER2K:
		return (struct flags){
			.triangles = true, .conjugates = true, .transa = 2, .transb = 1};
	default: return (struct flags){.triangles = true, .transa = 2, .transb = 1};
	}
}

static bool is_hermitian(enum family family)
{
	return family == FAMILY_HERK || family == FAMILY_HER2K || family == FAMILY_HEMM;
}

/* Of every second problem: inputs that are not squares, and C of a product. */
static void draw_held(struct panel_problem *problem)
{
	const bool product = family_is_product(problem->family), any = draw(2) == 0;
	struct matrix matrix;
	for (enum operand name = OPERAND_A; name < OPERAND_COUNT; name++) {
		const bool may = name == OPERAND_A   ? !flags_of(problem->family).sides
		                 : name == OPERAND_C ? product
		                                     : operand_find(problem->family, &problem->blas,
		                                                    name, &matrix);
		problem->held[name] = any && may && draw(2) == 0;
	}
}

/* Sizes, scalars, an element of the family, and operands that are held. */
static void draw_problem(struct panel_problem *problem)
{
	static const double betas[][2] = {{0, 0}, {1, 0}, {-0.5, 0.25}};
	struct blas_call *blas = &problem->blas;
	const bool complex_only = is_hermitian(problem->family) || problem->family == FAMILY_GEMM3M;
	const int beta = (int)draw(3);
	problem->element = (enum element)(complex_only ? ELEMENT_C + draw(2) : draw(4));
	const bool real_scalars =
		!element_is_complex(problem->element) || problem->family == FAMILY_HERK;
	blas->m = draw_size();
	blas->n = operand_is_triangle(problem->family) ? blas->m : draw_size();
	blas->k = draw_size();
	if (flags_of(problem->family).sides)
		blas->k = blas->side == SIDE_LEFT ? blas->m : blas->n;
	blas->alpha[0] = 0.75;
	blas->alpha[1] = real_scalars ? 0 : -0.5;
	blas->beta[0] = betas[beta][0];
	blas->beta[1] = real_scalars || problem->family == FAMILY_HER2K ? 0 : betas[beta][1];
	draw_held(problem);
}

/* Whether the order is planned for the problem if there is enough memory. */
static bool is_offered(const struct panel_problem *problem, enum panel_order order)
{
	const bool sides = flags_of(problem->family).sides;
	if (order == PANEL_ORDER_BLOCKS)
		return true;
	if (sides)
		return order ==
		       (problem->blas.side == SIDE_LEFT ? PANEL_ORDER_COLUMNS : PANEL_ORDER_ROWS);
	return order != PANEL_ORDER_ROWS || !operand_is_triangle(problem->family);
}

static void check_plan(const struct panel_problem *problem, const struct panel_plan *plan,
                       uint64_t memory_bytes)
{
	const struct blas_call *blas = &problem->blas;
	const struct panel_choice *choice = &plan->choice;
	char why[PANEL_RUN_WHY_BYTES] = "";
	cr_assert_leq(plan->arena_bytes, memory_bytes);
	cr_assert(panel_run_check(problem, plan, (uint64_t)draw(1 << 30), why),
	          "family %d element %d side %d uplo %d diag %d trans %d %d, %ld x %ld x %ld, beta "
	          "%g, %s of group %ld "
	          "width %ld last %ld slice %ld in %lu bytes: %s",
	          problem->family, problem->element, blas->side, blas->uplo, blas->diag,
	          blas->transa, blas->transb, (long)blas->m, (long)blas->n, (long)blas->k,
	          blas->beta[0], panel_plan_name_order(choice->order), (long)choice->group,
	          (long)choice->width, (long)choice->last, (long)choice->slice,
	          (unsigned long)memory_bytes, why);
}

static void check_orders(struct panel_problem *problem)
{
	for (int order = 0; order < PANEL_ORDER_COUNT; order++)
		for (int i = 0; i < CASES; i++) {
			const bool fits_itself =
				problem->family != FAMILY_GEMM && problem->family != FAMILY_GEMM3M;
			const bool little = order == PANEL_ORDER_BLOCKS && i > 0 && fits_itself;
			struct panel_rates rates = {.up_bytes_s = 1e9,
			                            .down_bytes_s = 1e9,
			                            .duplex = 1,
			                            .work_flops_s = 1e12,
			                            .memory_bytes = little ? LITTLE_BYTES
			                                                   : (uint64_t)1 << 30};
			struct panel_plan plan;
			draw_problem(problem);
			const struct panel_choice choice = {.order = (enum panel_order)order,
			                                    .group = draw_size(),
			                                    .width = draw_size(),
			                                    .last = draw(100),
			                                    .slice = draw_size()};
			const bool made = panels_plan_as(problem, &rates, &choice, &plan);
			cr_assert_eq(made, is_offered(problem, choice.order),
			             "family %d, %s, side %d, %lu bytes", problem->family,
			             panel_plan_name_order(choice.order), problem->blas.side,
			             (unsigned long)rates.memory_bytes);
			if (!made)
				continue;
			check_plan(problem, &plan, rates.memory_bytes);
			panel_plan_free(&plan);
		}
}

/*
 * Less memory than all operands need, so that panels take turns: planned or refused, but never
 * wrong.
 */
static void check_turns(struct panel_problem *problem)
{
	for (int order = 0; order < PANEL_ORDER_COUNT; order++) {
		struct panel_rates rates = {
			.up_bytes_s = 1e9, .down_bytes_s = 1e9, .duplex = 1, .work_flops_s = 1e12};
		struct panel_plan plan;
		draw_problem(problem);
		struct matrix a;
		operand_find(problem->family, &problem->blas, OPERAND_A, &a);
		const struct panel_choice choice = {
			(enum panel_order)order, 128, 128, 128, 64, 0, 0, 0};
		rates.memory_bytes =
			operand_size_bytes(&a, problem->element) * 2 + (uint64_t)draw(3 << 20);
		if (!panels_plan_as(problem, &rates, &choice, &plan))
			continue;
		check_plan(problem, &plan, rates.memory_bytes);
		panel_plan_free(&plan);
	}
}

/* The planner's own choice, with memory for all operands and with little. */
static void check_best(struct panel_problem *problem)
{
	static const uint64_t memory[] = {(uint64_t)1 << 30, (uint64_t)2 << 20};
	for (int i = 0; i < 2; i++) {
		const struct panel_rates rates = {.up_bytes_s = 50e9,
		                                  .down_bytes_s = 50e9,
		                                  .duplex = 0.9,
		                                  .work_flops_s = 5e12,
		                                  .operation_ns = 100,
		                                  .copy_ns = 100,
		                                  .copy_bytes = 1 << 16,
		                                  .memory_bytes = memory[i]};
		struct panel_plan plan;
		draw_problem(problem);
		cr_assert(panels_plan(problem, &rates, &plan), "family %d in %lu bytes",
		          problem->family, (unsigned long)memory[i]);
		cr_assert_float_eq(plan.time_ns, panel_time_find(problem, &rates, &plan), 1);
		check_plan(problem, &plan, rates.memory_bytes);
		panel_plan_free(&plan);
	}
}

/* All flags, each with its own problems. */
static void check_family(enum family family, void check(struct panel_problem *))
{
	const struct flags flags = flags_of(family);
	const int bits[] = {flags.sides ? 2 : 1, flags.triangles ? 2 : 1, flags.diagonals ? 2 : 1,
	                    flags.transa, flags.transb};
	random_state = 77 + (uint64_t)family;
	cr_assert(panels_takes(family));
	for (int number = 0; number < bits[0] * bits[1] * bits[2] * bits[3] * bits[4]; number++) {
		struct panel_problem problem = {.family = family};
		struct blas_call *blas = &problem.blas;
		int rest = number;
		blas->side = (enum side)(rest % bits[0]), rest /= bits[0];
		blas->uplo = (enum uplo)(rest % bits[1]), rest /= bits[1];
		blas->diag = (enum diag)(rest % bits[2]), rest /= bits[2];
		blas->transa = (enum transpose)(rest % bits[3]), rest /= bits[3];
		blas->transb = (enum transpose)rest;
		if (flags.conjugates && blas->transa != TRANSPOSE_N)
			blas->transa = TRANSPOSE_C;
		if (operand_is_triangle(family) && family != FAMILY_GEMMT)
			blas->transb = blas->transa;
		check(&problem);
	}
}

#define PANEL_FAMILY_TEST(name, family)                                                            \
	Test(panel_families, name)                                                                 \
	{                                                                                          \
		check_family(family, check_orders);                                                \
		check_family(family, check_turns);                                                 \
		check_family(family, check_best);                                                  \
	}
PANEL_FAMILY_TEST(gemm, FAMILY_GEMM)
PANEL_FAMILY_TEST(gemm3m, FAMILY_GEMM3M)
PANEL_FAMILY_TEST(gemmt, FAMILY_GEMMT)
PANEL_FAMILY_TEST(symm, FAMILY_SYMM)
PANEL_FAMILY_TEST(hemm, FAMILY_HEMM)
PANEL_FAMILY_TEST(syrk, FAMILY_SYRK)
PANEL_FAMILY_TEST(herk, FAMILY_HERK)
PANEL_FAMILY_TEST(syr2k, FAMILY_SYR2K)
PANEL_FAMILY_TEST(her2k, FAMILY_HER2K)
PANEL_FAMILY_TEST(trmm, FAMILY_TRMM)
PANEL_FAMILY_TEST(trsm, FAMILY_TRSM)

/* Compares the loops that check the plans with those that stand in for a BLAS. */
static void check_kernel(struct panel_problem *problem)
{
	static double complex a[KERNEL_ROOM], b[KERNEL_ROOM], c[KERNEL_ROOM], z[KERNEL_ROOM];
	const bool in_place = family_is_in_place(problem->family);
	struct blas_call *blas = &problem->blas;
	struct matrix shape[OPERAND_COUNT] = {{0}};
	draw_problem(problem);
	blas->m = KERNEL_M;
	blas->n = operand_is_triangle(problem->family) ? KERNEL_M : KERNEL_N;
	blas->k = KERNEL_K;
	if (flags_of(problem->family).sides)
		blas->k = blas->side == SIDE_LEFT ? blas->m : blas->n;
	blas->lda = blas->ldb = blas->ldc = 8;
	blas->a = a, blas->b = b, blas->c = c;
	for (int i = 0; i < KERNEL_ROOM; i++) {
		a[i] = CMPLX((double)draw(19) - 9 + (i % 9 == 0 ? 30 : 0), (double)draw(19) - 9);
		b[i] = CMPLX((double)draw(19) - 9, (double)draw(19) - 9);
		c[i] = z[i] = CMPLX((double)draw(19) - 9, (double)draw(19) - 9);
	}
	for (enum operand operand = OPERAND_A; operand < OPERAND_COUNT; operand++)
		operand_find(problem->family, blas, operand, &shape[operand]);
	const struct panel_matrix y = {shape[OPERAND_B].rows, shape[OPERAND_B].columns, 8, b};
	struct panel_kernel kernel = {.family = problem->family,
	                              .flags = *blas,
	                              .alpha = CMPLX(blas->alpha[0], blas->alpha[1]),
	                              .beta = in_place ? 0 : CMPLX(blas->beta[0], blas->beta[1]),
	                              .x = {shape[OPERAND_A].rows, shape[OPERAND_A].columns, 8, a},
	                              .z = {blas->m, blas->n, 8, z}};
	kernel.y = in_place ? kernel.z : y;
	const struct call call = {.family = problem->family, .element = ELEMENT_Z, .blas = *blas};
	panel_kernel_run(&kernel);
	cpu_plain_run(&call);
	for (int64_t column = 0; column < blas->n; column++)
		for (int64_t row = 0; row < blas->m; row++) {
			const bool other = blas->uplo == UPLO_UPPER ? row > column : row < column;
			const bool real = row == column && operand_is_triangle(problem->family) &&
			                  is_hermitian(problem->family);
			const double complex got = z[row + column * 8];
			if (operand_is_triangle(problem->family) && other)
				continue;
			cr_assert(cabs((real ? creal(got) : got) - c[row + column * 8]) <
			                  1e-9 * (1 + cabs(got)),
			          "family %d at (%ld, %ld)", problem->family, (long)row,
			          (long)column);
		}
}

Test(panel_families, kernels)
{
	for (int family = 0; family < FAMILY_COUNT; family++)
		if (panels_takes((enum family)family))
			check_family((enum family)family, check_kernel);
}
