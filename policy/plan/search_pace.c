/* search_pace.c - the time of a product in strips by a recurrence, without writing the plan */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/plan/search_pace.h"

#include "policy/plan/gemm_strips.h"
#include "policy/plan/panel_gemm.h"

/*
 * RAMP: slices of k beside those of full size, at the beginning and the end of k. SHORT: less is a
 * short k.
 */
enum { PACE_RAMP = 4, PACE_SHORT = 1024 };

/*
 * When each engine is done with all strips so far. all_ns: about the end of all loads. wave_ns: a
 * wave of all of k. slices: parts of k in which a strip comes; first, last: the shares of two of
 * them; kernels: parts in which a strip is computed.
 */
struct pace {
	const struct panel_search *search;
	struct gemm_waves waves;
	int64_t k;
	double size, wave_ns, slices, kernels, first, last;
	double up_ns, work_ns, down_ns, all_ns;
	double last_elements; /* of the newest strip */
};

static double search_pace_larger(double a, double b)
{
	return a > b ? a : b;
}

static double search_pace_copy(const struct pace *pace, double elements, double rate)
{
	const struct panel_rates *rates = pace->search->rates;
	const double bytes = elements * pace->size, copy_bytes = (double)rates->copy_bytes;
	const double whole = copy_bytes > 0 ? (double)(int64_t)((bytes - 1) / copy_bytes) : 0;
	return elements > 0 ? bytes / rate * 1e9 + (whole + 1) * rates->copy_ns : 0;
}

/* Both links slow each other down while both are busy. */
static void search_pace_load(struct pace *pace, double elements)
{
	const struct panel_rates *rates = pace->search->rates;
	const double time_ns = search_pace_copy(pace, elements, rates->up_bytes_s);
	pace->up_ns += pace->down_ns > pace->up_ns ? time_ns / rates->duplex : time_ns;
}

static void search_pace_store(struct pace *pace, double from_ns, double elements)
{
	const struct panel_rates *rates = pace->search->rates;
	const double rested_ns = from_ns > pace->down_ns ? rates->operation_ns - rates->copy_ns : 0;
	const double time_ns = search_pace_copy(pace, elements, rates->down_bytes_s) + rested_ns,
		     begin_ns = search_pace_larger(from_ns, pace->down_ns);
	pace->down_ns = begin_ns + (begin_ns < pace->all_ns ? time_ns / rates->duplex : time_ns);
}

/*
 * The last slice's part of k for the first rectangle. Of a short k it is found exactly, since it
 * varies most there.
 */
static double search_pace_find_last(const struct pace *pace, int64_t slice)
{
	const struct panel_cut cut = panel_gemm_cut_k(pace->k, slice);
	struct panel_span part = {0, slice / 2};
	if (slice >= pace->k)
		return 1;
	if (pace->k < PACE_SHORT)
		for (part.count = 0; panel_builder_next(&cut, &part);)
			continue;
	return (double)part.count / (double)pace->k;
}

/* The pieces of columns in which the last slice completes the first rectangle. */
struct pace_pieces {
	double count, one_ns, elements;
};

static struct pace_pieces search_pace_divide(const struct pace *pace,
                                             const struct panel_choice *choice, int64_t rows,
                                             int64_t columns, bool by_rows)
{
	const int64_t across = by_rows ? rows : columns;
	const int64_t width = choice->width < across ? choice->width : across;
	const double waves = gemm_strips_count_waves(&pace->waves, by_rows ? width : rows,
	                                             by_rows ? columns : width),
		     last = search_pace_find_last(pace, choice->slice);
	const int64_t count = (across - 1) / width + 1;
	return (struct pace_pieces){.count = (double)count,
	                            .one_ns = waves * pace->wave_ns * last +
	                                      pace->search->rates->operation_ns,
	                            .elements = (double)width * (double)(by_rows ? columns : rows)};
}

/*
 * The first rectangle comes in slices of k; its pieces, of rows or columns, are stored one by one.
 */
