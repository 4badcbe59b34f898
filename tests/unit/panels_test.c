/* panels_test.c - plans of matrix products: right results, bytes moved, memory, time */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "panel_call.h"
#include "panel_run.h"
#include "policy/plan/panel_time.h"

static uint64_t random_state = 7;

static int64_t draw(int64_t below)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (int64_t)((random_state >> 33) % (uint64_t)below);
}

static uint64_t bytes_of(const struct panel_problem *problem, enum operand operand)
{
	struct matrix matrix;
	cr_assert(operand_find(problem->family, &problem->blas, operand, &matrix));
	return operand_size_bytes(&matrix, problem->element);
}

static void check_right(const struct panel_problem *problem, const struct panel_plan *plan)
{
	const struct panel_choice *choice = &plan->choice;
	char why[PANEL_RUN_WHY_BYTES] = "";
	cr_assert(panel_run_check(problem, plan, (uint64_t)draw(1 << 30), why),
	          "%ld x %ld x %ld, transposed %d %d, %s of group %ld width %ld last %ld slice "
	          "%ld tail %ld across %ld: %s",
	          (long)problem->blas.m, (long)problem->blas.n, (long)problem->blas.k,
	          problem->blas.transa, problem->blas.transb, panel_plan_name_order(choice->order),
	          (long)choice->group, (long)choice->width, (long)choice->last, (long)choice->slice,
	          (long)choice->tail, (long)choice->across, why);
}

static struct panel_choice draw_choice(enum panel_order order)
{
	return (struct panel_choice){order,
	                             1 + draw(500),
	                             128,
	                             draw(2) * 128,
	                             128 + draw(200),
	                             draw(2) * (1 + draw(300)),
	                             draw(2) * (1 + draw(300)),
	                             draw(2) * (1 + draw(500))};
}

/* Several panels, slices and rings each, with remainders: each operand moves once. */
static void check_order(enum panel_order order, enum transpose transa, enum transpose transb)
{
	struct panel_problem problem =
		panel_call(FAMILY_GEMM, 260 + draw(130), 260 + draw(130), 260 + draw(130));
	struct panel_plan plan;
	problem.element = (enum element)draw(4);
	problem.blas.transa = transa;
	problem.blas.transb = transb;
	problem.blas.beta[0] = (double)draw(3);
	const struct panel_choice choice = draw_choice(order);
	cr_assert(panels_plan_as(&problem, &h200, &choice, &plan));
	cr_expect_eq(plan.load_bytes,
	             bytes_of(&problem, OPERAND_A) + bytes_of(&problem, OPERAND_B));
	cr_expect_eq(plan.store_bytes, bytes_of(&problem, OPERAND_C));
	check_right(&problem, &plan);
	panel_plan_free(&plan);
}

Test(panels, each_operand_moves_once)
{
	static const enum panel_order orders[] = {PANEL_ORDER_COLUMNS, PANEL_ORDER_ROWS,
	                                          PANEL_ORDER_RINGS};
	for (int i = 0; i < 3; i++)
		for (int transa = TRANSPOSE_N; transa <= TRANSPOSE_C; transa++)
			for (int transb = TRANSPOSE_N; transb <= TRANSPOSE_C; transb++)
				check_order(orders[i], (enum transpose)transa,
				            (enum transpose)transb);
}

/*
 * 2 x 2 blocks, five slices of 128 and one of 60, buffers for three. Each block needs its rows of A
 * and columns of B; the steps aside, from the last slices back in either row, keep 128, 128 and 60
 * of A's; the step down, from the first slices on again, keeps 3 x 128 of the narrower columns of
 * B.
 */
