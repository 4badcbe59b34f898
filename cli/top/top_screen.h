/* top_screen.h - the terminal while `gpushim top` draws on it */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_TOP_TOP_SCREEN_H
#define GPUSHIM_CLI_TOP_TOP_SCREEN_H

#include <stdbool.h>

#include "cli/top/top_view.h"

/* Whether stdout is a terminal whose cursor can be placed. */
bool top_screen_is_usable(void);

/*
 * Takes the terminal: alternate screen, no cursor, keys without Enter. It is restored by
 * top_screen_leave, at exit, and before a signal seen by top_screen_wait ends or stops the tool.
 */
void top_screen_enter(void);
void top_screen_leave(void);

/* Fills columns, lines and coloured. */
void top_screen_measure(struct top_page *page);

/* Replaces the screen's contents. false where the terminal is gone. */
bool top_screen_show(const char *text);

/*
 * Waits until the time (CLOCK_MONOTONIC), a key, or a change of the size. TOP_QUIT: the key q. A
 * signal that ends the tool does so here, after the terminal is restored.
 */
enum top_event { TOP_TIME, TOP_RESIZED, TOP_QUIT };
enum top_event top_screen_wait(int64_t until_ns);

#endif
