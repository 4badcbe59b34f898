/* factor_tall.c - LU in slabs of tall panels, to which the factor so far is streamed */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A panel is some columns of full height. As many as the room holds are a slab: their rows are
 * exchanged by all pivots so far, the columns of L to the left come back from the host in chunks,
 * each is applied to all panels, and then these are factored. A panel is stored with the rows of L
 * in the order that they have then; later pivots exchange them again whenever they come back. With
 * the last slab the chunks are stored in the order that they have by then, so that in the end only
 * the rows of the last slab are loaded once more, exchanged by its pivots, and stored. Of n x n
 * elements, some n^4 / 3 by the room's are streamed.
 */
#include "policy/factor/factor_tall.h"

#include <stdlib.h>

/* A chunk takes one of so many parts of the room; one arrives while another is applied. */
enum { TALL_PARTS = 16, TALL_CHUNKS = 2 };

/* works: the kernels that have used the panel when it is applied to its slab. */
struct tall_panel {
	struct factor_span column;
	uint64_t begin;
	uint32_t works;
};

/* factored: panels of the columns that have pivots; size: these columns. */
struct tall {
	struct factor_steps *steps;
	struct tall_panel *panel;
	int64_t m, size, count, factored;
	uint64_t chunk_room, slab_room;
	uint32_t streamed; /* stores when the last chunk was streamed */
	uint32_t chunks, chunk_works[TALL_CHUNKS], chunk_stores[TALL_CHUNKS];
};

static int64_t factor_tall_end(struct factor_span span)
{
	return span.begin + span.count;
}

static uint32_t factor_tall_count(const struct tall *tall, enum factor_kind kind)
{
	return tall->steps->plan->kind_count[kind];
}

/* Rows of columns of full height that lie at begin. */
static struct factor_block factor_tall_cut(const struct tall *tall, uint64_t begin,
                                           struct factor_span row, struct factor_span column)
{
	return (struct factor_block){
		.row = row, .column = column, .place = begin + (uint64_t)row.begin, .ld = tall->m};
}

static struct factor_block factor_tall_rows(const struct tall *tall, const struct tall_panel *panel,
                                            struct factor_span row)
{
	return factor_tall_cut(tall, panel->begin, row, panel->column);
}

static struct factor_span factor_tall_from(const struct tall *tall, int64_t row)
{
	return (struct factor_span){row, tall->m - row};
}

/* -- kernels ----------------------------------------------------------------------------------- */

/* The rows of these columns of full height exchanged by pivots begin to end. */
static void factor_tall_swap(const struct tall *tall, uint64_t place, struct factor_span column,
                             int64_t begin, int64_t end, uint32_t loads)
{
	if (begin < end)
		factor_steps_work_after(
			tall->steps,
			&(struct factor_work){.operation = FACTOR_SWAP,
		                              .pivots = {begin, end - begin},
		                              .z = factor_tall_cut(tall, place,
		                                                   factor_tall_from(tall, 0),
		                                                   column)},
			loads);
}

/* Columns of L, `done`, that lie at begin, applied to the panel. */
static void factor_tall_apply(const struct tall *tall, uint64_t begin, struct factor_span done,
                              const struct tall_panel *panel, uint32_t loads)
{
	const struct factor_span below = factor_tall_from(tall, factor_tall_end(done));
	const struct factor_block solved = factor_tall_rows(tall, panel, done);
	factor_steps_work_after(tall->steps,
	                        &(struct factor_work){.operation = FACTOR_SOLVE,
	                                              .x = factor_tall_cut(tall, begin, done, done),
	                                              .z = solved},
	                        loads);
	factor_steps_work_after(
		tall->steps,
		&(struct factor_work){.operation = FACTOR_UPDATE,
	                              .x = factor_tall_cut(tall, begin, below, done),
	                              .y = solved,
	                              .z = factor_tall_rows(tall, panel, below)},
		loads);
}

