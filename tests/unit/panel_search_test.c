/* panel_search_test.c - the search's results: full copies, blocks by formula, bounded steps */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "panel_call.h"
#include "policy/plan/panel_gemm.h"
#include "policy/plan/panel_search.h"

/* Panels of a call that waits for the link have as many bytes as one copy, not slightly more. */
Test(panel_search, panels_fill_whole_copies)
{
	static const int64_t sizes[][3] = {
		{200000, 2000, 2000}, {2000, 200000, 2000}, {180000, 2500, 1500}};
	for (int i = 0; i < 3; i++) {
		const struct panel_problem problem =
			panel_call(FAMILY_GEMM, sizes[i][0], sizes[i][1], sizes[i][2]);
		struct panel_plan plan;
		cr_assert(panels_plan(&problem, &h200, &plan));
		const int64_t other = sizes[i][0] > sizes[i][1] ? sizes[i][1] : sizes[i][0];
		const uint64_t one_bytes = 8 * (uint64_t)other,
			       panel_bytes = one_bytes * (uint64_t)plan.choice.width;
		cr_expect_leq(panel_bytes % h200.copy_bytes == 0
		                      ? 0
		                      : h200.copy_bytes - panel_bytes % h200.copy_bytes,
		              one_bytes * PANEL_GRAIN, "%ld columns", (long)plan.choice.width);
		panel_plan_free(&plan);
	}
}

/*
 * A choice must have the same sizes when tried and when written: bounding it a second time changes
 * nothing.
 */
Test(panel_search, choices_are_bounded_once)
{
	for (int64_t size = 1; size < 700; size += 23)
		for (int64_t wish = 1; wish < 800; wish += 37) {
			const struct panel_problem problem =
				panel_call(FAMILY_GEMM, size, size, size);
			const struct panel_choice choice = {wish % 2 == 0 ? PANEL_ORDER_BLOCKS
			                                                  : PANEL_ORDER_RINGS,
			                                    wish,
			                                    wish,
			                                    wish / 2,
			                                    wish,
			                                    wish,
			                                    wish,
			                                    wish / 3};
			const struct panel_choice once =
				panel_plan_cut_choice(&problem.blas, &choice);
			const struct panel_choice twice =
				panel_plan_cut_choice(&problem.blas, &once);
			cr_expect(once.group == twice.group && once.width == twice.width &&
			          once.slice == twice.slice && once.last == twice.last &&
			          once.tail == twice.tail && once.finish == twice.finish &&
			          once.across == twice.across);
			cr_expect(once.group >= 1 && once.group <= size &&
			          (once.group >= wish || once.group == size));
			cr_expect(once.group - wish < PANEL_GRAIN, "no more than a grain is added");
		}
}

/* Whole blocks and enough slices: the formula is exact, with buffers for all of them. */
Test(panel_search, blocks_are_counted_without_a_plan)
{
	static const int64_t sizes[][3] = {{1024, 1024, 1024}, {512, 1024, 1280}, {1024, 512, 768}};
	static const uint64_t memory[] = {1 << 30, 2300000, 2700000, 2200000};
	for (int i = 0; i < 12; i++) {
		const int64_t *size = sizes[i % 3];
		const struct panel_problem problem =
			panel_call(FAMILY_GEMM, size[0], size[1], size[2]);
		const struct panel_choice choice = {.order = PANEL_ORDER_BLOCKS,
		                                    .group = 256,
		                                    .width = 256,
		                                    .last = 256,
		                                    .slice = i / 3 == 1 ? 128 : 256};
		struct panel_rates rates = h200;
		struct gemm_blocks_count count;
		struct panel_plan plan;
		rates.memory_bytes = memory[i / 3];
		cr_assert(panel_gemm_count_blocks(&problem, rates.memory_bytes, &choice, &count));
		cr_assert(panels_plan_as(&problem, &rates, &choice, &plan));
		cr_expect_eq((double)plan.load_bytes, 8 * count.load_elements, "%ld %.0f",
		             (long)plan.load_bytes / 8, count.load_elements);
		cr_expect_eq((double)plan.kind_count[PANEL_LOAD], count.loads);
		cr_expect_eq((double)plan.kind_count[PANEL_STORE], count.blocks * count.pieces);
		panel_plan_free(&plan);
		cr_expect_not(panel_gemm_count_blocks(&problem, 1 << 20, &choice, &count));
	}
}

