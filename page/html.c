/* html.c - builds the page in memory, and stores it whole or not at all */
/* SPDX-License-Identifier: Apache-2.0 */
#include "page/html.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "page/html_escape.h"
#include "page/html_style.h"

enum { HTML_TEXT_BYTES = 4096, HTML_PATH_BYTES = 4096, HTML_MODE = 0666 };

/* Nothing may be loaded from anywhere, and nothing run: a browser holds the page to it. */
static const char html_head[] =
	"<!DOCTYPE html>\n"
	"<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
	"img-src data:\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	"<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n";

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

__attribute__((format(printf, 2, 0))) static void html_write(struct html *page, const char *format, va_list arguments)
{
	char text[HTML_TEXT_BYTES];
	vsnprintf(text, sizeof text, format, arguments);
	html_escape_write(page->file, text);
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

static bool html_write_all(int fd, const char *text, size_t size_bytes)
{
	while (size_bytes > 0) {
		const ssize_t count = write(fd, text, size_bytes);
		if (count < 0 && errno == EINTR)
			continue;
		if (count < 0)
			return false;
		text += count;
		size_bytes -= (size_t)count;
	}
	return true;
}

/* Writes and closes; 0 or errno. */
static int html_fill_file(int fd, const char *text, size_t size_bytes)
{
	int error = html_write_all(fd, text, size_bytes) ? 0 : errno;
	if (close(fd) != 0 && error == 0)
		error = errno;
	return error;
}

static int html_replace_file(const char *path, const char *text, size_t size_bytes)
{
	char beside[HTML_PATH_BYTES];
	const mode_t mask = umask(0);
	umask(mask);
	if (snprintf(beside, sizeof beside, "%s.XXXXXX", path) >= (int)sizeof beside)
		return ENAMETOOLONG;
	const int fd = mkstemp(beside);
	if (fd < 0)
		return errno;
	int error = fchmod(fd, HTML_MODE & ~mask) == 0 ? 0 : errno;
	const int filled = html_fill_file(fd, text, size_bytes);
	if (error == 0)
		error = filled;
	if (error == 0 && rename(beside, path) != 0)
		error = errno;
	if (error != 0)
		unlink(beside);
	return error;
}

int html_store(struct html *page, const char *path)
{
	struct stat status;
	char *text = html_take_text(page);
	if (text == NULL)
		return errno;
	int error = 0;
	if (stat(path, &status) != 0 || S_ISREG(status.st_mode)) {
		error = html_replace_file(path, text, page->size_bytes);
	} else {
		const int fd = open(path, O_WRONLY | O_CLOEXEC);
		error = fd < 0 ? errno : html_fill_file(fd, text, page->size_bytes);
	}
	free(text);
	return error;
}