/* The first group's columns of B come beside the slices of A; the others are there when A is. */
static void check_same(enum transpose transa, enum transpose transb, int64_t slice)
{
	struct panel_problem problem = panel_call(FAMILY_GEMM, 500, 500, 500);
	const bool columns = transa == TRANSPOSE_N,
		   shared = columns || transb != TRANSPOSE_N || slice >= 500;
	const struct panel_choice choice = {columns ? PANEL_ORDER_COLUMNS : PANEL_ORDER_ROWS,
	                                    256,
	                                    128,
	                                    128,
	                                    slice,
	                                    128,
	                                    128,
	                                    0};
	struct panel_plan plan;
	problem.element = (enum element)draw(4);
	problem.blas.transa = transa;
	problem.blas.transb = transb;
	problem.same = true;
	cr_assert(panels_plan_as(&problem, &h200, &choice, &plan));
	const uint64_t all = bytes_of(&problem, OPERAND_A),
		       group = slice < 500 ? all * 256 / 500 : 0;
	cr_expect_eq(plan.load_bytes, shared ? all + group : 2 * all, "%lu bytes of %lu, slice %ld",
	             (unsigned long)plan.load_bytes, (unsigned long)all, (long)slice);
	check_right(&problem, &plan);
	panel_plan_free(&plan);
}

static void check_held(enum panel_order order, unsigned held)
{
	struct panel_problem problem =
		panel_call(FAMILY_GEMM, 260 + draw(130), 260 + draw(130), 260 + draw(130));
	const struct panel_choice choice = draw_choice(order);
	struct panel_rates rates = h200;
	struct panel_plan plan, whole;
	problem.element = (enum element)draw(4);
	problem.blas.transa = (enum transpose)draw(3);
	problem.blas.transb = (enum transpose)draw(3);
	cr_assert(panels_plan_as(&problem, &rates, &choice, &whole));
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
		problem.held[name] = (held >> name & 1) != 0;
	if (draw(2) == 0)
		rates.memory_bytes = whole.arena_bytes;
	cr_assert(panels_plan_as(&problem, &rates, &choice, &plan));
	uint64_t bytes = order == PANEL_ORDER_BLOCKS ? plan.load_bytes : 0;
	for (int name = OPERAND_A; name < OPERAND_C && order != PANEL_ORDER_BLOCKS; name++)
		bytes += problem.held[name] ? 0 : bytes_of(&problem, (enum operand)name);
	cr_expect_eq(plan.load_bytes, bytes);
	cr_expect(plan.arena_bytes < whole.arena_bytes, "no room for what is held");
	check_right(&problem, &plan);
	panel_plan_free(&plan);
	panel_plan_free(&whole);
}

Test(panels, held_operands_are_not_loaded)
{
	static const enum panel_order orders[] = {PANEL_ORDER_COLUMNS, PANEL_ORDER_ROWS,
	                                          PANEL_ORDER_RINGS, PANEL_ORDER_BLOCKS};
	for (int i = 0; i < 4; i++)
		for (unsigned held = 1; held < 1u << OPERAND_COUNT; held++)
			for (int turn = 0; turn < 3; turn++)
				check_held(orders[i], held);
}

Test(panels, a_call_whose_input_is_held_is_as_short_as_its_other_parts)
{
	struct panel_problem problem = panel_call(FAMILY_GEMM, 4000, 4000, 4000);
	struct panel_plan plan;
	problem.held[OPERAND_A] = problem.held[OPERAND_B] = true;
	cr_assert(panels_plan(&problem, &h200, &plan));
	/* Nothing comes back before the first wave of tiles is done. */
	const double down_ns = (double)plan.store_bytes / h200.down_bytes_s * 1e9,
		     wave_ns = 2 * 4000.0 * 128 * 128 * h200.units / h200.work_flops_s * 1e9;
	cr_expect_eq(plan.load_bytes, 0);
	cr_expect_lt(plan.time_ns, 1.05 * (down_ns + wave_ns), "%.0f of %.0f us",
	             plan.time_ns / 1e3, (down_ns + wave_ns) / 1e3);
	cr_expect_lt(panels_estimate(&problem, &h200), 1.15 * plan.time_ns);
	panel_plan_free(&plan);
}

