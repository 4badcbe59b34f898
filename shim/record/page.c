/* page.c - puts lines together */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/page.h"

#include <string.h>

void page_put(struct page_line *line, const char *text)
{
	for (; *text != '\0' && line->used < PAGE_COLUMNS; text++)
		line->text[line->used++] = *text;
}

static void page_pad(struct page_line *line, size_t count)
{
	while (count-- > 0)
		page_put(line, " ");
}

void page_put_column(struct page_line *line, const char *text, int width)
{
	const size_t columns = (size_t)(width < 0 ? -width : width), length = strlen(text);
	const size_t missing = length < columns ? columns - length : 0;
	if (width < 0)
		page_pad(line, missing);
	page_put(line, text);
	if (width > 0)
		page_pad(line, missing);
}

void page_end_line(struct page *page, struct page_line *line)
{
	while (line->used > 0 && line->text[line->used - 1] == ' ')
		line->used--;
	if (page->full || page->size - page->used < line->used + 2) {
		page->full = true;
		return;
	}
	memcpy(page->out + page->used, line->text, line->used);
	page->used += line->used;
	page->out[page->used++] = '\n';
	page->out[page->used] = '\0';
	line->used = 0;
}
