/* plan_cache_test.c - cached plans equal the planner's, and are not used for other calls */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include "panel_call.h"
#include "shim/execute/gpu/blas/plan_cache.h"

static bool is_same_block(const struct panel_block *x, const struct panel_block *y)
{
	return x->operand == y->operand && x->row.begin == y->row.begin &&
	       x->row.count == y->row.count && x->column.begin == y->column.begin &&
	       x->column.count == y->column.count && x->place_bytes == y->place_bytes &&
	       x->ld == y->ld;
}

static bool is_same_step(const struct panel_step *x, const struct panel_step *y)
{
	if (x->kind != y->kind || memcmp(x->after, y->after, sizeof x->after) != 0)
		return false;
	if (x->kind != PANEL_WORK)
		return is_same_block(&x->block, &y->block);
	return x->work.beta == y->work.beta && is_same_block(&x->work.x, &y->work.x) &&
	       is_same_block(&x->work.y, &y->work.y) && is_same_block(&x->work.z, &y->work.z);
}

/* Whether a plan was cached. In either case it has to equal the planner's for this memory. */
static bool remembers(const struct panel_problem *problem, const struct panel_rates *rates,
                      uint64_t memory_bytes)
{
	struct panel_rates within = *rates;
	struct panel_plan plan, planned;
	const uint64_t found = plan_cache_count_found();
	within.memory_bytes = memory_bytes;
	cr_assert(plan_cache_plan(problem, rates, &plan));
	cr_assert(panels_plan(problem, &within, &planned));
	cr_expect_eq(plan.time_ns, planned.time_ns);
	cr_expect_eq(plan.arena_bytes, planned.arena_bytes);
	cr_expect_leq(plan.arena_bytes, rates->memory_bytes);
	cr_assert_eq(plan.count, planned.count);
	for (uint32_t i = 0; i < plan.count; i++)
		cr_assert(is_same_step(&plan.steps[i], &planned.steps[i]), "step %u", i);
	panel_plan_free(&plan);
	panel_plan_free(&planned);
	return plan_cache_count_found() > found;
}

/* Scalars and addresses do not change the plan; nor does memory, as long as all operands fit. */
Test(plan_cache, a_call_comes_again)
{
	struct panel_problem problem = panel_call(FAMILY_GEMM, 1000, 900, 800);
	struct panel_rates rates = h200;
	cr_expect_not(remembers(&problem, &rates, rates.memory_bytes));
	cr_expect(remembers(&problem, &rates, rates.memory_bytes));
	problem.blas.alpha[0] = 3;
	problem.blas.beta[0] = 2;
	problem.blas.a = &problem;
	rates.memory_bytes = UINT64_C(1) << 30;
	cr_expect(remembers(&problem, &rates, rates.memory_bytes));
}

Test(plan_cache, other_calls_are_planned)
{
	struct panel_problem problem = panel_call(FAMILY_GEMM, 1000, 900, 800), other = problem;
	struct panel_rates rates = h200;
	cr_expect_not(remembers(&problem, &h200, h200.memory_bytes));
	other.blas.m++;
	cr_expect_not(remembers(&other, &h200, h200.memory_bytes));
	other = problem;
	other.blas.transb = TRANSPOSE_T;
	cr_expect_not(remembers(&other, &h200, h200.memory_bytes));
	other = problem;
	other.element = ELEMENT_S;
	cr_expect_not(remembers(&other, &h200, h200.memory_bytes));
	other = problem;
	other.family = FAMILY_SYMM;
	other.blas.k = 1000;
	cr_expect_not(remembers(&other, &h200, h200.memory_bytes));
	other.blas.uplo = other.blas.uplo == UPLO_UPPER ? UPLO_LOWER : UPLO_UPPER;
	cr_expect_not(remembers(&other, &h200, h200.memory_bytes));
	rates.copy_bytes /= 2;
	cr_expect_not(remembers(&problem, &rates, rates.memory_bytes));
	cr_expect(remembers(&problem, &h200, h200.memory_bytes));
}

/*
 * 4096 x 4096 x 4096 needs 384 MiB. Memory between 100 MiB and 101 is planned as 100; 101 is
 * another plan.
 */
Test(plan_cache, little_memory_is_rounded)
{
	const struct panel_problem problem = panel_call(FAMILY_GEMM, 4096, 4096, 4096);
	struct panel_rates rates = h200;
	rates.memory_bytes = UINT64_C(100) << 20;
	cr_expect_not(remembers(&problem, &rates, UINT64_C(100) << 20));
	rates.memory_bytes = (UINT64_C(101) << 20) - 1;
	cr_expect(remembers(&problem, &rates, UINT64_C(100) << 20));
	rates.memory_bytes++;
	cr_expect_not(remembers(&problem, &rates, UINT64_C(101) << 20));
}

/* After many others a call is planned again; a call that is repeated in between is not. */
Test(plan_cache, what_was_used_longest_ago_makes_room)
{
	const struct panel_problem rare = panel_call(FAMILY_GEMM, 300, 300, 300),
				   frequent = panel_call(FAMILY_GEMM, 301, 300, 300);
	cr_expect_not(remembers(&rare, &h200, h200.memory_bytes));
	cr_expect_not(remembers(&frequent, &h200, h200.memory_bytes));
	for (int i = 0; i < 100; i++) {
		const struct panel_problem other = panel_call(FAMILY_GEMM, 400 + i, 300, 300);
		cr_expect_not(remembers(&other, &h200, h200.memory_bytes));
		cr_expect(remembers(&frequent, &h200, h200.memory_bytes));
	}
	cr_expect_not(remembers(&rare, &h200, h200.memory_bytes));
}

Test(plan_cache, what_cannot_be_planned_is_not_remembered)
{
	const struct panel_problem problem = panel_call(FAMILY_GEMM, 500, 500, 500);
	struct panel_rates rates = h200;
	struct panel_plan plan;
	rates.memory_bytes = 1024;
	for (int i = 0; i < 2; i++)
		cr_expect_not(plan_cache_plan(&problem, &rates, &plan));
	cr_expect_eq(plan_cache_count_found(), 0);
}
