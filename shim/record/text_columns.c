/* text_columns.c - builds lines of columns and joins them to a text */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/text_columns.h"

#include <string.h>

void text_columns_put_all(struct text_columns_line *line, const char *const texts[])
{
	for (; *texts != NULL; texts++)
		for (const char *at = *texts; *at != '\0' && line->used < TEXT_COLUMNS_WIDTH; at++)
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

void text_columns_end_line(struct text_columns *columns, struct text_columns_line *line)
{
	while (line->used > 0 && line->text[line->used - 1] == ' ')
		line->used--;
	if (columns->full || columns->size - columns->used < line->used + 2) {
		columns->full = true;
		return;
	}
	memcpy(columns->out + columns->used, line->text, line->used);
	columns->used += line->used;
	columns->out[columns->used++] = '\n';
	columns->out[columns->used] = '\0';
	line->used = 0;
}