/*
 * Little memory for large calls: the plan is short enough for the host to carry out beside the
 * device, and its blocks are so large that little more goes up than the lower bound of Irony,
 * Toledo and Tiskin.
 */
Test(panel_search, long_plans_stay_short)
{
	static const enum family families[] = {FAMILY_GEMM, FAMILY_SYRK, FAMILY_GEMMT, FAMILY_SYMM,
	                                       FAMILY_TRSM};
	for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
		for (uint64_t bytes = UINT64_C(64) << 20; bytes <= UINT64_C(256) << 20;
		     bytes *= 2) {
			const struct panel_problem problem =
				panel_call(families[i], 20000, 20000, 20000);
			struct panel_rates rates = h200;
			struct panel_plan plan;
			rates.memory_bytes = bytes;
			cr_assert(panels_plan(&problem, &rates, &plan));
			cr_expect_leq(plan.count, 100000, "family %d in %lu: %u", families[i],
			              (unsigned long)bytes, plan.count);
			if (families[i] == FAMILY_GEMM) {
				const double elements = (double)bytes / 8, least = 2 * 8e12;
				cr_expect_leq((double)plan.load_bytes / 8 *
				                      (double)plan.load_bytes / 8 * elements,
				              2 * least * least);
			}
			panel_plan_free(&plan);
		}
}

Test(panel_search, too_little_memory_is_refused)
{
	const struct panel_problem problem = panel_call(FAMILY_GEMM, 40000, 40000, 40000);
	struct panel_rates rates = h200;
	struct panel_plan plan;
	rates.memory_bytes = 4 << 20;
	cr_expect_not(panels_plan(&problem, &rates, &plan));
	cr_expect_eq(plan.arena_bytes, 0);
}

/*
 * A part of a product, narrower than it is high: of the few widths that its panels may have some
 * fill whole waves, and the device is never half idle.
 */
Test(panel_search, narrow_products_fill_waves)
{
	static const int64_t sizes[][2] = {{2000, 1100}, {2000, 1500}, {4000, 2200}, {4000, 3000}};
	const struct panel_rates cards[] = {
		{24.5e9, 25e9, 0.92, 17.5e12, 8000, 8000, 128, 108, 4 << 20, UINT64_C(1) << 36},
		{12.3e9, 12.9e9, 0.92, 6.3e12, 8000, 8000, 128, 80, 4 << 20, UINT64_C(1) << 36},
		{55.3e9, 53e9, 0.92, 55e12, 8000, 8000, 128, 132, 4 << 20, UINT64_C(1) << 36},
	};
	for (int i = 0; i < 12; i++) {
		const struct panel_rates *card = &cards[i / 4];
		const double n = (double)sizes[i % 4][0], m = (double)sizes[i % 4][1];
		const struct panel_problem problem =
			panel_call(FAMILY_GEMM, sizes[i % 4][1], sizes[i % 4][0], sizes[i % 4][0]);
		struct panel_plan plan;
		cr_assert(panels_plan(&problem, card, &plan));
		const double up_ns = 8 * n * (n + m) / card->up_bytes_s * 1e9,
			     work_ns = 2 * n * n * m / card->work_flops_s * 1e9,
			     least_ns = up_ns > work_ns ? up_ns : work_ns;
		cr_expect_lt(plan.time_ns, 1.6 * least_ns, "card %d, %g x %g: %g of %g us", i / 4,
		             m, n, plan.time_ns / 1e3, least_ns / 1e3);
		panel_plan_free(&plan);
	}
}
