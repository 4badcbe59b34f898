/* plot_label.h - values with few digits and a unit that is easy to read */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_PAGE_PLOT_LABEL_H
#define GPUSHIM_PAGE_PLOT_LABEL_H

#include <stdbool.h>

enum plot_unit { PLOT_PLAIN, PLOT_TIME_NS, PLOT_SIZE_BYTES, PLOT_SHARE };

enum { PLOT_LABEL_BYTES = 32, PLOT_LABEL_DIGITS = 9 };

/*
 * Writes at most three digits in the unit that suits the value near: labels of one axis with the
 * same near have the same unit.
 */
void plot_label_write(enum plot_unit unit, double value, double near, char out[PLOT_LABEL_BYTES]);

/* The same with this many digits, at most PLOT_LABEL_DIGITS. */
void plot_label_write_digits(enum plot_unit unit, double value, double near, int digits,
                             char out[PLOT_LABEL_BYTES]);

/* Writes 2 with a raised exponent. false where the value is not a power of two, or below 2. */
bool plot_label_write_power(double value, char out[PLOT_LABEL_BYTES]);

#endif
