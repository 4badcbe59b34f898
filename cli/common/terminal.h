/* terminal.h - what a file descriptor shows: escape sequences, colours, columns */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMMON_TERMINAL_H
#define GPUSHIM_CLI_COMMON_TERMINAL_H

#include <stdbool.h>

/* Whether the file descriptor is a terminal that obeys escape sequences (TERM is not "dumb"). */
bool terminal_obeys(int fd);

/* Whether text to it is coloured: it obeys, and NO_COLOR is unset or empty. See no-color.org. */
bool terminal_is_coloured(int fd);

/*
 * Columns for lines of text. The variable COLUMNS counts first, from TERMINAL_LEAST on and up to
 * TERMINAL_MOST; then the terminal's own width, of which text uses TERMINAL_TEXT at most, because
 * longer lines are hard to read; else TERMINAL_USUAL.
 */
enum { TERMINAL_LEAST = 20, TERMINAL_USUAL = 80, TERMINAL_TEXT = 100, TERMINAL_MOST = 1000 };
int terminal_columns(int fd);

#endif