Test(panels, an_operand_that_is_its_own_partner_moves_once)
{
	for (int transa = TRANSPOSE_N; transa <= TRANSPOSE_C; transa++)
		for (int transb = TRANSPOSE_N; transb <= TRANSPOSE_C; transb++) {
			check_same((enum transpose)transa, (enum transpose)transb, 128);
			check_same((enum transpose)transa, (enum transpose)transb, 500);
		}
}

Test(panels, a_square_of_a_matrix_takes_less_than_a_product)
{
	for (int64_t n = 1000; n <= 4000; n *= 2) {
		struct panel_problem problem = panel_call(FAMILY_GEMM, n, n, n);
		struct panel_plan two, one;
		cr_assert(panels_plan(&problem, &h200, &two));
		problem.same = true;
		cr_assert(panels_plan(&problem, &h200, &one));
		cr_expect_lt(one.time_ns, 0.95 * two.time_ns, "%ld: %.0f and %.0f us", (long)n,
		             one.time_ns / 1e3, two.time_ns / 1e3);
		panel_plan_free(&two);
		panel_plan_free(&one);
	}
}

/* Each operation costs more than cutting saves. */
Test(panels, short_calls_stay_whole)
{
	static const enum family families[] = {FAMILY_GEMM, FAMILY_GEMMT, FAMILY_SYMM,
	                                       FAMILY_SYRK, FAMILY_TRMM,  FAMILY_TRSM};
	for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
		struct panel_problem problem = panel_call(FAMILY_GEMM, 700, 700, 700);
		struct panel_rates rates = h200;
		struct panel_plan plan;
		problem.family = families[i];
		rates.operation_ns = rates.copy_ns = 1e6;
		cr_assert(panels_plan(&problem, &rates, &plan));
		cr_expect_leq(plan.count, 5, "family %d: %u steps", families[i], plan.count);
		panel_plan_free(&plan);
	}
}

Test(panels, blocks_move_what_the_formula_says)
{
	const struct panel_problem problem = panel_call(FAMILY_GEMM, 500, 420, 700);
	const struct panel_choice choice = {PANEL_ORDER_BLOCKS, 256, 256, 0, 128, 0, 0, 0};
	struct panel_plan plan;
	cr_assert(panels_plan_as(&problem, &h200, &choice, &plan));
	const uint64_t all = 700 * (2 * 500 + 2 * 420), aside = (256 + 244) * (128 + 128 + 60);
	const uint64_t down = (420 - 256) * 3 * 128;
	cr_expect_eq(plan.load_bytes, 8 * (all - aside - down), "%lu",
	             (unsigned long)(plan.load_bytes / 8));
	cr_expect_eq(plan.store_bytes, 8 * 500 * 420);
	check_right(&problem, &plan);
	panel_plan_free(&plan);
}

/*
 * One slice: a row of blocks keeps its rows of A; a step down keeps the last blocks of B that fit.
 */
Test(panels, row_panels_move_what_the_formula_says)
{
	const struct panel_problem problem = panel_call(FAMILY_GEMM, 500, 640, 200);
	const struct panel_choice choice = {PANEL_ORDER_BLOCKS, 128, 128, 0, 200, 0, 0, 0};
	struct panel_plan plan;
	cr_assert(panels_plan_as(&problem, &h200, &choice, &plan));
	cr_expect_eq(plan.load_bytes, 8 * 200 * (500 + 4 * 640 - 3 * 3 * 128), "%lu",
	             (unsigned long)(plan.load_bytes / 8 / 200));
	check_right(&problem, &plan);
	panel_plan_free(&plan);
}

