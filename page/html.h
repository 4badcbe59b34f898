/* html.h - one self-contained HTML page, built in memory: tags balance by construction, others' words are escaped */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_PAGE_HTML_H
#define GPUSHIM_PAGE_HTML_H

#include <stdbool.h>
#include <stdio.h>

enum { HTML_DEPTH = 24 };

/*
 * A page on its way. It has no script, asks for nothing from elsewhere and forbids the browser to.
 */
struct html {
	FILE *file;
	char *text;
	size_t size_bytes;
	int depth;
	const char *open[HTML_DEPTH]; /* elements that are to be closed, the outermost first */
};

/* Starts a page. false, with errno, where there is no memory; then there is nothing to end. */
bool html_start(struct html *page, const char *title);

/*
 * Closes what is open and stores the page at path as whole_file_store does, in place of what is
 * there. Releases the page in any case. 0, or the errno of what failed, with an old file as it was.
 */
int html_store(struct html *page, const char *path);

/*
 * Likewise, but hands the text out, to be freed; NULL, with errno, where there was no memory for
 * all of it.
 */
char *html_take_text(struct html *page);

/* An element with others in it; class may be NULL. Names of elements and classes are literals. */
void html_enter(struct html *page, const char *element, const char *class);
void html_leave(struct html *page);

/* An element with nothing but text in it. */
__attribute__((format(printf, 4, 5))) void html_line(struct html *page, const char *element,
                                                     const char *class, const char *format, ...);

/* Text where the page is; whatever it holds, it is shown and never acted upon. */
__attribute__((format(printf, 2, 3))) void html_text(struct html *page, const char *format, ...);

/* Markup as it is: only of literals and numbers, and what it opens it closes. */
__attribute__((format(printf, 2, 3))) void html_put(struct html *page, const char *format, ...);

/*
 * A heading, and behind it (NULL: nothing) what one has to know of what follows. Afterwards
 * html_leave.
 */
void html_enter_section(struct html *page, const char *heading, const char *note);

/*
 * A figure that matters, large, with what it is. To be put into a html_enter(page, "div", "tiles").
 */
void html_tile(struct html *page, const char *value, const char *what);

/* A row of a table: cells, of which the first left ones are words and the others numbers. */
void html_row(struct html *page, const char *const *cells, int count, int left, bool head);

#endif
