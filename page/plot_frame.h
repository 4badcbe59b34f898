/* plot_frame.h - the parts that plots share: the figure, the legend, the grid */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_PAGE_PLOT_FRAME_H
#define GPUSHIM_PAGE_PLOT_FRAME_H

#include "page/plot.h"

/* In units of the picture, which is scaled to the width of the page; letters are 11 high. */
struct plot_frame {
	double width, height, left, right, top, bottom; /* edges of the area between the axes */
};

/* The style sheet's class for the colour; its elements are drawn in var(--c). */
const char *plot_frame_class(enum plot_colour colour);

/* The left edge of the area between the axes, with room for the labels of y. */
double plot_frame_left(const struct plot_axis *y);

/* Opens a figure with title and note; afterwards html_leave. wide: over both columns. */
void plot_frame_enter_figure(struct html *page, const struct plot_head *head, bool wide);

/* A key of the legend, inside html_enter(page, "ul", "keys"). */
void plot_frame_add_key(struct html *page, const char *class, const char *shape, const char *name);

/*
 * Opens a picture with its grid and the labels of its axes; afterwards plot_frame_end_picture.
 * class and x may be NULL.
 */
void plot_frame_begin_picture(struct html *page, const struct plot_frame *frame,
                              const struct plot_head *head, const struct plot_axis *x,
                              const struct plot_axis *y, const char *class);
void plot_frame_end_picture(struct html *page);

double plot_frame_x(const struct plot_frame *frame, const struct plot_axis *axis, double value);
double plot_frame_y(const struct plot_frame *frame, const struct plot_axis *axis, double value);

/* Draws a straight line between two points. */
void plot_frame_draw_line(struct html *page, double x1, double y1, double x2, double y2,
                          const char *class);

/* Writes a word; anchor: start, middle or end. */
void plot_frame_write(struct html *page, double x, double y, const char *anchor, const char *class,
                      const char *text);

#endif
