/* plot_axis.c - ends and ticks: 1, 2, 5 and their powers of ten, decades, powers of two */
/* SPDX-License-Identifier: Apache-2.0 */
#include "page/plot_axis.h"

#include <math.h>
#include <stddef.h>

#define PLOT_AXIS_MOST 1e300
#define PLOT_AXIS_LEAST 1e-300
#define PLOT_AXIS_PLAIN_POWERS 16384.0

bool plot_axis_takes(const struct plot_axis *axis, double value)
{
	return isfinite(value) && fabs(value) <= PLOT_AXIS_MOST &&
	       (axis->scale == PLOT_LINEAR || value >= PLOT_AXIS_LEAST);
}

void plot_axis_note(struct plot_axis *axis, double value)
{
	if (!plot_axis_takes(axis, value))
		return;
	axis->least = axis->noted ? fmin(axis->least, value) : value;
	axis->most = axis->noted ? fmax(axis->most, value) : value;
	axis->noted = true;
}

static void plot_axis_add(struct plot_axis *axis, double value, double near, int digits)
{
	if (axis->tick_count == PLOT_TICKS)
		return;
	struct plot_tick *tick = &axis->tick[axis->tick_count++];
	tick->value = value;
	/* 33,554,432 is hard to read: 2 with an exponent is not. */
	if (axis->scale == PLOT_BINARY && near > PLOT_AXIS_PLAIN_POWERS &&
	    plot_label_write_power(value, tick->label))
		return;
	/* From 1 to 2^26 there is no common unit. */
	if (axis->scale == PLOT_BINARY && axis->unit == PLOT_PLAIN)
		near = value;
	plot_label_write_digits(axis->unit, value, near, digits, tick->label);
}

/* The least of 1, 2 and 5 times a power of ten that is not below step, but for rounding. */
static double plot_axis_round_step(double step)
{
	const double decade = pow(10, floor(log10(step) + 1e-9));
	const double digit = step / decade - 1e-6;
	return decade * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

/* The unit in which steps are round: 20 min, not 16.7. */
static double plot_axis_find_factor(enum plot_unit unit, double near)
{
	if (unit != PLOT_TIME_NS)
		return 1;
	return near >= 2 * 86400e9  ? 86400e9
	       : near >= 2 * 3600e9 ? 3600e9
	       : near >= 120e9      ? 60e9
	                            : 1;
}

static void plot_axis_fit_linear(struct plot_axis *axis, int wanted)
{
	double least = axis->noted ? axis->least : 0, most = axis->noted ? axis->most : 1;
	const double size = fmax(fabs(least), fabs(most));
	/* One value, or values that differ by rounding only. */
	if (most - least <= 1e-6 * size || size < PLOT_AXIS_LEAST) {
		least -= size / 2;
		most += size < PLOT_AXIS_LEAST ? 1 : size / 2;
		if (axis->noted && axis->least >= 0)
			least = 0;
	}
	const double near = fmax(fabs(least), fabs(most)),
		     factor = plot_axis_find_factor(axis->unit, near);
	const double step = plot_axis_round_step((most - least) / factor / wanted) * factor;
	/* As many digits as distinguish neighbouring ticks. */
	const int digits = (int)ceil(log10(near / step)) + 1;
	const double first = floor(least / step + 1e-9), last = ceil(most / step - 1e-9);
	axis->begin = first * step;
	axis->end = last * step;
	const int steps = (int)(last - first);
	for (int i = 0; i <= steps; i++)
		plot_axis_add(axis, (first + i) * step, near, digits < 3 ? 3 : digits);
}

/* The k-th of 1, 2, 5, 10, ...; and the k of a value, rounded down or up. */
static double plot_axis_round_value(int k)
{
	static const double digit[] = {1, 2, 5};
	const int decade = (int)floor(k / 3.0);
	/* Powers below 1 are computed by division, so that 0.1 equals the literal 0.1. */
	return decade < 0 ? digit[k - 3 * decade] / pow(10, -decade)
	                  : digit[k - 3 * decade] * pow(10, decade);
}

static int plot_axis_find_round(double value, bool up)
{
	int k = 3 * (int)floor(log10(value)) - 1;
	while (plot_axis_round_value(k + 1) <= value * (1 + 1e-9))
		k++;
	return up && plot_axis_round_value(k) < value * (1 - 1e-9) ? k + 1 : k;
}

/* Decades from tick to tick, so that about `wanted` ticks are left. */
static int plot_axis_find_stride(int decades, int wanted)
{
	static const int strides[] = {1, 2, 3, 5, 10, 20, 50, 100};
	size_t i = 0;
	while (i + 1 < sizeof strides / sizeof strides[0] && decades / strides[i] > wanted)
		i++;
	return strides[i];
}

/* Powers of ten are round in seconds, but not in minutes. */
static void plot_axis_add_round(struct plot_axis *axis, double value)
{
	plot_axis_add(axis, value, axis->unit == PLOT_TIME_NS ? fmin(value, 1e9) : value, 3);
}

static void plot_axis_fit_log(struct plot_axis *axis, int wanted)
{
	int first = axis->noted ? plot_axis_find_round(axis->least, false) : 0;
	int last = axis->noted ? plot_axis_find_round(axis->most, true) : 3;
	if (last - first < 2) {
		first--;
		last = first + 3;
	}
	axis->begin = plot_axis_round_value(first);
	axis->end = plot_axis_round_value(last);
	/* All of them, or powers of ten, or every second, third, ... of those. */
	const int stride =
		last - first <= wanted ? 1 : 3 * plot_axis_find_stride((last - first) / 3, wanted);
	for (int k = first; k <= last; k++)
		if (k % stride == 0)
			plot_axis_add_round(axis, plot_axis_round_value(k));
}

static void plot_axis_fit_binary(struct plot_axis *axis, int wanted)
{
	int first = axis->noted ? (int)floor(log2(axis->least) + 1e-9) : 0;
	int last = axis->noted ? (int)ceil(log2(axis->most) - 1e-9) : 4;
	if (last == first) {
		first--;
		last++;
	}
	axis->begin = exp2(first);
	axis->end = exp2(last);
	const int stride = (last - first) / (wanted + 1) + 1;
	for (int k = (int)ceil((double)first / stride) * stride; k <= last; k += stride)
		plot_axis_add(axis, exp2(k), axis->end, 3);
}

void plot_axis_fit(struct plot_axis *axis, int wanted)
{
	axis->tick_count = 0;
	switch (axis->scale) {
	case PLOT_LINEAR: plot_axis_fit_linear(axis, wanted); break;
	case PLOT_LOG: plot_axis_fit_log(axis, wanted); break;
	case PLOT_BINARY: plot_axis_fit_binary(axis, wanted); break;
	}
}

double plot_axis_place(const struct plot_axis *axis, double value)
{
	if (axis->scale == PLOT_LINEAR)
		return value / (axis->end - axis->begin) - axis->begin / (axis->end - axis->begin);
	return (log2(value) - log2(axis->begin)) / (log2(axis->end) - log2(axis->begin));
}
