/* factor_test.c - plans of factorizations: right in any order, and near their bound */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "policy/factor/factor.h"
#include "tests/driver/fewer.h"
#include "tests/unit/factor_run.h"

/* An H200 on PCI Express 5. The latency of a column is that of LU, or of Cholesky. */
static const struct factor_rates h200 = {.up_bytes_s = 44e9,
                                         .down_bytes_s = 42e9,
                                         .duplex = 0.9,
                                         .work_flops_s = 55e12,
                                         .memory_bytes_s = 3.9e12,
                                         .operation_ns = 5000,
                                         .copy_ns = 5000,
                                         .column_ns = 2200};

static struct factor_rates rates_of(enum factor_form form)
{
	struct factor_rates rates = h200;
	if (form != FACTOR_LU)
		rates.column_ns = 1000;
	return rates;
}

/* Links of this many bytes per second decide how many columns a panel finds on the device. */
static void check(const struct factor_problem *problem, int64_t width, double link_bytes_s)
{
	struct factor_rates rates = rates_of(problem->form);
	struct factor_plan plan;
	rates.up_bytes_s = rates.down_bytes_s = link_bytes_s;
	cr_assert(factor_make_wide(problem, &rates, width, &plan));
	for (unsigned seed = 0; seed < 6; seed++) {
		static unsigned long turn;
		if (!fewer_runs(turn++))
			continue;
		const char *wrong = factor_run_check(problem, &plan, seed);
		cr_assert(wrong == NULL, "form %d, %ld x %ld, %ld of B, width %ld, seed %u: %s",
		          (int)problem->form, (long)problem->m, (long)problem->n,
		          (long)problem->right, (long)width, seed, wrong);
	}
	factor_plan_free(&plan);
}

static void check_links(const struct factor_problem *problem, int64_t width)
{
	static const double links[] = {1e12, 2e8, 3e7, 1e6};
	for (int i = 0; i < 4; i++)
		check(problem, width, links[i]);
}

Test(factor, every_order_of_the_steps_is_right)
{
	static const int64_t sizes[] = {1, 2, 7, 16, 33, 40}, widths[] = {1, 5, 8, 16, 64};
	for (int form = FACTOR_LU; form <= FACTOR_UPPER; form++)
		for (int size = 0; size < 6; size++)
			for (int width = 0; width < 5; width++)
				for (int64_t right = 0; right <= 13; right += 13)
					check_links(&(struct factor_problem){(enum factor_form)form,
					                                     ELEMENT_Z, sizes[size],
					                                     sizes[size], right, 0},
					            widths[width]);
}

Test(factor, rectangles_of_lu)
{
	static const int64_t sizes[][2] = {{1, 30},  {30, 1},  {40, 17},
	                                   {17, 40}, {33, 32}, {32, 33}};
	for (int i = 0; i < 6; i++)
		for (int64_t width = 4; width <= 16; width += 6)
			check_links(&(struct factor_problem){FACTOR_LU, ELEMENT_Z, sizes[i][0],
			                                     sizes[i][1], 0, 0},
			            width);
}

/* Rows of LU leave in several stores only beyond 512 of them. */
Test(factor, many_rows)
{
	check(&(struct factor_problem){FACTOR_LU, ELEMENT_D, 600, 530, 0, 0}, 100, 1e12);
}

/* Rooms from the least one up to one that holds the triangle; square matrices with B, too. */
static void check_rooms(struct factor_problem *problem, int64_t width)
{
	while (!factor_fits(problem, width))
		problem->room++;
	for (int step = 0; step < 4; step++, problem->room += problem->room / 2)
		for (problem->right = 0; problem->right <= 13; problem->right += 13)
			if (problem->right == 0 || problem->m == problem->n)
				check_links(problem, width);
}

