/* wrap.h - text in lines of a width, broken between words */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMMON_WRAP_H
#define GPUSHIM_CLI_COMMON_WRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Columns that the first length bytes of text in UTF-8 take on a terminal: two for wide letters of
 * East Asia and for emoji, none for combining marks, control characters and escape sequences that
 * set colours. A byte that is not UTF-8 takes one.
 */
int wrap_measure(const char *text, size_t length);

/* How many of these bytes are whole letters that fit into so many columns. */
size_t wrap_fit(const char *text, size_t length, int columns);

/*
 * The text in lines of at most columns (0: of any length), to be freed; NULL where there is no
 * memory. first: the column in which its first line begins; all others are indented by indent
 * blanks. Lines are broken at blanks, but not between a number and its unit. A word that is longer
 * than a line, such as a path, stays whole. A newline in the text begins a new line; one at its end
 * is left out.
 */
char *wrap_text(const char *text, int columns, int first, int indent);

/*
 * Prints one paragraph to the file, which ends up on the descriptor of that stream, in lines of its
 * columns (terminal.h), and ends it with a newline. indent: blanks before each line but the first.
 */
void wrap_print(FILE *file, int indent, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
