/* factor.c - which kernels a factorization takes, and in which order */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Panels of columns are factored one after the other, and each is applied to all columns that are
 * up to date (right-looking). Columns that the link delivers meanwhile catch up with all panels so
 * far at once (left-looking), so that work begins with the first panel that arrives. A row of LU is
 * final once the panel of its column is applied to all columns: rows are stored from then on.
 * factor_slabs.c and factor_tall.c plan what is larger than the device's memory.
 */
#include "policy/factor/factor.h"

#include "policy/factor/factor_right.h"
#include "policy/factor/factor_slabs.h"
#include "policy/factor/factor_tall.h"

/* Rows of LU are stored at least so many at a time, except the last: runs of a few KiB. */
enum { FACTOR_STORED_ROWS = 512 };

static const double factor_ns_per_second = 1e9;

static struct factor_span factor_span_to(int64_t begin, int64_t end)
{
	return (struct factor_span){begin, end - begin};
}

static int64_t factor_span_end(struct factor_span span)
{
	return span.begin + span.count;
}

static struct factor_block factor_block_of_a(struct factor_span row, struct factor_span column)
{
	return (struct factor_block){.row = row, .column = column};
}

/* Columns of B. */
static struct factor_block factor_block_of_b(const struct factor_steps *steps,
                                             struct factor_span column)
{
	return (struct factor_block){.of_b = true, .row = {0, steps->problem->m}, .column = column};
}

/* -- the panels `done` applied to further columns --------------------------------------------- */

/* z of rows behind `done`, less the product of the factor beside it and of y. */
static void factor_apply_below(struct factor_steps *steps, struct factor_span done,
                               const struct factor_block *y, int64_t row_end, int64_t loaded)
{
	const bool upper = steps->problem->form == FACTOR_UPPER;
	const struct factor_span below = factor_span_to(factor_span_end(done), row_end);
	factor_steps_work(steps,
	                  &(struct factor_work){
				  .operation = FACTOR_UPDATE,
				  .x_turned = upper,
				  .x = upper ? factor_block_of_a(done, below)
	                                     : factor_block_of_a(below, done),
				  .y = *y,
				  .z = {.of_b = y->of_b, .row = below, .column = y->column},
			  },
	                  loaded);
}

/* LU and UPPER: rows `done` of the columns are solved for, and rows behind them reduced. */
static void factor_apply_rows(struct factor_steps *steps, struct factor_span done,
                              struct factor_block columns, int64_t row_end, int64_t loaded)
{
	const struct factor_block solved = {
		.of_b = columns.of_b, .row = done, .column = columns.column};
	if (steps->problem->form == FACTOR_LU)
		factor_steps_work(steps,
		                  &(struct factor_work){
					  .operation = FACTOR_SWAP, .pivots = done, .z = columns},
		                  loaded);
	factor_steps_work(steps,
	                  &(struct factor_work){.operation = FACTOR_SOLVE,
	                                        .x = factor_block_of_a(done, done),
	                                        .z = solved},
	                  loaded);
	factor_apply_below(steps, done, &solved, row_end, loaded);
}

/* The form's triangle of the square of these columns and their rows. */
static void factor_apply_triangle(struct factor_steps *steps, struct factor_span done,
                                  struct factor_span column, int64_t loaded)
{
	const bool upper = steps->problem->form == FACTOR_UPPER;
	factor_steps_work(steps,
	                  &(struct factor_work){
				  .operation = FACTOR_TRIANGLE,
				  .x_turned = upper,
				  .x = upper ? factor_block_of_a(done, column)
	                                     : factor_block_of_a(column, done),
				  .z = factor_block_of_a(column, column),
			  },
	                  loaded);
}

/* LOWER: the columns from their diagonal down. */
static void factor_apply_lower(struct factor_steps *steps, struct factor_span done,
                               struct factor_span column, int64_t loaded)
{
	const struct factor_span below = factor_span_to(factor_span_end(column), steps->problem->m);
	factor_apply_triangle(steps, done, column, loaded);
	factor_steps_work(steps,
	                  &(struct factor_work){.operation = FACTOR_UPDATE,
	                                        .y_turned = true,
	                                        .x = factor_block_of_a(below, done),
	                                        .y = factor_block_of_a(column, done),
	                                        .z = factor_block_of_a(below, column)},
	                  loaded);
}

static void factor_apply_to_a(struct factor_steps *steps, struct factor_span done,
                              struct factor_span column, int64_t loaded)
{
	const struct factor_span rows = {0, steps->problem->m};
	const struct factor_block columns = factor_block_of_a(rows, column);
	if (done.count <= 0 || column.count <= 0)
		return;
	switch (steps->problem->form) {
	case FACTOR_LU: factor_apply_rows(steps, done, columns, steps->problem->m, loaded); break;
	case FACTOR_UPPER:
		factor_apply_rows(steps, done, columns, column.begin, loaded);
		factor_apply_triangle(steps, done, column, loaded);
		break;
	case FACTOR_LOWER: factor_apply_lower(steps, done, column, loaded); break;
	}
}

