/* plot_axis.h - from values to an axis: where it begins and ends, and ticks that people would choose */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_PAGE_PLOT_AXIS_H
#define GPUSHIM_PAGE_PLOT_AXIS_H

#include <stdbool.h>

#include "page/plot_label.h"

/* PLOT_BINARY is a logarithmic one for powers of two. */
enum plot_scale { PLOT_LINEAR, PLOT_LOG, PLOT_BINARY };

enum { PLOT_TICKS = 16 };

struct plot_tick {
	double value;
	char label[PLOT_LABEL_BYTES];
};

/* Start with scale and unit, all else zero. */
struct plot_axis {
	enum plot_scale scale;
	enum plot_unit unit;
	bool noted;
	double least, most; /* of the values noted */
	double begin,
		end; /* after plot_axis_fit: finite, begin < end; positive where the scale is logarithmic */
	int tick_count;
	struct plot_tick tick[PLOT_TICKS]; /* ascending, within the axis; at least one */
};

/*
 * Whether a value has a place: finite, within 1e300, and above 1e-300 where the scale is
 * logarithmic.
 */
bool plot_axis_takes(const struct plot_axis *axis, double value);

/* Makes room for a value; one that has no place is passed over. */
void plot_axis_note(struct plot_axis *axis, double value);

/*
 * Decides ends and ticks, about so many of these (2 to 10). With nothing noted the axis is from 0
 * or 1 to 1 or 10.
 */
void plot_axis_fit(struct plot_axis *axis, int wanted);

/* Where a value is, 0 to 1 from begin to end, beyond that for values beyond. */
double plot_axis_place(const struct plot_axis *axis, double value);

#endif
