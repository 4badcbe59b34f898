/* plot.h - plots as SVG in a page: lines over size, bars, a timeline; each says so where it has nothing to show */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_PAGE_PLOT_H
#define GPUSHIM_PAGE_PLOT_H

#include "page/html.h"
#include "page/plot_axis.h"

/* What a mark stands for decides its colour, on all plots of all pages. */
enum plot_colour { PLOT_CPU, PLOT_GPU, PLOT_DEVICE, PLOT_REST };

enum plot_look {
	PLOT_DOTTED_LINE, /* measured points in a row: a line with dots */
	PLOT_DOTS,        /* measured points by themselves */
	PLOT_DASHES       /* expected: no points of its own */
};

/* What is at the head of each plot. empty: the sentence in its place where nothing can be drawn. */
struct plot_head {
	const char *title, *note, *empty;
	const char *x_label, *y_label;
};

struct plot_point {
	double x, y;
};

/*
 * name: in the legend; brief: at the line's end, at most ten letters, or NULL. Points in the order
 * of x.
 */
struct plot_series {
	const char *name, *brief;
	enum plot_colour colour;
	enum plot_look look;
	const struct plot_point *point;
	int count;
};

/* Axes with scale and unit set. mark: an x to be pointed out, with a word; 0 or NULL for none. */
struct plot_lines {
	struct plot_head head;
	struct plot_axis x, y;
	const struct plot_series *series;
	int series_count;
	double mark;
	const char *mark_label;
};

/*
 * A figure of its own. A point that has no place on an axis is left out, and the line is broken
 * there.
 */
void plot_lines_draw(struct html *page, const struct plot_lines *lines);

/*
 * The x from which on the second line stays below the first, of points at the same x in ascending
 * order; points that are not positive are passed over. The first x where it is below it everywhere,
 * 0 where it is not at the last.
 */
double plot_meet_find(const struct plot_point *first, const struct plot_point *second, int count);

enum { PLOT_PARTS = 3 };

/*
 * Bars side by side, each of up to PLOT_PARTS parts on one another. Labels stand below the bars, as
 * many as have room; with labels NULL the bars are next to each other over the axis x, from begin
 * on and each so wide.
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
	bool whole; /* the axis goes to 1 and no further: shares */
	bool wide;  /* takes both columns of a wide page */
};

void plot_bars_draw(struct html *page, const struct plot_bars *bars);

#endif