/* Applies the panels `done` to columns of A and B, counted over both. */
static void factor_apply(struct factor_steps *steps, struct factor_span done,
                         struct factor_span columns, int64_t loaded)
{
	const int64_t n = steps->problem->n, end = factor_span_end(columns);
	const int64_t a_end = end < n ? end : n, b_begin = columns.begin > n ? columns.begin : n;
	factor_apply_to_a(steps, done, factor_span_to(columns.begin, a_end), loaded);
	if (end > n && done.count > 0) {
		const struct factor_block columns_of_b =
			factor_block_of_b(steps, factor_span_to(b_begin - n, end - n));
		factor_apply_rows(steps, done, columns_of_b, steps->problem->m, loaded);
	}
}

/* -- panels ----------------------------------------------------------------------------------- */

static void factor_make_panel(struct factor_steps *steps, struct factor_span panel)
{
	const struct factor_problem *problem = steps->problem;
	const int64_t end = factor_span_end(panel);
	const bool lu = problem->form == FACTOR_LU;
	const struct factor_span height = lu ? factor_span_to(panel.begin, problem->m) : panel;
	factor_steps_work(steps,
	                  &(struct factor_work){.operation = FACTOR_PANEL,
	                                        .z = factor_block_of_a(height, panel)},
	                  end);
	if (lu)
		factor_steps_work(steps,
		                  &(struct factor_work){.operation = FACTOR_SWAP,
		                                        .pivots = panel,
		                                        .z = factor_block_of_a(
								(struct factor_span){0, problem->m},
								factor_span_to(0, panel.begin))},
		                  end);
	if (problem->form == FACTOR_LOWER)
		factor_steps_work(
			steps,
			&(struct factor_work){
				.operation = FACTOR_SOLVE_RIGHT,
				.x = factor_block_of_a(panel, panel),
				.z = factor_block_of_a(factor_span_to(end, problem->m), panel)},
			end);
}

/* -- stores ----------------------------------------------------------------------------------- */

/* Rows of LU that are final; of the last ones those behind them too. */
static void factor_store_rows(struct factor_steps *steps, int64_t *stored, int64_t end, bool last)
{
	const struct factor_problem *problem = steps->problem;
	if (!last && end - *stored < FACTOR_STORED_ROWS)
		return;
	const struct factor_block rows = factor_block_of_a(
		factor_span_to(*stored, last ? problem->m : end), factor_span_to(0, problem->n));
	factor_steps_store(steps, &rows);
	*stored = end;
}

/* Columns of Cholesky's factor are final with their panel. */
static void factor_store_panel(struct factor_steps *steps, struct factor_span panel)
{
	const bool upper = steps->problem->form == FACTOR_UPPER;
	const struct factor_span rows = upper ? factor_span_to(0, factor_span_end(panel))
	                                      : factor_span_to(panel.begin, steps->problem->m);
	const struct factor_block block = factor_block_of_a(rows, panel);
	factor_steps_store(steps, &block);
}

/*
 * X = the right-hand sides, of which the first factor is solved for, by the second one: all at
 * once, because rows wait for each other.
 */
static void factor_solve_back(struct factor_steps *steps)
{
	const struct factor_problem *problem = steps->problem;
	const struct factor_span all = {0, problem->n};
	factor_steps_work(
		steps,
		&(struct factor_work){
			.operation = FACTOR_SOLVE_BACK,
			.x = factor_block_of_a(all, all),
			.z = factor_block_of_b(steps, (struct factor_span){0, problem->right})},
		problem->n + problem->right);
	factor_right_store(steps);
}

/* -- plans ------------------------------------------------------------------------------------ */

/* ready: columns to which all panels before the next one are applied. */
static void factor_write_panels(struct factor_steps *steps, int64_t *ready, int64_t *stored)
{
	const struct factor_problem *problem = steps->problem;
	const int64_t size = problem->m < problem->n ? problem->m : problem->n;
	struct factor_span panel;
	for (int64_t begin = 0; begin < size && !steps->failed; begin = factor_span_end(panel)) {
		const int64_t left = size - begin;
		panel = (struct factor_span){begin, left < steps->width ? left : steps->width};
		const int64_t end = factor_span_end(panel);
		if (*ready < end) {
			const int64_t loaded = factor_steps_find_loaded(steps, end);
			factor_apply(steps, factor_span_to(0, begin),
			             factor_span_to(*ready, loaded), loaded);
			*ready = loaded;
		}
		factor_make_panel(steps, panel);
		if (problem->form != FACTOR_LU)
			factor_store_panel(steps, panel);
		factor_apply(steps, panel, factor_span_to(end, *ready), *ready);
		const int64_t loaded = factor_steps_find_loaded(steps, *ready);
		factor_apply(steps, factor_span_to(0, end), factor_span_to(*ready, loaded), loaded);
		*ready = loaded;
		if (problem->form == FACTOR_LU && loaded >= problem->n)
			factor_store_rows(steps, stored, end, false);
	}
}