static void search_pace_begin(struct pace *pace, const struct panel_choice *choice, int64_t rows,
                              int64_t columns, bool by_rows)
{
	const double operation_ns = pace->search->rates->operation_ns,
		     copy_ns = pace->search->rates->copy_ns, k = (double)pace->k;
	const bool *held = pace->search->problem->held;
	const bool sliced = choice->slice < pace->k;
	const double slices = sliced ? k / (double)choice->slice + PACE_RAMP : 1,
		     before = 1 - search_pace_find_last(pace, choice->slice);
	const double work_ns =
		gemm_strips_count_waves(&pace->waves, rows, columns) * pace->wave_ns * before;
	const struct pace_pieces pieces = search_pace_divide(pace, choice, rows, columns, by_rows);
	search_pace_load(pace, held[OPERAND_A] ? 0 : (double)rows * k);
	search_pace_load(pace, held[OPERAND_B] ? 0 : (double)columns * k);
	pace->up_ns += operation_ns + (slices - 2) * copy_ns;
	const double first_ns = sliced ? pace->up_ns / slices / 2 : pace->up_ns;
	const double done_ns =
		search_pace_larger(pace->up_ns, first_ns + work_ns + (slices - 1) * operation_ns);
	pace->work_ns = done_ns + pieces.count * pieces.one_ns;
	pace->last_elements = pieces.elements;
	search_pace_store(pace, done_ns + pieces.one_ns, (double)rows * (double)columns);
	const double end_ns = pace->work_ns + search_pace_copy(pace, pieces.elements,
	                                                       pace->search->rates->down_bytes_s);
	pace->down_ns = search_pace_larger(pace->down_ns, end_ns);
}

/* A strip: elements to load, and what it is computed of. */
static void search_pace_add(struct pace *pace, double elements, int64_t rows, int64_t columns)
{
	const double operation_ns = pace->search->rates->operation_ns,
		     copy_ns = pace->search->rates->copy_ns;
	const double work_ns = gemm_strips_count_waves(&pace->waves, rows, columns) * pace->wave_ns;
	const double before_ns = pace->up_ns, all_ns = work_ns + pace->kernels * operation_ns;
	search_pace_load(pace, elements);
	pace->up_ns += elements > 0 ? (pace->slices - 1) / 2 * copy_ns : 0;
	const double first_ns = before_ns + (pace->up_ns - before_ns) * pace->first;
	pace->work_ns = search_pace_larger(pace->up_ns + work_ns * pace->last + operation_ns,
	                                   search_pace_larger(first_ns, pace->work_ns) + all_ns);
	pace->last_elements = (double)rows * (double)columns;
	search_pace_store(pace, pace->work_ns, pace->last_elements);
}

/* The next strips come in slices of so much of k. */
static void search_pace_slice(struct pace *pace, int64_t slice)
{
	const bool whole = slice >= pace->k;
	const int64_t full = whole ? 0 : pace->k / slice;
	pace->slices = (double)full + 1;
	pace->first = whole ? 1 : (double)slice / (double)pace->k;
	pace->last = whole ? 1 : pace->first / 2;
	pace->kernels = pace->slices;
}

static struct pace search_pace_start(const struct panel_search *search,
                                     const struct panel_choice *choice)
{
	const struct panel_problem *problem = search->problem;
	const struct panel_rates *rates = search->rates;
	const struct blas_call one = {.m = 1, .n = 1, .k = problem->blas.k};
	struct pace pace = {.search = search,
	                    .waves = {rates->tile, rates->units},
	                    .k = problem->blas.k,
	                    .size = (double)element_size_bytes(problem->element),
	                    .all_ns = search->up_a_ns + search->up_b_ns};
	const bool waves = rates->tile > 0 && rates->units > 0;
	pace.wave_ns = operand_count_flops(problem->family, problem->element, &one) /
	               rates->work_flops_s * 1e9 *
	               (waves ? (double)rates->tile * rates->tile * rates->units : 1);
	search_pace_slice(&pace, choice->tail);
	return pace;
}

