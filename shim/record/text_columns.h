/* text_columns.h - lines and columns of plain text in a caller's buffer */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_TEXT_COLUMNS_H
#define GPUSHIM_SHIM_RECORD_TEXT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

enum { TEXT_COLUMNS_WIDTH = 100 };

/*
 * out (of size bytes, always terminated) holds whole lines. Once a line did not fit, no more is
 * added.
 */
struct text_columns {
	char *out;
	size_t size, used;
	bool full;
};

/* A line in the making; what goes beyond the last column is cut. Starts as {.used = 0}. */
struct text_columns_line {
	char text[TEXT_COLUMNS_WIDTH];
	size_t used;
};

void text_columns_put(struct text_columns_line *line, const char *text);

/* text in a column of this width: at its left, or at its right where the width is negative. */
void text_columns_put_column(struct text_columns_line *line, const char *text, int width);

/* Moves the line to the text_columns, without blanks at its end. */
void text_columns_end_line(struct text_columns *text_columns, struct text_columns_line *line);

#endif
