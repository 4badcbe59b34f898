/* text_columns.c - builds lines of columns and joins them to a text */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/summary/text_columns.h"

#include <string.h>

void text_columns_put_all(struct text_columns_line *line, const char *const texts[])
{
	for (; *texts != NULL; texts++)
		for (const char *at = *texts; *at != '\0' && line->used < TEXT_COLUMNS_LINE_BYTES;
		     at++)
			line->text[line->used++] = *at;
}

static void text_columns_pad(struct text_columns_line *line, size_t count)
{
	while (count-- > 0)
		text_columns_put(line, " ");
}

void text_columns_put_column(struct text_columns_line *line, const char *text, int width)
{
	const size_t columns = (size_t)(width < 0 ? -width : width), length = strlen(text);
	const size_t missing = length < columns ? columns - length : 0;
	if (width < 0)
		text_columns_pad(line, missing);
	text_columns_put(line, text);
	if (width > 0)
		text_columns_pad(line, missing);
}

/* The bytes of a word or more that fit into the columns: up to a blank, all where there is none. */
static size_t text_columns_find_break(const char *text, size_t length, size_t columns)
{
	size_t end = 0, column = 0;
	for (size_t i = 0; i < length; i++) {
		const bool inside_utf8 = ((unsigned char)text[i] & 0xc0) == 0x80;
		if (text[i] == ' ')
			end = i;
		column += !inside_utf8;
		if (column > columns && end > 0)
			return end;
	}
	return length;
}

static void text_columns_add(struct text_columns *columns, const char *text, size_t length)
{
	memcpy(columns->out + columns->used, text, length);
	columns->used += length;
	columns->out[columns->used] = '\0';
}

/* Blanks at a break are left out. Where the text is full, nothing of the line is added. */
void text_columns_end_line(struct text_columns *columns, struct text_columns_line *line)
{
	static const char indent[] = "  ";
	const size_t before = columns->used;
	size_t at = 0;
	while (line->used > 0 && line->text[line->used - 1] == ' ')
		line->used--;
	do {
		const char *margin = at > 0 ? indent : "";
		const size_t length = text_columns_find_break(line->text + at, line->used - at,
		                                              TEXT_COLUMNS_WIDTH - strlen(margin));
		columns->full |= columns->size - columns->used < strlen(margin) + length + 2;
		if (columns->full)
			break;
		text_columns_add(columns, margin, strlen(margin));
		text_columns_add(columns, line->text + at, length);
		text_columns_add(columns, "\n", 1);
		for (at += length; at < line->used && line->text[at] == ' ';)
			at++;
	} while (at < line->used);
	line->used = 0;
	if (columns->full)
		columns->out[columns->used = before] = '\0';
}
