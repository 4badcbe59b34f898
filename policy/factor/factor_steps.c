/* factor_steps.c - the steps of a factorization on two links and a device */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/factor/factor_steps.h"

#include <stdlib.h>
#include <string.h>

enum {
	FACTOR_FIRST_ROOM = 256,
	/* More are some 200 MB of the host's memory, and no plan of a matrix worth its time. */
	FACTOR_MOST_STEPS = 1 << 20,
	/* Bytes that the device's memory moves for an element of a row: a sector. */
	FACTOR_SECTOR_BYTES = 32
};

static const double factor_ns_per_second = 1e9;

static double factor_steps_size(struct factor_span span)
{
	return (double)span.count;
}

/* -- time ------------------------------------------------------------------------------------- */

/* Multiplications and additions. Source: LAPACK Working Note 41, leading terms. */
static double factor_steps_count_flops(enum factor_form form, const struct factor_work *work)
{
	const double rows = factor_steps_size(work->z.row),
		     columns = factor_steps_size(work->z.column);
	const double inner = factor_steps_size(work->x_turned ? work->x.row : work->x.column);
	switch (work->operation) {
	case FACTOR_PANEL:
		return form == FACTOR_LU
		               ? rows * columns * columns - columns * columns * columns / 3
		               : columns * columns * columns / 3;
	case FACTOR_SOLVE_RIGHT: return columns * columns * rows;
	case FACTOR_SOLVE:
	case FACTOR_SOLVE_BACK: return rows * rows * columns;
	case FACTOR_UPDATE: return 2 * rows * columns * inner;
	case FACTOR_TRIANGLE: return rows * (rows + 1) * inner;
	default: return 0;
	}
}

/* A row lies scattered in memory: both rows of an exchange are read and written by sectors. */
static double factor_steps_count_swapped_bytes(const struct factor_steps *steps,
                                               const struct factor_work *work)
{
	const double size = (double)element_size_bytes(steps->problem->element);
	const double moved = size > FACTOR_SECTOR_BYTES ? size : FACTOR_SECTOR_BYTES;
	return 4 * factor_steps_size(work->pivots) * factor_steps_size(work->z.column) * moved;
}

/* A product with few columns or rows inside is bound by the memory of its result. */
static double factor_steps_find_product_ns(const struct factor_steps *steps,
                                           const struct factor_work *work)
{
	const double part = work->operation == FACTOR_UPDATE     ? 1
	                    : work->operation == FACTOR_TRIANGLE ? 0.5
	                                                         : 0;
	return 2 * part * factor_steps_size(work->z.row) * factor_steps_size(work->z.column) *
	       (double)element_size_bytes(steps->problem->element) / steps->rates->memory_bytes_s *
	       factor_ns_per_second;
}

static double factor_steps_find_work_ns(const struct factor_steps *steps,
                                        const struct factor_work *work)
{
	const struct factor_rates *rates = steps->rates;
	const double each = element_is_complex(steps->problem->element) ? 4 : 1;
	const double flops = each * factor_steps_count_flops(steps->problem->form, work);
	const double flops_ns = flops / rates->work_flops_s * factor_ns_per_second,
		     memory_ns = factor_steps_find_product_ns(steps, work);
	double time_ns = rates->operation_ns + (flops_ns > memory_ns ? flops_ns : memory_ns);
	if (work->operation == FACTOR_PANEL)
		time_ns += rates->panel_ns + factor_steps_size(work->z.column) * rates->column_ns;
	if (work->operation == FACTOR_SOLVE_BACK)
		time_ns += factor_steps_size(work->x.row) * rates->row_ns;
	if (work->operation == FACTOR_SWAP)
		time_ns += factor_steps_count_swapped_bytes(steps, work) / rates->memory_bytes_s *
		           factor_ns_per_second;
	return time_ns;
}

/* -- steps ------------------------------------------------------------------------------------ */

/* Notes when the next step of this kind ends. */
static void factor_steps_note_end(struct factor_steps *steps, enum factor_kind kind, double end_ns)
{
	const uint32_t number = steps->plan->kind_count[kind];
	uint32_t *room = &steps->times_room[kind];
	steps->end_ns[kind] = end_ns;
	if (number == *room) {
		const uint32_t more = *room == 0 ? FACTOR_FIRST_ROOM : 2 * *room;
		double *grown = realloc(steps->times_ns[kind], more * sizeof *grown);
		steps->failed = steps->failed || grown == NULL;
		if (grown == NULL)
			return;
		steps->times_ns[kind] = grown;
		*room = more;
	}
	steps->times_ns[kind][number] = end_ns;
}

