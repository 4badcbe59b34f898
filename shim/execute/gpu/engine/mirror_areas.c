/* mirror_areas.c - runs of bytes, the ends of all rows, or the whole operand */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/engine/mirror_areas.h"

#include <stdlib.h>

/*
 * So many runs are copied one by one; then it is the two ends of each row, if they are less, and
 * the runs that are no ends.
 */
enum {
	MIRROR_AREAS_RUNS = 64,
	MIRROR_AREAS_ENDS = 2,
	MIRROR_AREAS_OTHERS = MIRROR_AREAS_RUNS - MIRROR_AREAS_ENDS,
	MIRROR_AREAS_OF_RUN = 3
};

/* The columns of a triangle stay apart, also where there are no gaps between them. */
static struct pack_area mirror_areas_of_operand(const struct mirror *mirror)
{
	const struct host_view *view = &mirror->operand->view;
	const struct mirror_triangle *triangle = &mirror->triangle;
	if (triangle->part == PACK_WHOLE)
		return (struct pack_area){(char *)view->base, view->width_bytes, view->rows,
		                          view->pitch_bytes};
	return (struct pack_area){(char *)view->base, triangle->run_bytes,
	                          triangle->run_bytes / triangle->element_bytes,
	                          triangle->pitch_bytes};
}

static void mirror_areas_add(struct mirror *mirror, struct pack_area area)
{
	const uint64_t offset = (uint64_t)(area.host - (char *)mirror->operand->view.base);
	const struct mirror_triangle *triangle = &mirror->triangle;
	const bool is_triangle = triangle->part != PACK_WHOLE;
	mirror->area[mirror->areas++] = (struct mirror_area){
		area, mirror->device + offset, area.pitch_bytes,
		is_triangle ? (int64_t)(offset % triangle->pitch_bytes / triangle->element_bytes)
			    : 0,
		is_triangle ? (int64_t)(offset / triangle->pitch_bytes) : 0};
	mirror->sent_bytes += area.run_bytes * area.count;
}

static bool mirror_areas_make_room(struct mirror *mirror, uint64_t areas)
{
	if (mirror->room >= areas)
		return true;
	struct mirror_area *larger = realloc(mirror->area, (size_t)areas * sizeof *larger);
	if (larger == NULL)
		return false;
	mirror->area = larger;
	mirror->room = (uint32_t)areas;
	return true;
}

/* Bytes at either end of a row that hold its pages with other bytes too. */
static uint64_t mirror_areas_end_bytes(const struct host_view *view)
{
	return view->width_bytes < pages_size() ? view->width_bytes : pages_size();
}

/* Whether a run lies within the ends of its row. */
static bool mirror_areas_is_end(const struct host_view *view, struct pages_span run)
{
	const uint64_t begin = (run.start - view->base) % view->pitch_bytes,
		       end = begin + (run.end - run.start), bytes = mirror_areas_end_bytes(view);
	return end <= bytes || begin >= view->width_bytes - bytes;
}

/* Whether the runs are ends of rows but for a few. */
static bool mirror_areas_are_ends(const struct resident_operand *operand)
{
	const struct host_view *view = &operand->view;
	uint64_t others = 0;
	if (MIRROR_AREAS_ENDS * mirror_areas_end_bytes(view) >= view->width_bytes)
		return false;
	for (uint64_t run = 0; run < operand->runs && others <= MIRROR_AREAS_OTHERS; run++)
		others += !mirror_areas_is_end(view, operand->run[run]);
	return others <= MIRROR_AREAS_OTHERS;
}

/* Runs that are not within the ends of their rows. */
static void mirror_areas_add_others(struct mirror *mirror)
{
	const struct resident_operand *operand = mirror->operand;
	for (uint64_t run = 0; run < operand->runs; run++) {
		const struct pages_span span = operand->run[run];
		const uint64_t bytes = span.end - span.start;
		if (!mirror_areas_is_end(&operand->view, span))
			mirror_areas_add(mirror,
			                 (struct pack_area){(char *)span.start, bytes, 1, bytes});
	}
}

