/* progress_bar.h - one line with a bar on stderr, where that is a terminal: how far something is */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMMON_PROGRESS_BAR_H
#define GPUSHIM_CLI_COMMON_PROGRESS_BAR_H

#include <stdbool.h>

/*
 * Whether there is a terminal that can draw a line anew; elsewhere drawing and clearing do nothing.
 */
bool progress_bar_is_seen(void);

/*
 * The line takes the place of the one before it. share: 0 to 1, what is beyond counts as the bound.
 */
void progress_bar_draw(double share, const char *format, ...) __attribute__((format(printf, 2, 3)));
void progress_bar_clear(void);

#endif