/* Where k is not the column index of the factor that stays, each of its slices has a kernel. */
static void search_pace_divide_panel(struct pace *pace, const struct panel_choice *choice,
                                     int64_t slice)
{
	const struct blas_call *blas = &pace->search->problem->blas;
	const bool apart = choice->order == PANEL_ORDER_COLUMNS ? blas->transa != TRANSPOSE_N
	                                                        : blas->transb == TRANSPOSE_N;
	search_pace_slice(pace, slice);
	if (choice->order == PANEL_ORDER_RINGS || !apart || choice->slice >= pace->k)
		return;
	const int64_t slices = pace->k / choice->slice + PACE_RAMP;
	pace->kernels = (double)slices;
	if (slice < pace->k) {
		pace->slices = pace->kernels;
		pace->first = pace->last = (double)choice->slice / 2 / (double)pace->k;
	}
}

/*
 * The last strip. Where the device is behind the link, more kernels only take longer; else they end
 * soon after the last slice.
 */
static void search_pace_finish(struct pace *pace, struct panel_choice *choice, double elements,
                               int64_t rows, int64_t columns)
{
	struct pace whole = *pace;
	search_pace_add(pace, elements, rows, columns);
	choice->finish = choice->tail;
	if (choice->tail == pace->k)
		return;
	search_pace_divide_panel(&whole, choice, whole.k);
	search_pace_add(&whole, elements, rows, columns);
	if (whole.down_ns >= pace->down_ns)
		return;
	choice->finish = pace->k;
	*pace = whole;
}

static int search_pace_go_by_rings(struct pace *pace, struct panel_choice *choice)
{
	const bool *held = pace->search->problem->held;
	const double k = (double)pace->k;
	struct gemm_strips strips =
		gemm_strips_start(&pace->search->problem->blas, &pace->waves, choice);
	bool by_rows;
	int count = 1;
	search_pace_begin(pace, choice, strips.row.span.count, strips.column.span.count, false);
	for (; gemm_strips_next(&strips, &by_rows); count++) {
		const int64_t rows = by_rows ? strips.row.span.count
		                             : gemm_strips_find_end(&strips.row),
			      columns = by_rows ? gemm_strips_find_end(&strips.column)
		                                : strips.column.span.count;
		const bool loaded = !held[by_rows ? OPERAND_A : OPERAND_B];
		const double elements = loaded ? k * (double)(by_rows ? rows : columns) : 0;
		if (gemm_strips_is_done(&strips))
			search_pace_finish(pace, choice, elements, rows, columns);
		else
			search_pace_add(pace, elements, rows, columns);
	}
	return count;
}

static int search_pace_go_by_panels(struct pace *pace, struct panel_choice *choice)
{
	const struct panel_problem *problem = pace->search->problem;
	const struct blas_call *blas = &problem->blas;
	const bool by_columns = choice->order == PANEL_ORDER_COLUMNS;
	const int64_t size = by_columns ? blas->n : blas->m, other = by_columns ? blas->m : blas->n;
	const bool loaded = !problem->held[by_columns ? OPERAND_B : OPERAND_A] && !problem->same;
	const struct panel_cut cut = {size, choice->group, choice->width, choice->last, false};
	struct panel_span own = {0, 0};
	int count = 1;
	search_pace_divide_panel(pace, choice, choice->tail);
	panel_builder_next(&cut, &own);
	search_pace_begin(pace, choice, by_columns ? other : own.count,
	                  by_columns ? own.count : other, !by_columns);
	for (; panel_builder_next(&cut, &own); count++) {
		const int64_t rows = by_columns ? other : own.count,
			      columns = by_columns ? own.count : other;
		const double elements = loaded ? (double)pace->k * (double)own.count : 0;
		if (own.begin + own.count == size)
			search_pace_finish(pace, choice, elements, rows, columns);
		else
			search_pace_add(pace, elements, rows, columns);
	}
	return count;
}

double search_pace_find(const struct panel_search *search, struct panel_choice *choice, int *strips)
{
	struct pace pace = search_pace_start(search, choice);
	*strips = choice->order == PANEL_ORDER_RINGS ? search_pace_go_by_rings(&pace, choice)
	                                             : search_pace_go_by_panels(&pace, choice);
	return panel_search_rank(search->problem, pace.down_ns, pace.last_elements);
}