Test(factor, slabs_of_cholesky_in_any_order)
{
	static const int64_t sizes[] = {1, 7, 16, 33, 40}, widths[] = {1, 5, 8, 16};
	for (int form = FACTOR_LOWER; form <= FACTOR_UPPER; form++)
		for (int i = 0; i < 20; i++) {
			struct factor_problem problem = {
				(enum factor_form)form, ELEMENT_Z, sizes[i / 4],
				sizes[i / 4],           0,         1};
			check_rooms(&problem, widths[i % 4]);
		}
}

Test(factor, slabs_of_lu_in_any_order)
{
	static const int64_t sizes[][2] = {{1, 1},   {7, 7},   {16, 16}, {33, 33}, {40, 17},
	                                   {17, 40}, {33, 32}, {8, 40},  {40, 8},  {16, 30}};
	static const int64_t widths[] = {1, 5, 8, 16};
	for (int i = 0; i < 40; i++) {
		struct factor_problem problem = {FACTOR_LU,       ELEMENT_Z, sizes[i / 4][0],
		                                 sizes[i / 4][1], 0,         1};
		check_rooms(&problem, widths[i % 4]);
	}
}

/* What crosses the link, what is computed, and the columns one after the other, each alone. */
static double bound_ns(const struct factor_problem *problem, const struct factor_rates *rates)
{
	const double n = (double)problem->n, part = problem->form == FACTOR_LU ? 1 : 0.5;
	const double bytes = 8 * n * n * part;
	const double up = bytes / rates->up_bytes_s, down = bytes / rates->down_bytes_s;
	const double link =
		problem->form == FACTOR_LU ? up + down : (up > down ? up : down) / rates->duplex;
	const double chip =
		part * 2 / 3 * n * n * n / rates->work_flops_s + n * rates->column_ns / 1e9;
	return (link > chip ? link : chip) * 1e9;
}

Test(factor, near_the_bound_of_link_and_chip)
{
	for (int form = FACTOR_LU; form <= FACTOR_UPPER; form++)
		for (int64_t n = 2000; n <= 40000; n += 2000) {
			const struct factor_problem problem = {
				(enum factor_form)form, ELEMENT_D, n, n, 0, 0};
			const struct factor_rates rates = rates_of(problem.form);
			const double bound = bound_ns(&problem, &rates);
			const double time_ns = factor_estimate(&problem, &rates);
			cr_expect(time_ns < 1.3 * bound && time_ns >= bound,
			          "form %d, n = %ld: %.2f of the bound", form, (long)n,
			          time_ns / bound);
		}
}

static uint64_t count_loaded(const struct factor_plan *plan)
{
	uint64_t place = 0;
	for (uint32_t i = 0; i < plan->kind_count[FACTOR_LOAD]; i++) {
		const struct factor_block *block = &plan->steps[i].copy.block;
		cr_expect_eq(plan->steps[i].copy.kept, place);
		place += (uint64_t)(block->row.count * block->column.count);
	}
	return place;
}

/* Cholesky moves half of LU, in blocks of width x width on the diagonal. */
Test(factor, bytes)
{
	static const int64_t widths[] = {100, 96, 1000, 3000};
	static const uint64_t halves[] = {550000, 546880, 1000000, 1000000};
	struct factor_plan plan;
	for (int form = FACTOR_LU; form <= FACTOR_UPPER; form++)
		for (int i = 0; i < 4; i++) {
			const struct factor_problem problem = {
				(enum factor_form)form, ELEMENT_Z, 1000, 1000, 10, 0};
			const struct factor_rates rates = rates_of(problem.form);
			const uint64_t of_a = form == FACTOR_LU ? 1000000 : halves[i];
			cr_assert(factor_make_wide(&problem, &rates, widths[i], &plan));
			cr_expect_eq(count_loaded(&plan), of_a + 10000);
			cr_expect_eq(plan.load_bytes, 16 * (of_a + 10000));
			cr_expect_eq(plan.store_bytes, 16 * (of_a + 10000));
			factor_plan_free(&plan);
		}
}
