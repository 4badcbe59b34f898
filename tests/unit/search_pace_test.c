/* search_pace_test.c - the pace of strips against their plans, and the search that follows it */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "panel_call.h"
#include "policy/plan/panel_time.h"
#include "policy/plan/search_pace.h"

static int64_t draw(int64_t below)
{
	static uint64_t state = 88172645463325252;
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (int64_t)(state % (uint64_t)below);
}

/* Rates of links in GB/s, TFLOP/s in double precision, multiprocessors. */
static const struct card {
	double up, down, tflops;
	int units;
} cards[] = {{55.3, 53.0, 55, 132}, {24.5, 25.0, 17.5, 108}, {12.3, 12.9, 6.3, 80}};

static const int64_t shapes[][3] = {
	{1500, 1500, 1500}, {2000, 1264, 2000}, {4000, 4000, 4000}, {4000, 3300, 2500}};

enum { CARDS = sizeof cards / sizeof cards[0], SHAPES = sizeof shapes / sizeof shapes[0] };

static struct panel_rates rates_of(const struct card *card)
{
	struct panel_rates rates = h200;
	rates.up_bytes_s = card->up * 1e9;
	rates.down_bytes_s = card->down * 1e9;
	rates.work_flops_s = card->tflops * 1e12;
	rates.units = card->units;
	rates.copy_bytes = 4 << 20;
	return rates;
}

/* Several strips, and the first rectangle in few pieces. */
static struct panel_choice draw_choice(const struct blas_call *blas)
{
	const struct panel_choice choice = {
		.order = (enum panel_order)draw(3),
		.group = 256 + draw(blas->n - 256),
		.width = 384 + draw(blas->n / 4),
		.slice = (int64_t)256 << draw(4),
		.tail = blas->k >> draw(3),
		.across = 256 + draw(blas->n - 256),
	};
	return panel_plan_cut_choice(blas, &choice);
}

Test(search_pace, is_near_the_time_of_the_plan)
{
	for (int i = 0; i < 300; i++) {
		const struct panel_rates rates = rates_of(&cards[draw(CARDS)]);
		const int64_t *shape = shapes[draw(SHAPES)];
		struct panel_problem problem =
			panel_call(FAMILY_GEMM, shape[0], shape[1], shape[2]);
		problem.held[draw(2) == 0 ? OPERAND_A : OPERAND_B] = draw(3) == 0;
		struct panel_plan none = {.steps = NULL}, plan;
		const struct panel_search search = panel_search_start(&problem, &rates, &none);
		struct panel_choice choice = draw_choice(&problem.blas);
		int strips;
		const double time_ns = search_pace_find(&search, &choice, &strips);
		cr_assert(panels_plan_as(&problem, &rates, &choice, &plan));
		cr_expect(time_ns > 0.75 * plan.time_ns && time_ns < 1.35 * plan.time_ns,
		          "%s of group %ld across %ld width %ld slice %ld tail %ld, k %ld: %.3f "
		          "ms, not %.3f",
		          panel_plan_name_order(choice.order), (long)choice.group,
		          (long)choice.across, (long)choice.width, (long)choice.slice,
		          (long)choice.tail, (long)shape[2], time_ns / 1e6, plan.time_ns / 1e6);
		cr_expect_geq(strips, 1);
		panel_plan_free(&plan);
	}
}

static double find_last(const struct panel_plan *plan)
{
	const struct panel_block *last = &plan->steps[plan->count - 1].block;
	return (double)last->row.count * (double)last->column.count;
}

/* Where the CPU may take over what comes last, that is small. */
Test(search_pace, leads_to_small_panels_where_they_move)
{
	struct panel_problem problem = panel_call(FAMILY_GEMM, 4000, 4000, 4000);
	struct panel_rates rates = rates_of(&cards[0]);
	struct panel_plan alone, shared;
	rates.copy_ns = 3000;
	cr_assert(panels_plan(&problem, &rates, &alone));
	problem.moves = true;
	cr_assert(panels_plan(&problem, &rates, &shared));
	cr_expect_lt(find_last(&shared), 0.06 * 4000 * 4000);
	cr_expect_lt(2 * find_last(&shared), find_last(&alone));
	cr_expect_lt(shared.time_ns, 1.01 * alone.time_ns);
	panel_plan_free(&alone);
	panel_plan_free(&shared);
}

/* A product where the links are as busy as the device: its first rectangle is no square. */
Test(search_pace, leads_to_rectangles)
{
	const struct panel_problem problem = panel_call(FAMILY_GEMM, 2000, 2000, 2000);
	struct panel_rates rates = rates_of(&cards[0]);
	struct panel_plan plan;
	rates.copy_ns = 3000;
	rates.copy_bytes = 8 << 20;
	cr_assert(panels_plan(&problem, &rates, &plan));
	cr_expect_eq(plan.choice.order, PANEL_ORDER_RINGS);
	cr_expect_neq(plan.choice.group, plan.choice.across);
	cr_expect_leq(plan.time_ns, 1490e3, "%.3f ms", plan.time_ns / 1e6);
	panel_plan_free(&plan);
}

/* The best of many drawn choices takes at most a twentieth less. */
Test(search_pace, leads_to_a_good_plan)
{
	for (int i = 0; i < CARDS * SHAPES; i++) {
		const struct panel_rates rates = rates_of(&cards[i % CARDS]);
		const int64_t *shape = shapes[i / CARDS];
		const struct panel_problem problem =
			panel_call(FAMILY_GEMM, shape[0], shape[1], shape[2]);
		struct panel_plan plan, other;
		cr_assert(panels_plan(&problem, &rates, &plan));
		for (int tried = 0; tried < 400; tried++) {
			const struct panel_choice choice = draw_choice(&problem.blas);
			cr_assert(panels_plan_as(&problem, &rates, &choice, &other));
			cr_expect(plan.time_ns < 1.05 * other.time_ns,
			          "card %d, shape %d: %.3f, %.3f", i % CARDS, i / CARDS,
			          plan.time_ns / 1e6, other.time_ns / 1e6);
			panel_plan_free(&other);
		}
		panel_plan_free(&plan);
	}
}
