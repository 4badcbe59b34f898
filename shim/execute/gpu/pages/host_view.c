/* host_view.c - the rows of an operand, and the pages in them */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/pages/host_view.h"

bool host_view_make(struct host_view *view, const void *base, uint64_t width_bytes,
                    uint64_t pitch_bytes, uint64_t rows)
{
	uint64_t bytes, end;
	if (base == NULL || width_bytes == 0 || rows == 0 ||
	    (rows > 1 && pitch_bytes < width_bytes) ||
	    __builtin_mul_overflow(rows > 1 ? rows - 1 : 0, pitch_bytes, &bytes) ||
	    __builtin_add_overflow(bytes, width_bytes, &bytes) ||
	    __builtin_add_overflow((uint64_t)(uintptr_t)base, bytes, &end) ||
	    end > UINTPTR_MAX - 2 * pages_size())
		return false;
	*view = (struct host_view){(uintptr_t)base, width_bytes, pitch_bytes, rows, 0};
	if (rows == 1 || pitch_bytes == width_bytes)
		*view = (struct host_view){(uintptr_t)base, bytes, bytes, 1, 0};
	return true;
}

bool host_view_equals(const struct host_view *a, const struct host_view *b)
{
	return a->base == b->base && a->width_bytes == b->width_bytes &&
	       a->pitch_bytes == b->pitch_bytes && a->rows == b->rows && a->form == b->form;
}

struct pages_span host_view_row(const struct host_view *view, uint64_t row)
{
	const uintptr_t start = view->base + row * view->pitch_bytes;
	return (struct pages_span){start, start + view->width_bytes};
}

struct pages_span host_view_hull(const struct host_view *view)
{
	return (struct pages_span){view->base, host_view_row(view, view->rows - 1).end};
}

struct host_view host_view_join_rows(const struct host_view *view)
{
	struct host_view joined = *view;
	const struct pages_span hull = host_view_hull(view);
	if (view->pitch_bytes - view->width_bytes < pages_size()) {
		joined.width_bytes = joined.pitch_bytes = hull.end - hull.start;
		joined.rows = 1;
	}
	return joined;
}

uint64_t host_view_bytes(const struct host_view *view)
{
	return view->rows * view->width_bytes;
}

/* The last row that begins in front of the span's end is the one that reaches furthest into it. */
bool host_view_touches(const struct host_view *view, struct pages_span span)
{
	if (pages_is_empty(span) || !pages_meet(host_view_hull(view), span))
		return false;
	const uint64_t behind = (span.end - 1 - view->base) / view->pitch_bytes;
	const uint64_t last = behind < view->rows ? behind : view->rows - 1;
	return host_view_row(view, last).end > span.start;
}

struct pages_span host_view_own_pages(const struct host_view *view, uint64_t row)
{
	return pages_inside(host_view_row(view, row));
}

struct host_view_ends host_view_find_ends(const struct host_view *view, uint64_t row)
{
	const struct pages_span around = pages_around(host_view_row(view, row)),
				own = host_view_own_pages(view, row);
	if (pages_is_empty(own))
		return (struct host_view_ends){around, {around.end, around.end}};
	return (struct host_view_ends){{around.start, own.start}, {own.end, around.end}};
}

/* Of rows from 0 on. */
static uint64_t host_view_count_rows(const struct host_view *view, uint64_t rows)
{
	uint64_t count = 0;
	for (uint64_t row = 0; row < rows; row++) {
		const struct pages_span own = host_view_own_pages(view, row);
		if (!pages_is_empty(own))
			count += pages_in(own);
	}
	return count;
}

/* After so many rows one begins at the same byte of its page again. */
uint64_t host_view_count_own(const struct host_view *view)
{
	const uint64_t step = view->pitch_bytes & -view->pitch_bytes,
		       period = step > 0 && step < pages_size() ? pages_size() / step : 1;
	if (view->width_bytes < pages_size())
		return 0;
	if (view->rows <= period)
		return host_view_count_rows(view, view->rows);
	return view->rows / period * host_view_count_rows(view, period) +
	       host_view_count_rows(view, view->rows % period);
}
