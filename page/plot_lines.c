/* plot_lines.c - lines and points over two axes, with names at their ends */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "page/plot_frame.h"

enum { LINES_X_TICKS = 6, LINES_Y_TICKS = 5, LINES_NAMES = 8 };

static const double lines_name_height = 13;

static const char *const lines_shape[] = {
	[PLOT_DOTTED_LINE] = "line", [PLOT_DOTS] = "dot", [PLOT_DASHES] = "dashes"};

/* The position of a line's name. */
struct lines_name {
	double y;
	const struct plot_series *series;
};

static bool plot_lines_has(const struct plot_lines *lines, const struct plot_point *point)
{
	return plot_axis_takes(&lines->x, point->x) && plot_axis_takes(&lines->y, point->y);
}

/* Fits the axes to all points. Returns whether there is any point. */
static bool plot_lines_fit(struct plot_lines *lines)
{
	for (int i = 0; i < lines->series_count; i++)
		for (int j = 0; j < lines->series[i].count; j++) {
			const struct plot_point *point = &lines->series[i].point[j];
			if (!plot_lines_has(lines, point))
				continue;
			plot_axis_note(&lines->x, point->x);
			plot_axis_note(&lines->y, point->y);
		}
	plot_axis_fit(&lines->x, LINES_X_TICKS);
	plot_axis_fit(&lines->y, LINES_Y_TICKS);
	return lines->x.noted;
}

/* Draws the line, broken where points are missing. */
static void plot_lines_draw_path(struct html *page, const struct plot_lines *lines,
                                 const struct plot_frame *frame, const struct plot_series *series)
{
	bool drawing = false;
	html_put(page, "<path class=\"%s %s\" d=\"", plot_frame_class(series->colour),
	         lines_shape[series->look]);
	for (int i = 0; i < series->count; i++) {
		const struct plot_point *point = &series->point[i];
		const bool has = plot_lines_has(lines, point);
		if (has)
			html_put(page, "%s%.1f %.1f", drawing ? "L" : "M",
			         plot_frame_x(frame, &lines->x, point->x),
			         plot_frame_y(frame, &lines->y, point->y));
		drawing = has;
	}
	html_put(page, "\"/>\n");
}

/*
 * Draws a ring around points of a dashed line that have no neighbour: nothing else would show them.
 */
static void plot_lines_draw_rings(struct html *page, const struct plot_lines *lines,
                                  const struct plot_frame *frame, const struct plot_series *series)
{
	for (int i = 0; i < series->count; i++) {
		const struct plot_point *point = &series->point[i];
		if (!plot_lines_has(lines, point) || (i > 0 && plot_lines_has(lines, point - 1)) ||
		    (i + 1 < series->count && plot_lines_has(lines, point + 1)))
			continue;
		html_put(page, "<circle class=\"%s ring\" cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\"/>\n",
		         plot_frame_class(series->colour), plot_frame_x(frame, &lines->x, point->x),
		         plot_frame_y(frame, &lines->y, point->y));
	}
}

static void plot_lines_draw_dots(struct html *page, const struct plot_lines *lines,
                                 const struct plot_frame *frame, const struct plot_series *series)
{
	char x[PLOT_LABEL_BYTES], y[PLOT_LABEL_BYTES];
	for (int i = 0; i < series->count; i++) {
		const struct plot_point *point = &series->point[i];
		if (!plot_lines_has(lines, point))
			continue;
		plot_label_write(lines->x.unit, point->x, point->x, x);
		plot_label_write(lines->y.unit, point->y, point->y, y);
		html_put(page, "<circle class=\"%s dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"%s\"><title>",
		         plot_frame_class(series->colour), plot_frame_x(frame, &lines->x, point->x),
		         plot_frame_y(frame, &lines->y, point->y),
		         series->look == PLOT_DOTS ? "4" : "3");
		html_text(page, "%s: %s at %s", series->name, y, x);
		html_put(page, "</title></circle>\n");
	}
}

/* Draws a thin line at the marked x, and its word on the side that has more room. */
static void plot_lines_draw_mark(struct html *page, const struct plot_lines *lines,
                                 const struct plot_frame *frame)
{
	if (lines->mark_label == NULL || !plot_axis_takes(&lines->x, lines->mark))
		return;
	const double place = plot_axis_place(&lines->x, lines->mark);
	if (!(place >= 0 && place <= 1))
		return;
	const double at = plot_frame_x(frame, &lines->x, lines->mark);
	plot_frame_draw_line(page, at, frame->top, at, frame->bottom, "mark");
	plot_frame_write(page, place < 0.5 ? at + 5 : at - 5, frame->top + 8,
	                 place < 0.5 ? "start" : "end", "axis", lines->mark_label);
}

