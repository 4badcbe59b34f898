/* plot_label.h - values as ticks and tips have them: few digits, and a unit that all can read */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_PAGE_PLOT_LABEL_H
#define GPUSHIM_PAGE_PLOT_LABEL_H

#include <stdbool.h>

enum plot_unit { PLOT_PLAIN, PLOT_TIME_NS, PLOT_SIZE_BYTES, PLOT_SHARE };

enum { PLOT_LABEL_BYTES = 32, PLOT_LABEL_DIGITS = 9 };

/*
 * Three digits at most, in the unit that near fills: ticks of one axis have the same one where near
 * is.
 */
void plot_label_write(enum plot_unit unit, double value, double near, char out[PLOT_LABEL_BYTES]);

/* The same with so many digits, at most PLOT_LABEL_DIGITS. */
void plot_label_write_digits(enum plot_unit unit, double value, double near, int digits,
                             char out[PLOT_LABEL_BYTES]);

/* 2 with its power raised. false where value is no power of two, 2 and more. */
bool plot_label_write_power(double value, char out[PLOT_LABEL_BYTES]);

#endif
