/* factor_plan.c - what a plan loads, and its end */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/factor/factor_plan.h"

#include <stdlib.h>

/* Elements of the loads of A's columns before this one, which begins a load or ends A. */
static uint64_t factor_plan_count_before(const struct factor_problem *problem, int64_t width,
                                         int64_t column)
{
	const uint64_t m = (uint64_t)problem->m, before = (uint64_t)column, wide = (uint64_t)width;
	const uint64_t whole = before / wide, last = before % wide;
	switch (problem->form) {
	case FACTOR_LOWER:
		return wide * (whole * m - wide * (whole * (whole - 1) / 2)) +
		       last * (m - whole * wide);
	case FACTOR_UPPER: return wide * wide * (whole * (whole + 1) / 2) + last * before;
	default: return before * m;
	}
}

uint64_t factor_plan_find_place(const struct factor_problem *problem, int64_t width,
                                const struct factor_block *block)
{
	if (!block->of_b)
		return factor_plan_count_before(problem, width, block->column.begin);
	return factor_plan_count_before(problem, width, problem->n) +
	       (uint64_t)block->column.begin * (uint64_t)problem->m;
}

void factor_plan_free(struct factor_plan *plan)
{
	free(plan->steps);
	*plan = (struct factor_plan){.width = 0};
}