static void factor_tall_factor(const struct tall *tall, const struct tall_panel *panel,
                               uint32_t loads)
{
	factor_steps_work_after(
		tall->steps,
		&(struct factor_work){
			.operation = FACTOR_PANEL,
			.z = factor_tall_rows(tall, panel,
	                                      factor_tall_from(tall, panel->column.begin))},
		loads);
}

static void factor_tall_store(const struct tall *tall, const struct tall_panel *panel)
{
	const struct factor_block block = factor_tall_rows(tall, panel, factor_tall_from(tall, 0));
	factor_steps_store(tall->steps, &block);
}

/* -- the chunks of L --------------------------------------------------------------------------- */

struct tall_chunk {
	uint32_t slot;
	uint64_t begin;
	struct factor_span column;
};

/* Loads columns of the factor, from this row down, when so many stores are complete. */
static struct tall_chunk factor_tall_load_chunk(struct tall *tall, struct factor_span column,
                                                int64_t row, uint32_t stores)
{
	const uint32_t slot = tall->chunks++ % TALL_CHUNKS;
	const struct tall_chunk chunk = {slot, tall->slab_room + slot * tall->chunk_room, column};
	const struct factor_block block =
		factor_tall_cut(tall, chunk.begin, factor_tall_from(tall, row), column);
	const uint32_t own = tall->chunk_stores[slot];
	const uint32_t after[FACTOR_KINDS] = {[FACTOR_WORK] = tall->chunk_works[slot],
	                                      [FACTOR_STORE] = own > stores ? own : stores};
	factor_steps_load(tall->steps, &block, after, false);
	return chunk;
}

/* Stores what was exchanged of it, rows `begin` and those behind, and gives its place free. */
static void factor_tall_end_chunk(struct tall *tall, const struct tall_chunk *chunk, int64_t begin,
                                  bool stores)
{
	const struct factor_block block =
		factor_tall_cut(tall, chunk->begin, factor_tall_from(tall, begin), chunk->column);
	if (stores)
		factor_steps_store(tall->steps, &block);
	tall->chunk_works[chunk->slot] = factor_tall_count(tall, FACTOR_WORK);
	tall->chunk_stores[chunk->slot] = stores ? factor_tall_count(tall, FACTOR_STORE) : 0;
}

static int64_t factor_tall_chunk_columns(const struct tall *tall)
{
	return (int64_t)(tall->chunk_room / (uint64_t)tall->m);
}

/* Panel `number` of the factor in even chunks, exchanged by the pivots before `done`. */
static void factor_tall_stream_panel(struct tall *tall, int64_t number, int64_t done, int64_t first,
                                     int64_t end)
{
	const struct factor_span whole = tall->panel[number].column;
	const int64_t most = factor_tall_chunk_columns(tall),
		      pieces = (whole.count + most - 1) / most, behind = factor_tall_end(whole);
	const bool last = end == tall->count && behind < done;
	for (int64_t piece = 0; piece < pieces; piece++) {
		const int64_t from = whole.begin + whole.count * piece / pieces,
			      to = whole.begin + whole.count * (piece + 1) / pieces;
		const struct tall_chunk chunk = factor_tall_load_chunk(
			tall, (struct factor_span){from, to - from}, from, (uint32_t)number + 1);
		const uint32_t loads = factor_tall_count(tall, FACTOR_LOAD);
		factor_tall_swap(tall, chunk.begin, chunk.column, behind, done, loads);
		for (int64_t i = first; i < end; i++)
			factor_tall_apply(tall, chunk.begin, chunk.column, &tall->panel[i], loads);
		factor_tall_end_chunk(tall, &chunk, behind, last);
	}
}

