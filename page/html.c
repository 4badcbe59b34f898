/* html.c - builds the page in memory, and stores it whole or not at all */
/* SPDX-License-Identifier: Apache-2.0 */
#include "page/html.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "page/utf8.h"
#include "page/whole_file.h"

enum { HTML_TEXT_BYTES = 4096 };

/* The policy makes browsers refuse to load anything, and to run any script. */
static const char html_head[] =
	"<!DOCTYPE html>\n"
	"<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
	"'unsafe-inline'; "
	"img-src data:\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	"<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" "
	"href=\"data:,\">\n";

static bool html_escape_is_unseen(uint32_t character)
{
	return (character < ' ' && character != '\t' && character != '\n') ||
	       (character >= 0x7f && character < 0xa0) ||
	       (character >= 0x200b && character <= 0x200f) ||
	       (character >= 0x2028 && character <= 0x202e) ||
	       (character >= 0x2060 && character <= 0x206f) || character == 0xfeff ||
	       (character & 0xfffe) == 0xfffe;
}

static const char *html_escape_find(uint32_t character)
{
	switch (character) {
	case '&': return "&amp;";
	case '<': return "&lt;";
	case '>': return "&gt;";
	case '"': return "&quot;";
	case '\'': return "&#39;";
	default: return html_escape_is_unseen(character) ? "\ufffd" : NULL;
	}
}

/*
 * Writes text so that an element or an attribute shows it unchanged. Bytes that are not UTF-8, and
 * characters that are invisible or change the direction of text, become U+FFFD.
 */
static void html_escape(FILE *file, const char *text)
{
	while (*text != '\0') {
		uint32_t character;
		const int length = utf8_read_character(text, &character);
		const char *escaped = html_escape_find(character);
		if (escaped != NULL)
			fputs(escaped, file);
		else
			fwrite(text, 1, (size_t)length, file);
		text += length;
	}
}

bool html_start(struct html *page, const char *title)
{
	memset(page, 0, sizeof *page);
	page->file = open_memstream(&page->text, &page->size_bytes);
	if (page->file == NULL)
		return false;
	fputs(html_head, page->file);
	html_line(page, "title", NULL, "%s", title);
	fprintf(page->file, "<style>\n%s</style>\n</head>\n<body>\n", html_style);
	html_enter(page, "main", NULL);
	return true;
}

void html_enter(struct html *page, const char *element, const char *class)
{
	if (page->depth == HTML_DEPTH)
		abort();
	fprintf(page->file, "<%s", element);
	if (class != NULL)
		fprintf(page->file, " class=\"%s\"", class);
	fputs(">", page->file);
	page->open[page->depth++] = element;
}

void html_leave(struct html *page)
{
	fprintf(page->file, "</%s>\n", page->open[--page->depth]);
}

__attribute__((format(printf, 2, 0))) static void html_write(struct html *page, const char *format,
                                                             va_list arguments)
{
	char text[HTML_TEXT_BYTES];
	vsnprintf(text, sizeof text, format, arguments);
	html_escape(page->file, text);
}

void html_line(struct html *page, const char *element, const char *class, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	html_enter(page, element, class);
	html_write(page, format, arguments);
	html_leave(page);
	va_end(arguments);
}

void html_text(struct html *page, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	html_write(page, format, arguments);
	va_end(arguments);
}

void html_put(struct html *page, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vfprintf(page->file, format, arguments);
	va_end(arguments);
}

void html_enter_section(struct html *page, const char *heading, const char *note)
{
	html_enter(page, "section", NULL);
	html_line(page, "h2", NULL, "%s", heading);
	if (note != NULL)
		html_line(page, "p", "note", "%s", note);
}

void html_tile(struct html *page, const char *value, const char *what)
{
	html_enter(page, "div", "tile");
	html_line(page, "b", NULL, "%s", value);
	html_line(page, "span", NULL, "%s", what);
	html_leave(page);
}

void html_row(struct html *page, const char *const *cells, int count, int left, bool head)
{
	html_enter(page, "tr", NULL);
	for (int i = 0; i < count; i++)
		html_line(page, head ? "th" : "td", i < left ? NULL : "number", "%s", cells[i]);
	html_leave(page);
}

char *html_take_text(struct html *page)
{
	while (page->depth > 0)
		html_leave(page);
	fputs("</body>\n</html>\n", page->file);
	const bool whole = ferror(page->file) == 0;
	if (fclose(page->file) == 0 && whole)
		return page->text;
	free(page->text);
	errno = ENOMEM;
	return NULL;
}

int html_store(struct html *page, const char *path)
{
	char *text = html_take_text(page);
	if (text == NULL)
		return errno;
	const int error = whole_file_store(path, text, true);
	free(text);
	return error;
}