static double factor_steps_find_begin(const struct factor_steps *steps, enum factor_kind kind,
                                      const uint32_t *after)
{
	double begin_ns = steps->end_ns[kind];
	for (int other = 0; other < FACTOR_KINDS; other++) {
		if (after[other] == 0)
			continue;
		const double end_ns = steps->times_ns[other][after[other] - 1];
		begin_ns = begin_ns > end_ns ? begin_ns : end_ns;
	}
	return begin_ns;
}

/*
 * Both links are slower while both are busy. LU of a matrix on the device stores at the end; else
 * most stores of LU, which are fewer, are made while something is loaded, but not most loads while
 * something is stored.
 */
static double factor_steps_find_copy_ns(const struct factor_steps *steps, enum factor_kind kind,
                                        const uint32_t *after, uint64_t bytes)
{
	const struct factor_rates *rates = steps->rates;
	const bool loads = kind == FACTOR_LOAD, lu = steps->problem->form == FACTOR_LU;
	const double begin_ns = factor_steps_find_begin(steps, kind, after);
	const bool both =
		lu ? steps->problem->room > 0 && (!loads || steps->end_ns[FACTOR_STORE] > begin_ns)
		   : true;
	const bool follows = begin_ns > 0 && begin_ns <= steps->end_ns[kind];
	return (follows ? rates->copy_ns : rates->operation_ns) +
	       (double)bytes /
	               ((loads ? rates->up_bytes_s : rates->down_bytes_s) *
	                (both ? rates->duplex : 1)) *
	               factor_ns_per_second;
}

/* Counts the step, which takes so long; NULL if it is not kept. */
static struct factor_step *factor_steps_add(struct factor_steps *steps, enum factor_kind kind,
                                            const uint32_t *after, double time_ns)
{
	struct factor_plan *plan = steps->plan;
	steps->failed = steps->failed || plan->count == FACTOR_MOST_STEPS;
	if (steps->failed)
		return NULL;
	factor_steps_note_end(steps, kind, factor_steps_find_begin(steps, kind, after) + time_ns);
	if (steps->keeps && plan->count == steps->room) {
		const uint32_t room = steps->room == 0 ? FACTOR_FIRST_ROOM : 2 * steps->room;
		struct factor_step *grown = realloc(plan->steps, room * sizeof *grown);
		steps->failed = steps->failed || grown == NULL;
		if (grown == NULL)
			return NULL;
		plan->steps = grown;
		steps->room = room;
	}
	if (steps->failed)
		return NULL;
	plan->kind_count[kind]++;
	const uint32_t number = plan->count++;
	if (!steps->keeps)
		return NULL;
	plan->steps[number] = (struct factor_step){.kind = kind};
	memcpy(plan->steps[number].after, after, sizeof plan->steps[number].after);
	return &plan->steps[number];
}

static bool factor_steps_block_is_empty(const struct factor_block *block)
{
	return block->row.count <= 0 || block->column.count <= 0;
}

static uint64_t factor_steps_count(const struct factor_block *block)
{
	return (uint64_t)block->row.count * (uint64_t)block->column.count;
}

/* A block without a place lies where it does in the whole matrix. */
static struct factor_block factor_steps_place(const struct factor_steps *steps,
                                              struct factor_block block)
{
	const int64_t m = steps->problem->m;
	if (block.ld == 0) {
		block.ld = m;
		block.place = (uint64_t)(block.row.begin + block.column.begin * m);
	}
	return block;
}

void factor_steps_load(struct factor_steps *steps, const struct factor_block *block,
                       const uint32_t *after, bool kept)
{
	const uint64_t count = factor_steps_count(block),
		       bytes = count * element_size_bytes(steps->problem->element);
	struct factor_step *step = factor_steps_add(
		steps, FACTOR_LOAD, after,
		steps->failed ? 0 : factor_steps_find_copy_ns(steps, FACTOR_LOAD, after, bytes));
	steps->plan->load_bytes += bytes;
	if (step != NULL) {
		step->copy.block = factor_steps_place(steps, *block);
		step->copy.kept = kept ? steps->kept : FACTOR_NOT_KEPT;
	}
	steps->kept += kept ? count : 0;
}

static int64_t factor_steps_count_pieces(int64_t size, int64_t width)
{
	return (size + width - 1) / width;
}

static struct factor_span factor_steps_take_piece(int64_t piece, int64_t width, int64_t size)
{
	const int64_t begin = piece * width;
	return (struct factor_span){begin, size - begin < width ? size - begin : width};
}

/* The rows of these columns of A that the form has: those of a triangle, and its diagonal block. */
static struct factor_span factor_steps_find_rows(const struct factor_problem *problem,
                                                 struct factor_span column)
{
	switch (problem->form) {
	case FACTOR_LOWER: return (struct factor_span){column.begin, problem->m - column.begin};
	case FACTOR_UPPER: return (struct factor_span){0, column.begin + column.count};
	default: return (struct factor_span){0, problem->m};
	}
}

