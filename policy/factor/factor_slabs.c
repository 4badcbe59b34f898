/* factor_slabs.c - Cholesky in slabs of panels, to which the factor so far is streamed */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A panel of LOWER is some columns from their diagonal down; of UPPER it is as many rows from their
 * diagonal on. Both are computed alike, and the words here are those of LOWER. As many panels as
 * the room holds are a slab. The columns of L to the left of the slab come back from the host in
 * chunks, from the slab's first row down, and each is applied to all of its panels; then they are
 * factored. Slabs widen as panels shorten: of n^2 / 2 elements, some n^4 / 12 by the room's are
 * streamed. Panels of the next slab take the place of those that are stored, and its first chunks
 * arrive while the last panels are factored.
 */
#include "policy/factor/factor_slabs.h"

#include <stdlib.h>

/* A chunk takes one of so many parts of the room; one arrives while another is applied. */
enum { SLABS_PARTS = 12, SLABS_CHUNKS = 2 };

/* Memory of the device that holds these columns, from row along.begin on. */
struct slabs_area {
	uint64_t begin;
	struct factor_span narrow, along;
};

/* works: the kernels that have used the panel when it is applied to its slab. */
struct slabs_panel {
	struct slabs_area area;
	uint32_t works;
};

struct slabs {
	struct factor_steps *steps;
	struct slabs_panel *panel;
	int64_t n, count;
	uint64_t chunk_room, slab_room;
	uint32_t chunks, chunk_works[SLABS_CHUNKS];
};

static int64_t factor_slabs_end(struct factor_span span)
{
	return span.begin + span.count;
}

static uint64_t factor_slabs_elements(const struct slabs_area *area)
{
	return (uint64_t)area->narrow.count * (uint64_t)area->along.count;
}

/* -- blocks ------------------------------------------------------------------------------------ */

/* The part of an area: these columns and rows. */
static struct factor_block factor_slabs_cut(const struct slabs *slabs,
                                            const struct slabs_area *area,
                                            struct factor_span narrow, struct factor_span along)
{
	const bool upper = slabs->steps->problem->form == FACTOR_UPPER;
	const int64_t ld = upper ? area->narrow.count : area->along.count;
	const int64_t column = narrow.begin - area->narrow.begin,
		      row = along.begin - area->along.begin;
	return (struct factor_block){
		.row = upper ? narrow : along,
		.column = upper ? along : narrow,
		.place = area->begin + (uint64_t)(upper ? column + row * ld : row + column * ld),
		.ld = ld,
	};
}

static struct factor_block factor_slabs_whole(const struct slabs *slabs,
                                              const struct slabs_area *area)
{
	return factor_slabs_cut(slabs, area, area->narrow, area->along);
}

/* The rows behind the panel's square. */
static struct factor_span factor_slabs_below(const struct slabs *slabs,
                                             const struct slabs_panel *panel)
{
	const int64_t end = factor_slabs_end(panel->area.narrow);
	return (struct factor_span){end, slabs->n - end};
}

/* -- kernels ----------------------------------------------------------------------------------- */

/* The panel less the product of the area's columns, which are factored. */
static void factor_slabs_apply(const struct slabs *slabs, const struct slabs_area *done,
                               const struct slabs_panel *panel, uint32_t loads)
{
	const bool upper = slabs->steps->problem->form == FACTOR_UPPER;
	const struct factor_span square = panel->area.narrow,
				 below = factor_slabs_below(slabs, panel);
	const struct factor_block beside = factor_slabs_cut(slabs, done, done->narrow, square),
				  under = factor_slabs_cut(slabs, done, done->narrow, below);
	factor_steps_work_after(
		slabs->steps,
		&(struct factor_work){.operation = FACTOR_TRIANGLE,
	                              .x_turned = upper,
	                              .x = beside,
	                              .z = factor_slabs_cut(slabs, &panel->area, square, square)},
		loads);
	factor_steps_work_after(
		slabs->steps,
		&(struct factor_work){.operation = FACTOR_UPDATE,
	                              .x_turned = upper,
	                              .y_turned = !upper,
	                              .x = upper ? beside : under,
	                              .y = upper ? under : beside,
	                              .z = factor_slabs_cut(slabs, &panel->area, square, below)},
		loads);
}

