/* page.h - lines and columns of plain text in a caller's buffer */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_PAGE_H
#define GPUSHIM_SHIM_RECORD_PAGE_H

#include <stdbool.h>
#include <stddef.h>

enum { PAGE_COLUMNS = 100 };

/* out (of size bytes, always terminated) holds whole lines. Once a line did not fit, no more is added. */
struct page {
	char *out;
	size_t size, used;
	bool full;
};

/* A line in the making; what goes beyond the last column is cut. Starts as {.used = 0}. */
struct page_line {
	char text[PAGE_COLUMNS];
	size_t used;
};

void page_put(struct page_line *line, const char *text);

/* text in a column of this width: at its left, or at its right where the width is negative. */
void page_put_column(struct page_line *line, const char *text, int width);

/* Moves the line to the page, without blanks at its end. */
void page_end_line(struct page *page, struct page_line *line);

#endif