static void mirror_areas_add_ends(struct mirror *mirror)
{
	struct pack_area area = mirror_areas_of_operand(mirror);
	const uint64_t bytes = mirror_areas_end_bytes(&mirror->operand->view);
	char *last = area.host + area.run_bytes - bytes;
	area.run_bytes = bytes;
	mirror_areas_add(mirror, area);
	area.host = last;
	mirror_areas_add(mirror, area);
	mirror_areas_add_others(mirror);
}

/* Rows of a few columns; those of them that have elements of the triangle. */
static void mirror_areas_add_columns(struct mirror *mirror, struct pages_span row,
                                     struct pages_span column)
{
	const struct mirror_triangle *triangle = &mirror->triangle;
	const uint64_t size = triangle->element_bytes;
	if (triangle->part == PACK_UPPER && row.end > column.end)
		row.end = column.end;
	if (triangle->part == PACK_LOWER && row.start < column.start)
		row.start = column.start;
	if (pages_is_empty(row) || pages_is_empty(column))
		return;
	const uint64_t bytes = (row.end - row.start) * size, count = column.end - column.start;
	char *host = (char *)mirror->operand->view.base + column.start * triangle->pitch_bytes +
	             row.start * size;
	mirror_areas_add(mirror, (struct pack_area){host, bytes, count,
	                                            count > 1 ? triangle->pitch_bytes : bytes});
}

/* A run begins and ends with an element: the rest of a column, whole ones, and a beginning. */
static void mirror_areas_add_part(struct mirror *mirror, struct pages_span run)
{
	const struct mirror_triangle *triangle = &mirror->triangle;
	const uint64_t pitch = triangle->pitch_bytes, size = triangle->element_bytes,
		       order = triangle->run_bytes / size;
	const uint64_t begin = run.start - mirror->operand->view.base,
		       end = run.end - mirror->operand->view.base;
	struct pages_span whole = {(begin + pitch - 1) / pitch, end / pitch};
	const struct pages_span first = {begin % pitch / size, order},
				last = {0, end % pitch / size};
	if (whole.start > whole.end) {
		mirror_areas_add_columns(mirror, (struct pages_span){first.start, last.end},
		                         (struct pages_span){whole.end, whole.start});
		return;
	}
	if (begin % pitch != 0)
		mirror_areas_add_columns(mirror, first,
		                         (struct pages_span){whole.start - 1, whole.start});
	mirror_areas_add_columns(mirror, (struct pages_span){0, order}, whole);
	if (end % pitch != 0)
		mirror_areas_add_columns(mirror, last,
		                         (struct pages_span){whole.end, whole.end + 1});
}

static void mirror_areas_add_runs(struct mirror *mirror)
{
	const struct resident_operand *operand = mirror->operand;
	for (uint64_t run = 0; run < operand->runs; run++) {
		const struct pages_span span = operand->run[run];
		const uint64_t bytes = span.end - span.start;
		if (mirror->triangle.part != PACK_WHOLE)
			mirror_areas_add_part(mirror, span);
		else
			mirror_areas_add(mirror,
			                 (struct pack_area){(char *)span.start, bytes, 1, bytes});
	}
}

static void mirror_areas_add_all(struct mirror *mirror)
{
	mirror->held = false;
	mirror->areas = 0;
	mirror_areas_add(mirror, mirror_areas_of_operand(mirror));
	mirror->sent_bytes = mirror->read_bytes;
}

bool mirror_areas_list(struct mirror *mirror, bool leaves_out)
{
	const struct resident_operand *operand = mirror->operand;
	const bool few = operand->runs <= MIRROR_AREAS_RUNS;
	mirror->areas = 0;
	mirror->sent_bytes = 0;
	if (!mirror_areas_make_room(mirror, few ? MIRROR_AREAS_OF_RUN * operand->runs + 1
	                                        : MIRROR_AREAS_RUNS))
		return false;
	mirror->held = leaves_out && operand->send_bytes < host_view_bytes(&operand->view);
	if (mirror->held && few)
		mirror_areas_add_runs(mirror);
	else if (mirror->held && mirror_areas_are_ends(operand))
		mirror_areas_add_ends(mirror);
	else
		mirror->held = false;
	/* The ends of short columns may be more than a triangle. */
	if (!mirror->held || mirror->sent_bytes > mirror->read_bytes)
		mirror_areas_add_all(mirror);
	return true;
}
