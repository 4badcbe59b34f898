/* crossover_page.c - the curves as a page */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/crossover/crossover.h"
#include "page/plot.h"
#include "policy/text/human.h"

static const char *const page_way[CROSSOVER_WAYS] = {"CPU", "GPU, transfers and all",
                                                     "GPU, operands there already"};
static const char *const page_brief[CROSSOVER_WAYS] = {"CPU", "GPU", "no copies"};
static const enum plot_colour page_colour[CROSSOVER_WAYS] = {PLOT_CPU, PLOT_GPU, PLOT_DEVICE};

static void crossover_page_curve(struct html *page, const struct crossover_curve *curve)
{
	struct plot_point point[CROSSOVER_WAYS][CROSSOVER_POINTS];
	struct plot_series series[CROSSOVER_WAYS];
	char even[HUMAN_BYTES], mark[HUMAN_BYTES + 16];
	human_format_count((uint64_t)ceil(curve->even), even);
	snprintf(mark, sizeof mark, "even at %s", even);
	for (int way = 0; way < CROSSOVER_WAYS; way++) {
		series[way] =
			(struct plot_series){page_way[way],    page_brief[way], page_colour[way],
		                             PLOT_DOTTED_LINE, point[way],      curve->count};
		/* What was not measured is 0, which a logarithmic axis leaves out. */
		for (int i = 0; i < curve->count; i++)
			point[way][i] = (struct plot_point){(double)curve->point[i].size,
			                                    curve->point[i].seconds[way] * 1e9};
	}
	const struct plot_lines lines = {
		.head = {.title = curve->name,
	                 .note = curve->transform ? "one complex transform in place"
	                                          : "square matrices",
	                 .empty = "Nothing could be measured.",
	                 .x_label = curve->transform ? "points" : "n",
	                 .y_label = "time of a call"},
		.x = {.scale = PLOT_BINARY},
		.y = {.scale = PLOT_LOG, .unit = PLOT_TIME_NS},
		.series = series,
		.series_count = CROSSOVER_WAYS,
		.mark = curve->even,
		.mark_label = curve->even > 1 ? mark : NULL,
	};
	plot_lines_draw(page, &lines);
}

static void crossover_page_curves(struct html *page, const struct crossover *crossover,
                                  bool transform)
{
	html_enter(page, "div", "figures");
	for (int i = 0; i < crossover->curve_count; i++)
		if (crossover->curve[i].transform == transform)
			crossover_page_curve(page, &crossover->curve[i]);
	html_leave(page);
	html_leave(page);
}

/* The curve's figures as a table, for readers who do not see the plots or need the digits. */
static void crossover_page_table(struct html *page, const struct crossover_curve *curve)
{
	static const char *const head[] = {"size", "CPU", "GPU", "no copies", "CPU / GPU"};
	html_enter(page, "details", NULL);
	html_line(page, "summary", NULL, "%s in figures", curve->name);
	html_enter(page, "div", "table");
	html_enter(page, "table", NULL);
	html_row(page, head, 5, 0, true);
	for (int i = 0; i < curve->count; i++) {
		char text[5][HUMAN_BYTES];
		const double *seconds = curve->point[i].seconds;
		human_format_count((uint64_t)curve->point[i].size, text[0]);
		for (int way = 0; way < CROSSOVER_WAYS; way++)
			if (seconds[way] > 0)
				human_format_time((uint64_t)(seconds[way] * 1e9), text[1 + way]);
			else
				strcpy(text[1 + way], "-");
		strcpy(text[4], "-");
		if (seconds[CROSSOVER_CPU] > 0 && seconds[CROSSOVER_GPU] > 0)
			snprintf(text[4], HUMAN_BYTES, "%.3g",
			         seconds[CROSSOVER_CPU] / seconds[CROSSOVER_GPU]);
		html_row(page, (const char *const[]){text[0], text[1], text[2], text[3], text[4]},
		         5, 0, false);
	}
	for (int i = 0; i < 3; i++)
		html_leave(page);
}

/* The size from which on the GPU is faster, or that there is none. */
static void crossover_page_tile(struct html *page, const struct crossover_curve *curve)
{
	char even[HUMAN_BYTES] = "\u2013", what[96];
	if (curve->even > 0)
		human_format_count((uint64_t)ceil(curve->even), even);
	snprintf(what, sizeof what, "%s: %s", curve->name,
	         curve->even <= 0   ? "the GPU was not faster at the largest size"
	         : curve->transform ? "points from which on the GPU is faster"
	                            : "order from which on the GPU is faster");
	html_tile(page, even, what);
}

static void crossover_page_head(struct html *page, const struct crossover *crossover)
{
	html_line(page, "h1", NULL, "Where the GPU pays: %s", crossover->device.name);
	html_line(page, "p", "lead",
	          "%s beside %s, measured by bench/crossover: medians, warmed up and synchronised.",
	          crossover->missing[0] == '\0' ? crossover->blas.path : "no BLAS",
	          "FFTW, on all processors");
	if (crossover->device.simulated)
		html_line(page, "p", "warning",
		          "SIMULATED: this is the CUDA of the tests, which computes on the host. "
		          "No time here is a speed.");
	if (crossover->quick)
		html_line(page, "p", "warning",
		          "QUICK: a few small sizes, of which nothing follows.");
	html_enter(page, "div", "tiles");
	for (int i = 0; i < crossover->curve_count; i++)
		crossover_page_tile(page, &crossover->curve[i]);
	html_leave(page);
}

int crossover_page_write(const struct crossover *crossover, const char *path)
{
	struct html page;
	if (!html_start(&page, "gpushim: where the GPU pays"))
		return errno;
	crossover_page_head(&page, crossover);
	html_enter_section(&page, "Products",
	                   "C := A B of n x n matrices. Both axes are logarithmic.");
	crossover_page_curves(&page, crossover, false);
	html_enter_section(&page, "Transforms",
	                   "One dimension, in place, from an estimated plan on the CPU.");
	crossover_page_curves(&page, crossover, true);
	html_enter_section(&page, "In figures", NULL);
	for (int i = 0; i < crossover->curve_count; i++)
		crossover_page_table(&page, &crossover->curve[i]);
	html_leave(&page);
	return html_store(&page, path);
}