/* Memory from all that is needed down to almost none: a right plan that keeps to it; then none. */
Test(panels, fit_the_memory)
{
	struct panel_rates rates = h200;
	bool planned = true;
	int plans = 0;
	for (rates.memory_bytes = 8 << 20; rates.memory_bytes >= 1024;
	     rates.memory_bytes = rates.memory_bytes * 2 / 3) {
		struct panel_problem problem =
			panel_call(FAMILY_GEMM, 400 + draw(99), 400 + draw(99), 400 + draw(99));
		struct panel_plan plan;
		problem.blas.transa = (enum transpose)draw(3);
		problem.blas.transb = (enum transpose)draw(3);
		const bool now = panels_plan(&problem, &rates, &plan);
		cr_expect(planned || !now, "less memory, and yet a plan: %lu",
		          (unsigned long)rates.memory_bytes);
		planned = now;
		plans += now;
		cr_expect_leq(plan.arena_bytes, rates.memory_bytes);
		if (!now)
			continue;
		cr_expect_eq(plan.store_bytes, bytes_of(&problem, OPERAND_C));
		check_right(&problem, &plan);
		panel_plan_free(&plan);
	}
	cr_expect_gt(plans, 5);
	cr_expect_not(planned, "in 1 KiB there is no room");
}

/*
 * Little time is lost beside the slower of links and device, by the model; more where both have to
 * wait.
 */
Test(panels, keep_links_and_device_busy)
{
	static const struct {
		int64_t m, n, k;
		double most;
	} cases[] = {
		{2000, 2000, 2000, 1.29},    {4000, 4000, 4000, 1.18},
		{8000, 8000, 8000, 1.33},    {10000, 10000, 10000, 1.17},
		{20000, 20000, 20000, 1.08}, {40000, 40000, 40000, 1.05},
		{200000, 2000, 2000, 1.04},  {2000, 200000, 2000, 1.04},
		{20000, 20000, 512, 1.04},   {2000, 2000, 200000, 1.04},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct panel_problem problem =
			panel_call(FAMILY_GEMM, cases[i].m, cases[i].n, cases[i].k);
		const double m = (double)cases[i].m, n = (double)cases[i].n, k = (double)cases[i].k;
		const double up_ns = 8 * k * (m + n) / 55.3 / 0.92, down_ns = 8 * m * n / 53 / 0.92;
		const double work_ns = 2 * m * n * k / 55e3,
			     link_ns = up_ns > down_ns ? up_ns : down_ns;
		struct panel_plan plan;
		cr_assert(panels_plan(&problem, &h200, &plan));
		const double ratio = plan.time_ns / (link_ns > work_ns ? link_ns : work_ns);
		cr_expect_leq(ratio, cases[i].most, "%g x %g x %g: %.3f", m, n, k, ratio);
		cr_expect_eq(plan.time_ns, panel_time_find(&problem, &h200, &plan));
		cr_expect_lt(plan.count, 500, "%u steps", plan.count);
		panel_plan_free(&plan);
	}
}

Test(panels, refuse_what_is_not_planned)
{
	const struct panel_choice rows = {PANEL_ORDER_ROWS, 1, 1, 1, 1, 1, 1, 0};
	const struct panel_problem update = {.family = FAMILY_SYRK,
	                                     .element = ELEMENT_D,
	                                     .blas = {.m = 9, .n = 9, .k = 9, .alpha = {1}}};
	struct panel_plan plan;
	cr_expect(panels_takes(FAMILY_GEMM) && panels_takes(FAMILY_GEMM3M));
	cr_expect_not(panels_takes(FAMILY_GEMM_BATCH) || panels_takes(FAMILY_FFT_C2C));
	cr_expect_not(panels_plan_as(&update, &h200, &rows, &plan));
	cr_expect_eq(plan.arena_bytes, 0);
	cr_expect_str_eq(panel_plan_name_order(PANEL_ORDER_COLUMNS), "columns");
	cr_expect_str_eq(panel_plan_name_order(PANEL_ORDER_BLOCKS), "blocks");
}
