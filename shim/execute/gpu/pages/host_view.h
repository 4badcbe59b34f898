/* host_view.h - an operand in the program's memory: rows of bytes at a pitch */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_PAGES_HOST_VIEW_H
#define GPUSHIM_SHIM_EXECUTE_GPU_PAGES_HOST_VIEW_H

#include <stddef.h>

#include "shim/execute/gpu/pages/pages.h"

/*
 * A row is one run of bytes: a column of a column-major matrix. A view without gaps has one row.
 * form: 0, or a number for a part of these bytes that alone is read or written, such as a triangle.
 */
struct host_view {
	uintptr_t base;
	uint64_t width_bytes, pitch_bytes, rows;
	uint64_t form;
};

/* False where there is nothing, rows overlap, or the end is beyond all memory. form is 0. */
bool host_view_make(struct host_view *view, const void *base, uint64_t width_bytes,
                    uint64_t pitch_bytes, uint64_t rows);

bool host_view_equals(const struct host_view *a, const struct host_view *b);

/* From the first byte to behind the last one. */
struct pages_span host_view_hull(const struct host_view *view);
struct pages_span host_view_row(const struct host_view *view, uint64_t row);
uint64_t host_view_bytes(const struct host_view *view);

/*
 * The same memory as one row where no page lies between two rows, so that one call of the kernel
 * serves them all: its pages are those of the view, and those in which a row ends and the next one
 * begins. Else the view itself.
 */
struct host_view host_view_join_rows(const struct host_view *view);

/* Whether a byte of the view lies in the span. */
bool host_view_touches(const struct host_view *view, struct pages_span span);

/* The pages that a row has a part of, in front of its own ones and behind them. */
struct host_view_ends {
	struct pages_span first, last;
};
struct host_view_ends host_view_find_ends(const struct host_view *view, uint64_t row);

/*
 * The pages that hold nothing but bytes of the view: of one row, and of all rows as their number.
 * Two rows share none, because there is a gap between them.
 */
struct pages_span host_view_own_pages(const struct host_view *view, uint64_t row);
uint64_t host_view_count_own(const struct host_view *view);

#endif
