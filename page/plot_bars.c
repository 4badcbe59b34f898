/* plot_bars.c - bars of parts, side by side with labels or adjacent over an axis */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "page/plot_frame.h"

enum { BARS_Y_TICKS = 4, BARS_X_TICKS = 5, BARS_X_TICKS_WIDE = 8 };

/* The width of a label below its bar, the gap between two parts, and the widest bar. */
static const double bars_label_width = 46, bars_gap = 1.5, bars_widest = 26;

/* A part's value; 0 for a value that an axis cannot show. */
static double plot_bars_value(const struct plot_bars *bars, int bar, int part)
{
	const double value = bars->value[bar][part];
	return isfinite(value) && value > 0 && value <= 1e300 ? value : 0;
}

static double plot_bars_sum(const struct plot_bars *bars, int bar)
{
	double sum = 0;
	for (int part = 0; part < bars->parts; part++)
		sum += plot_bars_value(bars, bar, part);
	return sum;
}

static void plot_bars_name(const struct plot_bars *bars, int bar, char out[PLOT_LABEL_BYTES])
{
	const double at = bars->begin + bar * bars->width;
	plot_label_write(bars->x_unit, at, bars->begin + bars->count * bars->width, out);
}

static void plot_bars_draw_part(struct html *page, const struct plot_bars *bars, int bar, int part,
                                const double box[4])
{
	char value[PLOT_LABEL_BYTES], name[PLOT_LABEL_BYTES] = "";
	plot_label_write(bars->unit, bars->value[bar][part], bars->value[bar][part], value);
	if (bars->label == NULL)
		plot_bars_name(bars, bar, name);
	html_put(page,
	         "<rect class=\"%s bar\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
	         "height=\"%.2f\"><title>",
	         plot_frame_class(bars->colour[part]), box[0], box[1], box[2], box[3]);
	html_text(page, "%s, %s: %s", bars->label == NULL ? name : bars->label[bar],
	          bars->part_name[part], value);
	html_put(page, "</title></rect>\n");
}

static void plot_bars_draw_bar(struct html *page, const struct plot_bars *bars,
                               const struct plot_frame *frame, const struct plot_axis *y, int bar)
{
	const double slot = (frame->right - frame->left) / bars->count;
	const double width =
		bars->label == NULL ? slot * (slot > 4 ? 0.9 : 1) : fmin(slot * 0.76, bars_widest);
	double below = 0;
	for (int part = 0; part < bars->parts; part++) {
		const double value = plot_bars_value(bars, bar, part);
		if (value == 0)
			continue;
		const double bottom = plot_frame_y(frame, y, below),
			     top = plot_frame_y(frame, y, below + value);
		const double gap = below > 0 && bottom - top > 3 * bars_gap && bars->label != NULL
		                           ? bars_gap
		                           : 0;
		/* A part of little value stays visible. */
		const double height = fmax(bottom - top - gap, 0.8);
		plot_bars_draw_part(page, bars, bar, part,
		                    (const double[4]){frame->left + slot * bar + (slot - width) / 2,
		                                      bottom - gap - height, width, height});
		below += value;
	}
}

static void plot_bars_draw_labels(struct html *page, const struct plot_bars *bars,
                                  const struct plot_frame *frame)
{
	const double slot = (frame->right - frame->left) / bars->count;
	const int stride = (int)ceil(bars_label_width / slot);
	for (int bar = 0; bar < bars->count; bar += stride)
		plot_frame_write(page, frame->left + slot * (bar + 0.5), frame->bottom + 16,
		                 "middle", "tick", bars->label[bar]);
}

static void plot_bars_draw_picture(struct html *page, const struct plot_bars *bars,
                                   const struct plot_frame *frame, const struct plot_axis *y,
                                   const char *class)
{
	struct plot_axis x = {.unit = bars->x_unit};
	if (bars->label == NULL) {
		plot_axis_note(&x, bars->begin);
		plot_axis_note(&x, bars->begin + bars->count * bars->width);
		plot_axis_fit(&x, frame->width > 400 ? BARS_X_TICKS_WIDE : BARS_X_TICKS);
		/* The axis ends where the bars end. */
		x.begin = bars->begin;
		x.end = bars->begin + bars->count * bars->width;
		while (x.tick_count > 0 && x.tick[x.tick_count - 1].value > x.end * (1 + 1e-9))
			x.tick_count--;
	}
	plot_frame_begin_picture(page, frame, &bars->head, bars->label == NULL ? &x : NULL, y,
	                         class);
	for (int bar = 0; bar < bars->count; bar++)
		plot_bars_draw_bar(page, bars, frame, y, bar);
	if (bars->label != NULL)
		plot_bars_draw_labels(page, bars, frame);
	plot_frame_end_picture(page);
}

/* A wide figure has two pictures; the style sheet shows the one that fits. */
static void plot_bars_draw_pictures(struct html *page, const struct plot_bars *bars,
                                    const struct plot_axis *y)
{
	const double left = plot_frame_left(y);
	const struct plot_frame narrow = {400, 222, left, 388, 26, 178},
				wide = {880, 222, left, 868, 26, 178};
	if (bars->wide)
		plot_bars_draw_picture(page, bars, &wide, y, "on-wide");
	plot_bars_draw_picture(page, bars, &narrow, y, bars->wide ? "on-narrow" : NULL);
}

void plot_bars_draw(struct html *page, const struct plot_bars *bars)
{
	struct plot_axis y = {.unit = bars->unit};
	bool any = false;
	plot_axis_note(&y, 0);
	for (int bar = 0; bar < bars->count; bar++) {
		const double sum = plot_bars_sum(bars, bar);
		any = any || sum > 0;
		plot_axis_note(&y, bars->whole ? 1 : sum);
	}
	plot_axis_fit(&y, BARS_Y_TICKS);
	plot_frame_enter_figure(page, &bars->head, bars->wide);
	if (any) {
		html_enter(page, "ul", "keys");
		for (int part = 0; part < bars->parts; part++)
			plot_frame_add_key(page, plot_frame_class(bars->colour[part]), "block",
			                   bars->part_name[part]);
		html_leave(page);
		plot_bars_draw_pictures(page, bars, &y);
	} else {
		html_line(page, "p", "nothing", "%s", bars->head.empty);
	}
	html_leave(page);
}
