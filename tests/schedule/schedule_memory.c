/* schedule_memory.c - the contents of a device's memory by bytes, for the checker */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/schedule/schedule_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct memory_run {
	uint64_t begin, end;
};

/* Runs that touch count as one. */
static uint64_t memory_count_runs(const struct memory_view *view)
{
	return view->part == MEMORY_WHOLE && view->area.pitch == view->area.width
	               ? 1
	               : view->area.height;
}

static struct memory_run memory_find_run(const struct memory_view *view, uint64_t index)
{
	const struct event_area *area = &view->area;
	const uint64_t begin = area->begin + index * area->pitch;
	if (view->part == MEMORY_UPPER)
		return (struct memory_run){begin, begin + (index + 1) * view->element_bytes};
	if (view->part == MEMORY_LOWER)
		return (struct memory_run){begin + index * view->element_bytes,
		                           begin + area->width};
	if (memory_count_runs(view) == 1)
		return (struct memory_run){begin, begin + area->width * area->height};
	return (struct memory_run){begin, begin + area->width};
}

/* The first segment that ends at or behind the address. */
static size_t memory_find(const struct schedule_memory *memory, uint64_t address)
{
	size_t low = 0, high = memory->count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (memory->segment[middle].end < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct memory_segment *memory_reserve(struct memory_segment *segments, size_t count,
                                             size_t *room)
{
	if (count <= *room)
		return segments;
	*room = 2 * count;
	segments = realloc(segments, *room * sizeof *segments);
	if (segments == NULL) {
		fprintf(stderr, "schedule_check: no memory for %zu segments\n", count);
		exit(2);
	}
	return segments;
}

static bool memory_is_same(const struct memory_content *x, const struct memory_content *y)
{
	return x->origin == y->origin && x->stored == y->stored && x->depth == y->depth;
}

static void memory_add(struct schedule_memory *memory, uint64_t begin, uint64_t end,
                       const struct memory_content *content)
{
	struct memory_segment *last =
		memory->fresh_count > 0 ? &memory->fresh[memory->fresh_count - 1] : NULL;
	if (begin >= end || content->origin == MEMORY_UNKNOWN)
		return;
	if (last != NULL && last->end == begin && memory_is_same(&last->content, content)) {
		last->end = end;
		return;
	}
	memory->fresh = memory_reserve(memory->fresh, memory->fresh_count + 1, &memory->fresh_room);
	memory->fresh[memory->fresh_count++] = (struct memory_segment){begin, end, *content};
}

/*
 * The piece that begins at from and ends at end at the latest. *index: the first segment that does
 * not end before from.
 */
static struct memory_segment memory_find_piece(const struct schedule_memory *memory, size_t *index,
                                               uint64_t from, uint64_t end)
{
	while (*index < memory->count && memory->segment[*index].end <= from)
		++*index;
	const struct memory_segment *segment =
		*index < memory->count ? &memory->segment[*index] : NULL;
	if (segment == NULL || segment->begin >= end)
		return (struct memory_segment){from, end, {MEMORY_UNKNOWN, false, 0}};
	if (segment->begin > from)
		return (struct memory_segment){from, segment->begin, {MEMORY_UNKNOWN, false, 0}};
	return (struct memory_segment){from, segment->end < end ? segment->end : end,
	                               segment->content};
}

/* Copies the segments between two runs as they are. */
static void memory_keep(struct schedule_memory *memory, size_t *index, uint64_t from, uint64_t end)
{
	while (from < end) {
		const struct memory_segment piece = memory_find_piece(memory, index, from, end);
		memory_add(memory, piece.begin, piece.end, &piece.content);
		from = piece.end;
	}
}

/* Puts the new segments in place of those from first to last. */
static void memory_replace(struct schedule_memory *memory, size_t first, size_t last)
{
	const size_t count = memory->count - (last - first) + memory->fresh_count;
	memory->segment = memory_reserve(memory->segment, count, &memory->room);
	memmove(&memory->segment[first + memory->fresh_count], &memory->segment[last],
	        (memory->count - last) * sizeof *memory->segment);
	if (memory->fresh_count > 0)
		memcpy(&memory->segment[first], memory->fresh,
		       memory->fresh_count * sizeof *memory->segment);
	memory->count = count;
	memory->fresh_count = 0;
}

void schedule_memory_change(struct schedule_memory *memory, const struct memory_view *view,
                            const struct memory_visitor *visitor)
{
	const uint64_t runs = memory_count_runs(view);
	const uint64_t begin = memory_find_run(view, 0).begin,
		       end = memory_find_run(view, runs - 1).end;
	const size_t first = memory_find(memory, begin);
	size_t index = first, last = first;
	while (last < memory->count && memory->segment[last].begin <= end)
		last++;
	/* Segments that touch the view are written again as a whole, so that they can be joined. */
	uint64_t from = last > first && memory->segment[first].begin < begin
	                        ? memory->segment[first].begin
	                        : begin;
	const uint64_t beyond = last > first && memory->segment[last - 1].end > end
	                                ? memory->segment[last - 1].end
	                                : end;
	for (uint64_t i = 0; i < runs; i++) {
		const struct memory_run run = memory_find_run(view, i);
		memory_keep(memory, &index, from, run.begin);
		for (from = run.begin; from < run.end;) {
			const struct memory_segment piece =
				memory_find_piece(memory, &index, from, run.end);
			struct memory_content content = piece.content;
			visitor->visit(visitor->self, &piece, &content);
			memory_add(memory, piece.begin, piece.end, &content);
			from = piece.end;
		}
	}
	memory_keep(memory, &index, from, beyond);
	memory_replace(memory, first, last);
}

void schedule_memory_read(const struct schedule_memory *memory, const struct memory_view *view,
                          const struct memory_visitor *visitor)
{
	const uint64_t runs = memory_count_runs(view);
	for (uint64_t i = 0; i < runs; i++) {
		const struct memory_run run = memory_find_run(view, i);
		size_t index = memory_find(memory, run.begin);
		for (uint64_t from = run.begin; from < run.end;) {
			const struct memory_segment piece =
				memory_find_piece(memory, &index, from, run.end);
			struct memory_content content = piece.content;
			visitor->visit(visitor->self, &piece, &content);
			from = piece.end;
		}
	}
}

void schedule_memory_free(struct schedule_memory *memory)
{
	free(memory->segment);
	free(memory->fresh);
	*memory = (struct schedule_memory){.count = 0};
}