static bool factor_write(const struct factor_problem *problem, const struct factor_rates *rates,
                         int64_t width, bool keeps, struct factor_plan *plan)
{
	const int64_t size = problem->m < problem->n ? problem->m : problem->n;
	const int64_t columns = problem->n + problem->right;
	int64_t ready = 0, stored = 0;
	struct factor_steps steps = factor_steps_begin(problem, rates, width, keeps, plan);
	if (problem->room > 0) {
		if (problem->form == FACTOR_LU)
			factor_tall_write(&steps);
		else
			factor_slabs_write(&steps);
		factor_right_write(&steps);
		return factor_steps_end(&steps);
	}
	factor_steps_load_all(&steps);
	factor_write_panels(&steps, &ready, &stored);
	factor_apply(&steps, factor_span_to(0, size), factor_span_to(ready, columns), columns);
	if (problem->form == FACTOR_LU)
		factor_store_rows(&steps, &stored, size, true);
	factor_solve_back(&steps);
	return factor_steps_end(&steps);
}

double factor_count_again(const struct factor_problem *problem)
{
	if (problem->room == 0)
		return 0;
	return factor_right_count_again(problem) + (problem->form == FACTOR_LU
	                                                    ? factor_tall_count_again(problem)
	                                                    : factor_slabs_count_again(problem));
}

uint64_t factor_find_most_room(const struct factor_problem *problem, int64_t width)
{
	return problem->form == FACTOR_LU ? factor_tall_find_most_room(problem, width)
	                                  : factor_slabs_find_most_room(problem, width);
}

bool factor_fits(const struct factor_problem *problem, int64_t width)
{
	if (problem->room == 0)
		return true;
	return problem->form == FACTOR_LU ? factor_tall_fit(problem, width)
	                                  : factor_slabs_fit(problem, width);
}

/* The widths that are tried: from one that a device's processors just fill. */
static const int64_t factor_widths[] = {64, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048};

enum { FACTOR_WIDTHS = sizeof factor_widths / sizeof *factor_widths };

/* Finds the width of the least time; 0 without memory. */
static int64_t factor_find_width(const struct factor_problem *problem,
                                 const struct factor_rates *rates, double *time_ns)
{
	int64_t best = 0;
	for (int i = 0; i < FACTOR_WIDTHS; i++) {
		struct factor_plan plan;
		if (!factor_fits(problem, factor_widths[i]))
			continue;
		if (!factor_write(problem, rates, factor_widths[i], false, &plan))
			continue;
		if (best == 0 || plan.time_ns < *time_ns) {
			best = factor_widths[i];
			*time_ns = plan.time_ns;
		}
	}
	return best;
}

bool factor_make_wide(const struct factor_problem *problem, const struct factor_rates *rates,
                      int64_t width, struct factor_plan *plan)
{
	return factor_write(problem, rates, width, true, plan);
}

bool factor_make(const struct factor_problem *problem, const struct factor_rates *rates,
                 struct factor_plan *plan)
{
	double time_ns;
	const int64_t width = factor_find_width(problem, rates, &time_ns);
	*plan = (struct factor_plan){.width = 0};
	return width > 0 && factor_make_wide(problem, rates, width, plan);
}

double factor_estimate_wide(const struct factor_problem *problem, const struct factor_rates *rates,
                            int64_t width)
{
	struct factor_plan plan;
	factor_write(problem, rates, width, false, &plan);
	return plan.time_ns;
}

/* The plan of one panel on links that take no time, and then what crosses them. */
double factor_estimate_whole(const struct factor_problem *problem, const struct factor_rates *rates)
{
	struct factor_rates work = *rates;
	struct factor_plan plan;
	work.up_bytes_s = work.down_bytes_s = __DBL_MAX__;
	factor_write(problem, &work, problem->m > problem->n ? problem->m : problem->n, false,
	             &plan);
	return plan.time_ns + ((double)plan.load_bytes / rates->up_bytes_s +
	                       (double)plan.store_bytes / rates->down_bytes_s) *
	                              factor_ns_per_second;
}

double factor_estimate(const struct factor_problem *problem, const struct factor_rates *rates)
{
	double time_ns = 0;
	factor_find_width(problem, rates, &time_ns);
	return time_ns;
}
