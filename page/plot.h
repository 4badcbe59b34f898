/* plot.h - plots as SVG in a page: lines over size, bars; each tells where it has no data */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_PAGE_PLOT_H
#define GPUSHIM_PAGE_PLOT_H

#include "page/html.h"
#include "page/plot_axis.h"

/* The colour of a mark tells what it stands for, alike on all plots. */
enum plot_colour { PLOT_CPU, PLOT_GPU, PLOT_DEVICE, PLOT_REST };

enum plot_look {
	PLOT_DOTTED_LINE, /* measured points, joined by a line */
	PLOT_DOTS,        /* measured points without a line */
	PLOT_DASHES       /* predicted values: a dashed line without dots */
};

/* The head of a plot. empty: the sentence that replaces the plot where there is nothing to draw. */
struct plot_head {
	const char *title, *note, *empty;
	const char *x_label, *y_label;
};

struct plot_point {
	double x, y;
};

/*
 * name: in the legend. brief: at the line's end, at most ten letters, or NULL. Points are in
 * ascending order of x.
 */
struct plot_series {
	const char *name, *brief;
	enum plot_colour colour;
	enum plot_look look;
	const struct plot_point *point;
	int count;
};

/*
 * Scale and unit of the axes must be set. mark: an x that is marked with mark_label; NULL label:
 * none.
 */
struct plot_lines {
	struct plot_head head;
	struct plot_axis x, y;
	const struct plot_series *series;
	int series_count;
	double mark;
	const char *mark_label;
};

/*
 * Draws a figure. A point that does not fit on an axis is left out, and the line is broken there.
 */
void plot_lines_draw(struct html *page, const struct plot_lines *lines);

/*
 * The x from which on the second line stays below the first. Both have points at the same x in
 * ascending order; points that are not positive are left out. The first x where it is below
 * everywhere, 0 where it is not below at the last x.
 */
double plot_lines_meet(const struct plot_point *first, const struct plot_point *second, int count);

enum { PLOT_PARTS = 3 };

/*
 * Bars side by side, each of up to PLOT_PARTS parts stacked on one another. Labels are below the
 * bars, as many as there is room for. With label NULL the bars are adjacent over the axis x, each
 * of this width, the first from begin on.
 */
struct plot_bars {
	struct plot_head head;
	int parts, count;
	const char *part_name[PLOT_PARTS];
	enum plot_colour colour[PLOT_PARTS];
	const double (*value)[PLOT_PARTS]; /* count of them, 0 and more */
	const char *const *label;
	double begin, width;
	enum plot_unit unit, x_unit;
	bool whole; /* values are shares: the axis ends at 1 */
	bool wide;  /* takes both columns of a wide page */
};

void plot_bars_draw(struct html *page, const struct plot_bars *bars);

#endif