struct factor_steps factor_steps_begin(const struct factor_problem *problem,
                                       const struct factor_rates *rates, int64_t width, bool keeps,
                                       struct factor_plan *plan)
{
	*plan = (struct factor_plan){.width = width};
	return (struct factor_steps){
		.problem = problem, .rates = rates, .plan = plan, .width = width, .keeps = keeps};
}

void factor_steps_load_all(struct factor_steps *steps)
{
	static const uint32_t none[FACTOR_KINDS];
	const struct factor_problem *problem = steps->problem;
	const int64_t width = steps->width, of_a = factor_steps_count_pieces(problem->n, width),
		      of_b = factor_steps_count_pieces(problem->right, width);
	for (int64_t piece = 0; piece < of_a; piece++) {
		const struct factor_span column = factor_steps_take_piece(piece, width, problem->n);
		const struct factor_span row = factor_steps_find_rows(problem, column);
		factor_steps_load(steps, &(struct factor_block){false, row, column, 0, 0}, none,
		                  true);
	}
	for (int64_t piece = 0; piece < of_b; piece++) {
		const struct factor_span column =
			factor_steps_take_piece(piece, width, problem->right);
		const struct factor_block block = {true, {0, problem->m}, column, 0, 0};
		factor_steps_load(steps, &block, none, true);
	}
}

bool factor_steps_end(struct factor_steps *steps)
{
	struct factor_plan *plan = steps->plan;
	for (int kind = 0; kind < FACTOR_KINDS; kind++) {
		free(steps->times_ns[kind]);
		if (steps->end_ns[kind] > plan->time_ns)
			plan->time_ns = steps->end_ns[kind];
	}
	if (steps->failed)
		factor_plan_free(plan);
	return !steps->failed;
}

/* The number of loads after which the columns before `columns` are on the device. */
static uint32_t factor_steps_count_loads(const struct factor_steps *steps, int64_t columns)
{
	const int64_t n = steps->problem->n, width = steps->width;
	if (columns <= n)
		return (uint32_t)factor_steps_count_pieces(columns, width);
	return (uint32_t)(factor_steps_count_pieces(n, width) +
	                  factor_steps_count_pieces(columns - n, width));
}

int64_t factor_steps_find_loaded(const struct factor_steps *steps, int64_t least)
{
	const struct factor_problem *problem = steps->problem;
	int64_t loaded = least;
	while (!steps->failed && loaded < problem->n + problem->right) {
		const int64_t end = loaded < problem->n ? problem->n : problem->n + problem->right;
		const int64_t more = end - loaded < steps->width ? end : loaded + steps->width;
		if (steps->times_ns[FACTOR_LOAD][factor_steps_count_loads(steps, more) - 1] >
		    steps->end_ns[FACTOR_WORK])
			break;
		loaded = more;
	}
	return loaded;
}

void factor_steps_work_after(struct factor_steps *steps, const struct factor_work *work,
                             uint32_t loads)
{
	const uint32_t after[FACTOR_KINDS] = {[FACTOR_LOAD] = loads};
	if (factor_steps_block_is_empty(&work->z))
		return;
	struct factor_step *step =
		factor_steps_add(steps, FACTOR_WORK, after, factor_steps_find_work_ns(steps, work));
	steps->loads = steps->loads > loads ? steps->loads : loads;
	if (step == NULL)
		return;
	step->work = *work;
	step->work.x = factor_steps_place(steps, work->x);
	step->work.y = factor_steps_place(steps, work->y);
	step->work.z = factor_steps_place(steps, work->z);
}

void factor_steps_work(struct factor_steps *steps, const struct factor_work *work, int64_t loaded)
{
	factor_steps_work_after(steps, work, factor_steps_count_loads(steps, loaded));
}

void factor_steps_store(struct factor_steps *steps, const struct factor_block *block)
{
	const uint32_t after[FACTOR_KINDS] = {
		[FACTOR_LOAD] = steps->loads, [FACTOR_WORK] = steps->plan->kind_count[FACTOR_WORK]};
	const uint64_t bytes =
		factor_steps_count(block) * element_size_bytes(steps->problem->element);
	if (factor_steps_block_is_empty(block))
		return;
	struct factor_step *step = factor_steps_add(
		steps, FACTOR_STORE, after,
		steps->failed ? 0 : factor_steps_find_copy_ns(steps, FACTOR_STORE, after, bytes));
	steps->plan->store_bytes += bytes;
	if (step == NULL)
		return;
	step->copy.block = factor_steps_place(steps, *block);
	step->copy.kept = FACTOR_NOT_KEPT;
}
