/* cli_top_screen.h - the terminal while `gpushim top` has it */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CLI_TOP_SCREEN_H
#define GPUSHIM_CLI_CLI_TOP_SCREEN_H

#include <stdbool.h>

#include "cli/cli_top_view.h"

/* Whether stdout is a terminal that can be written to at any place. */
bool cli_top_screen_is_usable(void);

/*
 * Takes the terminal: its other screen, without a cursor, keys one by one. It is given back by cli_top_screen_leave, at
 * exit(), and before a signal that cli_top_screen_wait has seen ends or stops the tool.
 */
void cli_top_screen_enter(void);
void cli_top_screen_leave(void);

/* Its size and colours as they are now. */
void cli_top_screen_measure(struct cli_top_page *page);

/* Replaces what is there. false where the terminal is gone. */
bool cli_top_screen_show(const char *text);

/*
 * Waits until the time (CLOCK_MONOTONIC), a key or another size. CLI_TOP_QUIT: the key was q. A signal that ends the
 * tool ends it here, with the terminal as it was.
 */
enum cli_top_event { CLI_TOP_TIME, CLI_TOP_RESIZED, CLI_TOP_QUIT };
enum cli_top_event cli_top_screen_wait(int64_t until_ns);

#endif
