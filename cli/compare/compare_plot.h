/* compare_plot.h - the runs of a side as points, in plain text */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMPARE_COMPARE_PLOT_H
#define GPUSHIM_CLI_COMPARE_COMPARE_PLOT_H

#include <stddef.h>

/*
 * Five lines of at most 80 columns on stdout: time upward, the order of the rounds to the right.
 * count is not 0.
 */
void compare_plot_print(const char *name, const double *times_ns, size_t count);

#endif
