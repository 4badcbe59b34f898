/* html.h - builds a self-contained HTML page in memory: tags balance, text is escaped */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_PAGE_HTML_H
#define GPUSHIM_PAGE_HTML_H

#include <stdbool.h>
#include <stdio.h>

enum { HTML_DEPTH = 24 };

/* The style sheet of all pages. */
extern const char html_style[];

/*
 * A page under construction. It has no script, loads nothing from elsewhere, and forbids the
 * browser to do either.
 */
struct html {
	FILE *file;
	char *text;
	size_t size_bytes;
	int depth;
	const char *open[HTML_DEPTH]; /* the open elements, the outermost first */
};

/* Starts a page. false, with errno, where there is no memory; then there is nothing to release. */
bool html_start(struct html *page, const char *title);

/*
 * Closes the open elements, stores the page at path as whole_file_store does, replacing a file
 * there, and releases the page in any case. Returns 0, or the errno of the failure, after which an
 * old file is unchanged.
 */
int html_store(struct html *page, const char *path);

/*
 * Closes the open elements and returns the page's text, which the caller frees; NULL, with errno,
 * where there was no memory for all of it.
 */
char *html_take_text(struct html *page);

/* Opens an element; class may be NULL. Names of elements and classes are literals. */
void html_enter(struct html *page, const char *element, const char *class);
void html_leave(struct html *page);

/* Writes an element that contains text only. */
__attribute__((format(printf, 4, 5))) void html_line(struct html *page, const char *element,
                                                     const char *class, const char *format, ...);

/* Writes escaped text: the browser shows it and never interprets it. */
__attribute__((format(printf, 2, 3))) void html_text(struct html *page, const char *format, ...);

/*
 * Writes a sentence as html_text does. Words with a _ and what is between two ` become code, which
 * a line is not broken in.
 */
void html_prose(struct html *page, const char *text);

/* Writes markup unescaped: literals and numbers only, and each element that it opens it closes. */
__attribute__((format(printf, 2, 3))) void html_put(struct html *page, const char *format, ...);

/* Opens a section with a heading and, unless it is NULL, a note below it. Afterwards html_leave. */
void html_enter_section(struct html *page, const char *heading, const char *note);

/*
 * Writes a figure in large type with its meaning below, inside a html_enter(page, "div", "tiles").
 */
void html_tile(struct html *page, const char *value, const char *what);

/* Writes a row of a table. The first `left` cells are words, the others numbers. */
void html_row(struct html *page, const char *const *cells, int count, int left, bool head);

#endif