/* Factors the panel and stores it. */
static void factor_slabs_factor(const struct slabs *slabs, const struct slabs_panel *panel,
                                uint32_t loads)
{
	const struct factor_span square = panel->area.narrow;
	const struct factor_block diagonal = factor_slabs_cut(slabs, &panel->area, square, square),
				  below = factor_slabs_cut(slabs, &panel->area, square,
	                                                   factor_slabs_below(slabs, panel)),
				  whole = factor_slabs_whole(slabs, &panel->area);
	factor_steps_work_after(
		slabs->steps,
		&(struct factor_work){.operation = FACTOR_PANEL, .x = diagonal, .z = diagonal},
		loads);
	factor_steps_work_after(
		slabs->steps,
		&(struct factor_work){.operation = slabs->steps->problem->form == FACTOR_UPPER
	                                                   ? FACTOR_SOLVE
	                                                   : FACTOR_SOLVE_RIGHT,
	                              .x = diagonal,
	                              .z = below},
		loads);
	factor_steps_store(slabs->steps, &whole);
}

/* -- copies ------------------------------------------------------------------------------------ */

static uint32_t factor_slabs_count(const struct slabs *slabs, enum factor_kind kind)
{
	return slabs->steps->plan->kind_count[kind];
}

/* Takes the place of panels of the slab before, which are stored and were applied to it. */
static void factor_slabs_load_panel(struct slabs *slabs, int64_t number, int64_t before,
                                    int64_t first)
{
	const struct slabs_area *area = &slabs->panel[number].area;
	int64_t free = before;
	while (free < first &&
	       slabs->panel[free].area.begin < area->begin + factor_slabs_elements(area))
		free++;
	const uint32_t after[FACTOR_KINDS] = {[FACTOR_WORK] =
	                                              free > 0 ? slabs->panel[free - 1].works : 0,
	                                      [FACTOR_STORE] = (uint32_t)free};
	const struct factor_block block = factor_slabs_whole(slabs, area);
	factor_steps_load(slabs->steps, &block, after, true);
}

/* Panels first to end; the slab before begins with panel `before`. */
static void factor_slabs_load(struct slabs *slabs, int64_t before, int64_t first, int64_t end)
{
	uint64_t begin = 0;
	for (int64_t number = first; number < end; number++) {
		slabs->panel[number].area.begin = begin;
		begin += factor_slabs_elements(&slabs->panel[number].area);
	}
	for (int64_t number = first; number < end; number++)
		factor_slabs_load_panel(slabs, number, before, first);
}

/* Streams a chunk of the factor, which the host has, and applies it to the slab. */
static void factor_slabs_stream(struct slabs *slabs, struct factor_span narrow, int64_t first,
                                int64_t end)
{
	const uint32_t place = slabs->chunks++ % SLABS_CHUNKS;
	const int64_t row = slabs->panel[first].area.narrow.begin, width = slabs->steps->width;
	const struct slabs_area area = {
		slabs->slab_room + place * slabs->chunk_room, narrow, {row, slabs->n - row}};
	const struct factor_block block = factor_slabs_whole(slabs, &area);
	const uint32_t after[FACTOR_KINDS] = {
		[FACTOR_WORK] = slabs->chunk_works[place],
		[FACTOR_STORE] = (uint32_t)((factor_slabs_end(narrow) + width - 1) / width)};
	factor_steps_load(slabs->steps, &block, after, false);
	for (int64_t number = first; number < end; number++)
		factor_slabs_apply(slabs, &area, &slabs->panel[number],
		                   factor_slabs_count(slabs, FACTOR_LOAD));
	slabs->chunk_works[place] = factor_slabs_count(slabs, FACTOR_WORK);
}

static void factor_slabs_stream_all(struct slabs *slabs, int64_t first, int64_t end)
{
	const int64_t columns = slabs->panel[first].area.narrow.begin;
	const int64_t most = (int64_t)(slabs->chunk_room / (uint64_t)(slabs->n - columns));
	for (int64_t begin = 0; begin < columns && !slabs->steps->failed; begin += most) {
		const int64_t left = columns - begin;
		factor_slabs_stream(slabs, (struct factor_span){begin, left < most ? left : most},
		                    first, end);
	}
}

/* -- slabs ------------------------------------------------------------------------------------- */