/*
 * Writes names at the ends of their lines, from top to bottom; where two would overlap, the lower
 * one moves down.
 */
static void plot_lines_draw_names(struct html *page, const struct plot_lines *lines,
                                  const struct plot_frame *frame)
{
	struct lines_name names[LINES_NAMES];
	int count = 0;
	for (int i = 0; i < lines->series_count && count < LINES_NAMES; i++) {
		const struct plot_series *series = &lines->series[i];
		int last = series->count - 1;
		while (last >= 0 && !plot_lines_has(lines, &series->point[last]))
			last--;
		if (series->brief == NULL || last < 0)
			continue;
		const double y = plot_frame_y(frame, &lines->y, series->point[last].y);
		int at = count++;
		for (; at > 0 && names[at - 1].y > y; at--)
			names[at] = names[at - 1];
		names[at] = (struct lines_name){y, series};
	}
	double least = frame->top;
	for (int i = 0; i < count; i++) {
		/* Leaves room for the names below. */
		const double most = frame->bottom - (count - 1 - i) * lines_name_height;
		const double y = fmin(fmax(names[i].y, least), most);
		plot_frame_write(page, frame->right + 8, y + 3.5, "start",
		                 plot_frame_class(names[i].series->colour), names[i].series->brief);
		least = y + lines_name_height;
	}
}

static void plot_lines_draw_picture(struct html *page, const struct plot_lines *lines)
{
	const struct plot_frame frame = {400, 262, plot_frame_left(&lines->y), 336, 26, 218};
	plot_frame_begin_picture(page, &frame, &lines->head, &lines->x, &lines->y, NULL);
	plot_lines_draw_mark(page, lines, &frame);
	for (int i = 0; i < lines->series_count; i++)
		if (lines->series[i].look != PLOT_DOTS)
			plot_lines_draw_path(page, lines, &frame, &lines->series[i]);
	for (int i = 0; i < lines->series_count; i++)
		if (lines->series[i].look == PLOT_DASHES)
			plot_lines_draw_rings(page, lines, &frame, &lines->series[i]);
		else
			plot_lines_draw_dots(page, lines, &frame, &lines->series[i]);
	plot_lines_draw_names(page, lines, &frame);
	plot_frame_end_picture(page);
}

void plot_lines_draw(struct html *page, const struct plot_lines *given)
{
	struct plot_lines lines = *given;
	plot_frame_enter_figure(page, &lines.head, false);
	if (plot_lines_fit(&lines)) {
		html_enter(page, "ul", "keys");
		for (int i = 0; i < lines.series_count; i++)
			if (lines.series[i].count > 0)
				plot_frame_add_key(page, plot_frame_class(lines.series[i].colour),
				                   lines_shape[lines.series[i].look],
				                   lines.series[i].name);
		html_leave(page);
		plot_lines_draw_picture(page, &lines);
	} else {
		html_line(page, "p", "nothing", "%s", lines.head.empty);
	}
	html_leave(page);
}

static bool plot_lines_is_positive(const struct plot_point *point)
{
	return isfinite(point->x) && isfinite(point->y) && point->x > 0 && point->y > 0;
}

/* Between two points, lines are straight on two logarithmic axes, as they are drawn. */
static double plot_lines_cross(double x, double next_x, double ratio, double next_ratio)
{
	return x * pow(next_x / x, log(ratio) / (log(ratio) - log(next_ratio)));
}

double plot_lines_meet(const struct plot_point *first, const struct plot_point *second, int count)
{
	double next_x = 0, next_ratio = 0;
	for (int i = count - 1; i >= 0; i--) {
		if (!plot_lines_is_positive(&first[i]) || !plot_lines_is_positive(&second[i]))
			continue;
		const double ratio = second[i].y / first[i].y;
		if (ratio >= 1)
			return next_x > 0 ? plot_lines_cross(first[i].x, next_x, ratio, next_ratio)
			                  : 0;
		next_x = first[i].x;
		next_ratio = ratio;
	}
	return next_x;
}
