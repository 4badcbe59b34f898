/* plot_frame.c - the figure, its legend, the lines of the grid and the words at the axes */
/* SPDX-License-Identifier: Apache-2.0 */
#include "page/plot_frame.h"

#include <math.h>

const char *plot_frame_class(enum plot_colour colour)
{
	static const char *const class[] = {[PLOT_CPU] = "cpu",
	                                    [PLOT_GPU] = "gpu",
	                                    [PLOT_DEVICE] = "device",
	                                    [PLOT_REST] = "rest"};
	return class[colour];
}

void plot_frame_enter_figure(struct html *page, const struct plot_head *head, bool wide)
{
	html_enter(page, "figure", wide ? "wide" : NULL);
	html_enter(page, "figcaption", NULL);
	html_line(page, "b", NULL, "%s", head->title);
	if (head->note != NULL)
		html_line(page, "span", NULL, "%s", head->note);
	html_leave(page);
}

void plot_frame_add_key(struct html *page, const char *class, const char *shape, const char *name)
{
	html_enter(page, "li", NULL);
	html_put(page, "<i class=\"%s %s\"></i>", class, shape);
	html_text(page, "%s", name);
	html_leave(page);
}

double plot_frame_x(const struct plot_frame *frame, const struct plot_axis *axis, double value)
{
	return frame->left + (frame->right - frame->left) * plot_axis_place(axis, value);
}

double plot_frame_y(const struct plot_frame *frame, const struct plot_axis *axis, double value)
{
	return frame->bottom - (frame->bottom - frame->top) * plot_axis_place(axis, value);
}

void plot_frame_draw_line(struct html *page, double x1, double y1, double x2, double y2,
                          const char *class)
{
	html_put(page, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n", x1,
	         y1, x2, y2, class);
}

void plot_frame_write(struct html *page, double x, double y, const char *anchor, const char *class,
                      const char *text)
{
	html_put(page, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"%s\">", x, y, anchor,
	         class);
	html_text(page, "%s", text);
	html_put(page, "</text>\n");
}

/* The approximate width of a word; a letter of several bytes counts once. */
static double plot_frame_width(const char *word)
{
	int letters = 0;
	for (; *word != '\0'; word++)
		letters += ((unsigned char)*word & 0xc0) != 0x80;
	return letters * 6.4;
}

double plot_frame_left(const struct plot_axis *y)
{
	double left = 54;
	for (int i = 0; i < y->tick_count; i++)
		left = fmax(left, plot_frame_width(y->tick[i].label) + 8);
	return left;
}

static void plot_frame_draw_y(struct html *page, const struct plot_frame *frame,
                              const struct plot_axis *y)
{
	for (int i = 0; i < y->tick_count; i++) {
		const double at = plot_frame_y(frame, y, y->tick[i].value);
		plot_frame_draw_line(page, frame->left, at, frame->right, at, "grid");
		plot_frame_write(page, frame->left - 6, at + 3.5, "end", "tick", y->tick[i].label);
	}
}

static void plot_frame_draw_x(struct html *page, const struct plot_frame *frame,
                              const struct plot_axis *x)
{
	double free = -frame->width;
	for (int i = 0; i < x->tick_count; i++) {
		const double at = plot_frame_x(frame, x, x->tick[i].value);
		const double half = plot_frame_width(x->tick[i].label) / 2;
		plot_frame_draw_line(page, at, frame->bottom, at, frame->bottom + 4, "stroke");
		/* A label for which there is no room is left out. */
		if (at - half < free)
			continue;
		plot_frame_write(page, at, frame->bottom + 16, "middle", "tick", x->tick[i].label);
		free = at + half + 6;
	}
}

void plot_frame_begin_picture(struct html *page, const struct plot_frame *frame,
                              const struct plot_head *head, const struct plot_axis *x,
                              const struct plot_axis *y, const char *class)
{
	html_put(page, "<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\"", frame->width, frame->height);
	if (class != NULL)
		html_put(page, " class=\"%s\"", class);
	html_put(page, ">");
	html_line(page, "title", NULL, "%s", head->title);
	plot_frame_draw_y(page, frame, y);
	plot_frame_draw_line(page, frame->left, frame->bottom, frame->right, frame->bottom,
	                     "stroke");
	if (x != NULL)
		plot_frame_draw_x(page, frame, x);
	if (head->y_label != NULL)
		plot_frame_write(page, 0, frame->top - 12, "start", "axis", head->y_label);
	if (head->x_label != NULL)
		plot_frame_write(page, frame->right, frame->bottom + 32, "end", "axis",
		                 head->x_label);
}

void plot_frame_end_picture(struct html *page)
{
	html_put(page, "</svg>\n");
}
