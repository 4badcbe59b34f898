/* top_screen.h - the terminal while `gpushim top` has it */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_TOP_TOP_SCREEN_H
#define GPUSHIM_CLI_TOP_TOP_SCREEN_H

#include <stdbool.h>

#include "cli/top/top_view.h"

/* Whether stdout is a terminal that can be written to at any place. */
bool top_screen_is_usable(void);

/*
 * Takes the terminal: its other screen, without a cursor, keys one by one. It is given back by
 * top_screen_leave, at exit(), and before a signal that top_screen_wait has seen ends or stops the
 * tool.
 */
void top_screen_enter(void);
void top_screen_leave(void);

/* Its size and colours as they are now. */
void top_screen_measure(struct top_page *page);

/* Replaces what is there. false where the terminal is gone. */
bool top_screen_show(const char *text);

/*
 * Waits until the time (CLOCK_MONOTONIC), a key or another size. TOP_QUIT: the key was q. A signal
 * that ends the tool ends it here, with the terminal as it was.
 */
enum top_event { TOP_TIME, TOP_RESIZED, TOP_QUIT };
enum top_event top_screen_wait(int64_t until_ns);

#endif