/* Each panel is applied to those behind it, so that its place is free soon. */
static void factor_slabs_factor_all(struct slabs *slabs, int64_t first, int64_t end, uint32_t loads)
{
	for (int64_t number = first; number < end; number++) {
		struct slabs_panel *panel = &slabs->panel[number];
		factor_slabs_factor(slabs, panel, loads);
		for (int64_t next = number + 1; next < end; next++)
			factor_slabs_apply(slabs, &panel->area, &slabs->panel[next], loads);
		panel->works = factor_slabs_count(slabs, FACTOR_WORK);
	}
}

/* Those before it are applied to each panel of the last slab when it arrives. */
static void factor_slabs_factor_last(struct slabs *slabs, int64_t first, uint32_t loads)
{
	for (int64_t number = first; number < slabs->count; number++) {
		const uint32_t arrived = loads + (uint32_t)(number - first + 1);
		for (int64_t done = first; done < number; done++)
			factor_slabs_apply(slabs, &slabs->panel[done].area, &slabs->panel[number],
			                   arrived);
		factor_slabs_factor(slabs, &slabs->panel[number], arrived);
	}
}

static int64_t factor_slabs_find_end(const struct slabs *slabs, int64_t first)
{
	uint64_t room = slabs->slab_room;
	int64_t end = first;
	while (end < slabs->count && factor_slabs_elements(&slabs->panel[end].area) <= room)
		room -= factor_slabs_elements(&slabs->panel[end++].area);
	return end;
}

static void factor_slabs_write_all(struct slabs *slabs)
{
	int64_t before = 0, end;
	for (int64_t first = 0; first < slabs->count && !slabs->steps->failed; first = end) {
		const uint32_t loads = factor_slabs_count(slabs, FACTOR_LOAD);
		end = factor_slabs_find_end(slabs, first);
		factor_slabs_load(slabs, before, first, end);
		factor_slabs_stream_all(slabs, first, end);
		if (end == slabs->count)
			factor_slabs_factor_last(slabs, first, loads);
		else
			factor_slabs_factor_all(slabs, first, end,
			                        factor_slabs_count(slabs, FACTOR_LOAD));
		before = first;
	}
}

static uint64_t factor_slabs_chunk_room(const struct factor_problem *problem)
{
	return problem->room / SLABS_PARTS;
}

static uint64_t factor_slabs_slab_room(const struct factor_problem *problem)
{
	return problem->room - SLABS_CHUNKS * factor_slabs_chunk_room(problem);
}

uint64_t factor_slabs_find_most_room(const struct factor_problem *problem, int64_t width)
{
	const uint64_t n = (uint64_t)problem->n,
		       columns = (uint64_t)width < n ? (uint64_t)width : n;
	const uint64_t panels = n * (n + columns) / 2 + n;
	return panels / (SLABS_PARTS - SLABS_CHUNKS) * SLABS_PARTS + SLABS_PARTS * n;
}

/* The slab at column x has S / (n - x) columns, and loads x (n - x) elements. */
double factor_slabs_count_again(const struct factor_problem *problem)
{
	const double n = (double)problem->n, square = n * n,
		     room = (double)factor_slabs_slab_room(problem);
	return room >= square / 2 ? 0 : square * square / 12 / room;
}

bool factor_slabs_fit(const struct factor_problem *problem, int64_t width)
{
	const uint64_t n = (uint64_t)problem->n,
		       columns = (uint64_t)width < n ? (uint64_t)width : n;
	return factor_slabs_chunk_room(problem) >= n &&
	       factor_slabs_slab_room(problem) / n >= columns;
}

void factor_slabs_write(struct factor_steps *steps)
{
	const int64_t n = steps->problem->n, width = steps->width;
	struct slabs slabs = {.steps = steps,
	                      .n = n,
	                      .count = (n + width - 1) / width,
	                      .chunk_room = factor_slabs_chunk_room(steps->problem),
	                      .slab_room = factor_slabs_slab_room(steps->problem)};
	slabs.panel = calloc((size_t)slabs.count, sizeof *slabs.panel);
	if (slabs.panel == NULL) {
		steps->failed = true;
		return;
	}
	for (int64_t i = 0; i < slabs.count; i++) {
		const int64_t begin = i * width, left = n - begin;
		slabs.panel[i].area.narrow =
			(struct factor_span){begin, left < width ? left : width};
		slabs.panel[i].area.along = (struct factor_span){begin, left};
	}
	factor_slabs_write_all(&slabs);
	free(slabs.panel);
}
