/* panel_plan.c - sizes of a plan: choices within their bounds, and the bytes that cross the link */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/plan/panel_plan.h"

#include <stdlib.h>

const char *panel_plan_name_order(enum panel_order order)
{
	static const char *const names[PANEL_ORDER_COUNT] = {
#define PANEL_ORDER(id, name) name,
		PANEL_ORDERS(PANEL_ORDER)
#undef PANEL_ORDER
	};
	return order < PANEL_ORDER_COUNT ? names[order] : "";
}

void panel_plan_free(struct panel_plan *plan)
{
	free(plan->steps);
	*plan = (struct panel_plan){.arena_bytes = 0};
}

/* Rounds up to whole grains, at most to most. Idempotent. */
static int64_t panel_plan_bound(int64_t size, int64_t most)
{
	const int64_t positive = size < 1 ? 1 : size;
	const int64_t more = (PANEL_GRAIN - positive % PANEL_GRAIN) % PANEL_GRAIN;
	return positive >= most || more > most - positive ? most : positive + more;
}

struct panel_choice panel_plan_cut_choice(const struct blas_call *blas,
                                          const struct panel_choice *choice)
{
	const int64_t larger = blas->m > blas->n ? blas->m : blas->n;
	const int64_t most[PANEL_ORDER_COUNT] = {
		[PANEL_ORDER_COLUMNS] = blas->n,
		[PANEL_ORDER_ROWS] = blas->m,
		[PANEL_ORDER_RINGS] = larger,
		[PANEL_ORDER_BLOCKS] = blas->n,
	};
	struct panel_choice cut = *choice;
	cut.group = panel_plan_bound(cut.group,
	                             cut.order == PANEL_ORDER_BLOCKS ? blas->m : most[cut.order]);
	cut.width = panel_plan_bound(cut.width, most[cut.order]);
	cut.slice = panel_plan_bound(cut.slice, blas->k);
	cut.last = cut.last > 0 && cut.last < cut.width ? panel_plan_bound(cut.last, cut.width)
	                                                : cut.width;
	cut.tail = cut.tail > 0 ? panel_plan_bound(cut.tail, blas->k) : blas->k;
	cut.finish = cut.finish > 0 ? panel_plan_bound(cut.finish, blas->k) : cut.tail;
	cut.across = cut.across > 0 ? panel_plan_bound(cut.across, larger) : cut.group;
	if (cut.order != PANEL_ORDER_RINGS)
		cut.across = 0;
	return cut;
}

static double panel_plan_count_operand(const struct panel_problem *problem, enum operand operand)
{
	struct matrix matrix;
	if (!operand_find(problem->family, &problem->blas, operand, &matrix))
		return 0;
	return (double)matrix.rows * (double)matrix.columns *
	       (double)element_size_bytes(problem->element);
}

/* What is held is not loaded. */
static double panel_plan_count_input(const struct panel_problem *problem, enum operand operand)
{
	return problem->held[operand] ? 0 : panel_plan_count_operand(problem, operand);
}

struct panel_bytes panel_plan_count_bytes(const struct panel_problem *problem)
{
	const enum family family = problem->family;
	const struct blas_call *blas = &problem->blas;
	struct panel_bytes bytes = {.a = panel_plan_count_input(problem, OPERAND_A) /
	                                 (family_has_square(family) ? 2 : 1),
	                            .c = panel_plan_count_operand(problem, OPERAND_C) /
	                                 (operand_is_triangle(family) ? 2 : 1)};
	bytes.panel_b =
		family_is_in_place(family) ? bytes.c : panel_plan_count_input(problem, OPERAND_B);
	/* Where slices of k are columns, each panel of A is loaded as one of B: panel_gemm.c. */
	const bool shared = problem->same && family_is_product(family) &&
	                    (blas->transa == TRANSPOSE_N || blas->transb != TRANSPOSE_N);
	bytes.b = shared ? 0 : bytes.panel_b;
	return bytes;
}
