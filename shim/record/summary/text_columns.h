/* text_columns.h - lines and columns of plain text in a caller's buffer */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_SUMMARY_TEXT_COLUMNS_H
#define GPUSHIM_SHIM_RECORD_SUMMARY_TEXT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

/* Columns of a line, and bytes that it may have before it is broken. */
enum { TEXT_COLUMNS_WIDTH = 80, TEXT_COLUMNS_LINE_BYTES = 512 };

/*
 * out (of size bytes, always terminated) holds whole lines. After a line that did not fit no more
 * is added.
 */
struct text_columns {
	char *out;
	size_t size, used;
	bool full;
};

/* A line being built, cut at TEXT_COLUMNS_LINE_BYTES. Starts as {.used = 0}. */
struct text_columns_line {
	char text[TEXT_COLUMNS_LINE_BYTES];
	size_t used;
};

/* Appends these texts to the line. */
#define text_columns_put(line, ...)                                                                \
	text_columns_put_all(line, (const char *const[]){__VA_ARGS__, NULL})
void text_columns_put_all(struct text_columns_line *line, const char *const texts[]);

/* text in a column of this width: left-aligned, or right-aligned where the width is negative. */
void text_columns_put_column(struct text_columns_line *line, const char *text, int width);

/*
 * Appends the line to the text, without blanks at its end, and broken at blanks after
 * TEXT_COLUMNS_WIDTH columns; what continues is indented. The line is empty then.
 */
void text_columns_end_line(struct text_columns *columns, struct text_columns_line *line);

#endif
