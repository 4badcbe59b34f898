/* progress_bar.h - one line on stderr with a bar that shows progress, where stderr is a terminal */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMMON_PROGRESS_BAR_H
#define GPUSHIM_CLI_COMMON_PROGRESS_BAR_H

#include <stdbool.h>

/* From now on nothing is drawn; whether that was called, so that no words replace the bar. */
void progress_bar_hide(void);
bool progress_bar_is_hidden(void);

/*
 * Whether stderr is a terminal that can redraw a line. Where it is not, drawing and clearing do
 * nothing.
 */
bool progress_bar_is_seen(void);

/* Replaces the line. share: the part that is done; values outside 0 to 1 count as 0 or 1. */
void progress_bar_draw(double share, const char *format, ...) __attribute__((format(printf, 2, 3)));
void progress_bar_clear(void);

#endif
