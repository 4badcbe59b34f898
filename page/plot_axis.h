/* plot_axis.h - maps values to an axis: its ends, and round ticks */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_PAGE_PLOT_AXIS_H
#define GPUSHIM_PAGE_PLOT_AXIS_H

#include <stdbool.h>

#include "page/plot_label.h"

/* PLOT_BINARY is logarithmic with ticks at powers of two. */
enum plot_scale { PLOT_LINEAR, PLOT_LOG, PLOT_BINARY };

enum { PLOT_TICKS = 16 };

struct plot_tick {
	double value;
	char label[PLOT_LABEL_BYTES];
};

/* Begins with scale and unit set, all else zero. */
struct plot_axis {
	enum plot_scale scale;
	enum plot_unit unit;
	bool noted;
	double least, most; /* least and greatest of the noted values */
	/* after plot_axis_fit: finite, begin < end; positive on a logarithmic scale */
	double begin, end;
	int tick_count;
	struct plot_tick tick[PLOT_TICKS]; /* at least one, ascending, within the axis */
};

/* Whether the axis can show a value: finite, within 1e300, above 1e-300 on a logarithmic scale. */
bool plot_axis_takes(const struct plot_axis *axis, double value);

/* Extends the axis to a value; a value that it cannot show is ignored. */
void plot_axis_note(struct plot_axis *axis, double value);

/*
 * Sets the ends and about `wanted` ticks (2 to 10). Without noted values the axis goes from 0 or 1
 * to 1 or 10.
 */
void plot_axis_fit(struct plot_axis *axis, int wanted);

/* The position of a value: 0 at begin, 1 at end, beyond that outside. */
double plot_axis_place(const struct plot_axis *axis, double value);

#endif
