/* plot_frame.h - what plots have in common: the figure around them, the legend, the grid */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_PAGE_PLOT_FRAME_H
#define GPUSHIM_PAGE_PLOT_FRAME_H

#include "page/plot.h"

/* In units of the picture, which is scaled to the width that there is: letters are 11 high. */
struct plot_frame {
	double width, height, left, right, top, bottom; /* edges of what is inside the axes */
};

/* A class of the style sheet: what has it is drawn in var(--c). */
const char *plot_frame_class(enum plot_colour colour);

/* Where the axes' inside begins, with room for the labels of y on its left. */
double plot_frame_left(const struct plot_axis *y);

/* A figure with title and note; afterwards html_leave. wide: over both columns. */
void plot_frame_enter_figure(struct html *page, const struct plot_head *head, bool wide);

void plot_frame_begin_keys(struct html *page);
void plot_frame_add_key(struct html *page, const char *class, const char *shape, const char *name);
void plot_frame_end_keys(struct html *page);

/*
 * A picture, its grid and the axes' labels; afterwards plot_frame_end_picture. class may be NULL. x
 * may be NULL.
 */
void plot_frame_begin_picture(struct html *page, const struct plot_frame *frame,
                              const struct plot_head *head, const struct plot_axis *x,
                              const struct plot_axis *y, const char *class);
void plot_frame_end_picture(struct html *page);

double plot_frame_x(const struct plot_frame *frame, const struct plot_axis *axis, double value);
double plot_frame_y(const struct plot_frame *frame, const struct plot_axis *axis, double value);

/* A word in the picture; anchor: start, middle or end. */
void plot_frame_write(struct html *page, double x, double y, const char *anchor, const char *class,
                      const char *text);

#endif