/* Rows of L behind `begin` once more, exchanged by the pivots from there on. */
static void factor_tall_exchange(struct tall *tall, int64_t begin)
{
	const int64_t most = factor_tall_chunk_columns(tall);
	for (int64_t from = 0; from < begin && begin < tall->size; from += most) {
		const struct factor_span column = {from, begin - from < most ? begin - from : most};
		const struct tall_chunk chunk =
			factor_tall_load_chunk(tall, column, begin, tall->streamed);
		factor_tall_swap(tall, chunk.begin, column, begin, tall->size,
		                 factor_tall_count(tall, FACTOR_LOAD));
		factor_tall_end_chunk(tall, &chunk, begin, true);
	}
}

/* -- slabs ------------------------------------------------------------------------------------- */

static uint64_t factor_tall_elements(const struct tall *tall, const struct tall_panel *panel)
{
	return (uint64_t)tall->m * (uint64_t)panel->column.count;
}

/* Takes the place of panels of the slab before, which are stored and were applied to it. */
static void factor_tall_load_panel(struct tall *tall, int64_t number, int64_t before, int64_t first)
{
	const struct tall_panel *panel = &tall->panel[number];
	const struct factor_block block = factor_tall_rows(tall, panel, factor_tall_from(tall, 0));
	int64_t free = before;
	while (free < first &&
	       tall->panel[free].begin < panel->begin + factor_tall_elements(tall, panel))
		free++;
	const uint32_t after[FACTOR_KINDS] = {[FACTOR_WORK] =
	                                              free > 0 ? tall->panel[free - 1].works : 0,
	                                      [FACTOR_STORE] = (uint32_t)free};
	factor_steps_load(tall->steps, &block, after, true);
}

/* Panels first to end, exchanged by the pivots before `done`. The slab before: from `before` on. */
static void factor_tall_load(struct tall *tall, int64_t before, int64_t first, int64_t end,
                             int64_t done)
{
	uint64_t begin = 0;
	for (int64_t i = first; i < end; i++) {
		tall->panel[i].begin = begin;
		begin += factor_tall_elements(tall, &tall->panel[i]);
	}
	for (int64_t i = first; i < end; i++)
		factor_tall_load_panel(tall, i, before, first);
	const uint32_t loads = factor_tall_count(tall, FACTOR_LOAD) - (uint32_t)(end - first);
	for (int64_t i = first; i < end; i++)
		factor_tall_swap(tall, tall->panel[i].begin, tall->panel[i].column, 0, done,
		                 loads + (uint32_t)(i - first + 1));
}

/* Applies panel `number`, which is factored, to panels of its slab. */
static void factor_tall_apply_panel(const struct tall *tall, int64_t number, int64_t first,
                                    int64_t end, uint32_t loads)
{
	const struct tall_panel *panel = &tall->panel[number];
	const int64_t behind = factor_tall_end(panel->column);
	for (int64_t i = first; i < end; i++) {
		const struct tall_panel *other = &tall->panel[i];
		if (i == number)
			continue;
		factor_tall_swap(tall, other->begin, other->column, panel->column.begin, behind,
		                 loads);
		if (i > number)
			factor_tall_apply(tall, panel->begin, panel->column, other, loads);
	}
}

/* Of the last slab panels are stored when their rows have the last order. */
static void factor_tall_factor_all(struct tall *tall, int64_t first, int64_t end, uint32_t loads)
{
	const bool last = end == tall->count;
	for (int64_t i = first; i < end; i++) {
		if (i < tall->factored) {
			factor_tall_factor(tall, &tall->panel[i], loads);
			if (!last)
				factor_tall_store(tall, &tall->panel[i]);
			factor_tall_apply_panel(tall, i, last ? first : i, end, loads);
		} else if (!last) {
			factor_tall_store(tall, &tall->panel[i]);
		}
		tall->panel[i].works = factor_tall_count(tall, FACTOR_WORK);
	}
	for (int64_t i = first; i < end && last; i++)
		factor_tall_store(tall, &tall->panel[i]);
}

