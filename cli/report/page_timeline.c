/* page_timeline.c - bars: the share of the time spent in calls on each side, over the whole run */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "cli/report/page_part.h"

enum { TIMELINE_BARS = 128 };

/* The time that processes ran between begin_ns and end_ns, summed over the processes. */
static double page_timeline_lived(const struct log_sum *sum, double begin_ns, double end_ns)
{
	double lived_ns = 0;
	for (size_t i = 0; i < sum->process_count; i++) {
		const struct log_process *process = &sum->processes[i];
		if (process->first_ns >= 0)
			lived_ns += fmax(fmin((double)process->last_ns, end_ns) -
			                         fmax((double)process->first_ns, begin_ns),
			                 0);
	}
	return lived_ns;
}

/*
 * Shares of the run time of the processes, or of the time in calls where that is more, as several
 * threads may call at a time.
 */
static void page_timeline_share(const struct log_sum *sum, size_t first, size_t moments,
                                double value[PLOT_PARTS])
{
	double in_calls_ns[2] = {0, 0};
	for (size_t i = first; i < first + moments && i < sum->timeline.count; i++)
		for (int side = 0; side < 2; side++)
			in_calls_ns[side] += sum->timeline.moments[i].elapsed_ns[side];
	const double begin_ns =
		(double)sum->timeline.begin_ns + (double)first * (double)sum->timeline.moment_ns;
	const double lived_ns = page_timeline_lived(
		sum, begin_ns, begin_ns + (double)moments * (double)sum->timeline.moment_ns);
	const double whole_ns = fmax(lived_ns, in_calls_ns[0] + in_calls_ns[1]);
	value[TARGET_CPU] = whole_ns > 0 ? in_calls_ns[TARGET_CPU] / whole_ns : 0;
	value[TARGET_GPU] = whole_ns > 0 ? in_calls_ns[TARGET_GPU] / whole_ns : 0;
	value[2] = whole_ns > 0 ? fmax(1 - value[TARGET_CPU] - value[TARGET_GPU], 0) : 0;
}

void page_part_put_timeline(struct html *page, const struct log_sum *sum)
{
	static double value[LOG_MOMENTS][PLOT_PARTS];
	const size_t moments = (sum->timeline.count + TIMELINE_BARS - 1) / TIMELINE_BARS;
	int count = 0;
	for (size_t first = 0; first < sum->timeline.count; first += moments)
		page_timeline_share(sum, first, moments, value[count++]);
	const struct plot_bars bars = {
		.head = {.title = "Time in calls",
	                 .note = sum->process_count > 1 ? "share of the time of all processes"
	                                                : "share of the process's time",
	                 .empty = "No call of the log was timed, or none says when it was.",
	                 .x_label = "since the first call"},
		.parts = 3,
		.count = count,
		.part_name = {"on the CPU", "on the GPU", "not in calls"},
		.colour = {PLOT_CPU, PLOT_GPU, PLOT_REST},
		.value = (const double(*)[PLOT_PARTS])value,
		.width = (double)moments * (double)sum->timeline.moment_ns,
		.unit = PLOT_SHARE,
		.x_unit = PLOT_TIME_NS,
		.whole = true,
		.wide = true,
	};
	html_enter_section(page, "When", NULL);
	html_enter(page, "div", "figures");
	plot_bars_draw(page, &bars);
	html_leave(page);
	html_leave(page);
}