static int64_t factor_tall_find_end(const struct tall *tall, int64_t first)
{
	uint64_t room = tall->slab_room;
	int64_t end = first;
	while (end < tall->count && factor_tall_elements(tall, &tall->panel[end]) <= room)
		room -= factor_tall_elements(tall, &tall->panel[end++]);
	return end;
}

static void factor_tall_write_all(struct tall *tall)
{
	int64_t before = 0, end, done = 0;
	for (int64_t first = 0; first < tall->count && !tall->steps->failed; first = end) {
		const int64_t begin = tall->panel[first].column.begin;
		end = factor_tall_find_end(tall, first);
		done = begin < tall->size ? begin : tall->size;
		factor_tall_load(tall, before, first, end, done);
		for (int64_t i = 0; i < first && i < tall->factored; i++)
			factor_tall_stream_panel(tall, i, done, first, end);
		tall->streamed = factor_tall_count(tall, FACTOR_STORE);
		factor_tall_factor_all(tall, first, end, factor_tall_count(tall, FACTOR_LOAD));
		before = first;
	}
	factor_tall_exchange(tall, done);
}

/* -- room -------------------------------------------------------------------------------------- */

static uint64_t factor_tall_chunk_room(const struct factor_problem *problem)
{
	return problem->room / TALL_PARTS;
}

static uint64_t factor_tall_slab_room(const struct factor_problem *problem)
{
	return problem->room - TALL_CHUNKS * factor_tall_chunk_room(problem);
}

bool factor_tall_fit(const struct factor_problem *problem, int64_t width)
{
	const uint64_t m = (uint64_t)problem->m;
	const int64_t columns = width < problem->n ? width : problem->n;
	return factor_tall_chunk_room(problem) >= m &&
	       factor_tall_slab_room(problem) / m >= (uint64_t)columns;
}

uint64_t factor_tall_find_most_room(const struct factor_problem *problem, int64_t width)
{
	const uint64_t m = (uint64_t)problem->m, n = (uint64_t)problem->n;
	(void)width;
	return (m * n / (TALL_PARTS - TALL_CHUNKS) + m + 1) * TALL_PARTS;
}

/* A slab has S / m columns; the one at column x loads x (m - x / 2) elements. */
double factor_tall_count_again(const struct factor_problem *problem)
{
	const double m = (double)problem->m, n = (double)problem->n, size = m < n ? m : n,
		     slab = (double)factor_tall_slab_room(problem);
	const double before = m * size * size / 2 - size * size * size / 6,
		     behind = (n - size) * (m * size - size * size / 2);
	return slab >= m * n ? 0 : (before + behind) * m / slab;
}

/* Columns with pivots, and those behind them, in panels of their own. */
static int64_t factor_tall_divide(struct tall *tall, int64_t n)
{
	int64_t count = 0, begin = 0;
	do {
		const int64_t end = begin < tall->size ? tall->size : n, left = end - begin,
			      width = tall->steps->width;
		const struct factor_span column = {begin, left < width ? left : width};
		if (tall->panel != NULL)
			tall->panel[count].column = column;
		count++;
		begin = factor_tall_end(column);
		tall->factored = begin == tall->size ? count : tall->factored;
	} while (begin < n);
	return count;
}

void factor_tall_write(struct factor_steps *steps)
{
	const struct factor_problem *problem = steps->problem;
	struct tall tall = {.steps = steps,
	                    .m = problem->m,
	                    .size = problem->m < problem->n ? problem->m : problem->n,
	                    .chunk_room = factor_tall_chunk_room(problem),
	                    .slab_room = factor_tall_slab_room(problem)};
	tall.count = factor_tall_divide(&tall, problem->n);
	tall.panel = calloc((size_t)tall.count, sizeof *tall.panel);
	if (tall.panel == NULL) {
		steps->failed = true;
		return;
	}
	factor_tall_divide(&tall, problem->n);
	factor_tall_write_all(&tall);
	free(tall.panel);
}
