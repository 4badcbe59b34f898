/* page_curves.c - plots for each routine: measured and expected time of a call against its size */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>

#include "cli/common/call_problem.h"
#include "cli/report/page_part.h"
#include "policy/decide/cost.h"

enum { CURVES_MOST = 8, CURVES_SERIES = 5, CURVES_POINTS = 64 };

/* A curve of count points. */
struct curves_points {
	struct plot_point point[CURVES_POINTS];
	int count;
};

/*
 * measured: mean times of the calls on each side. expected: of all calls, for each side. there: of
 * square problems on the GPU without transfers.
 */
struct page_curves {
	struct curves_points measured[2], expected[2], there;
};

/* Adds the mean time at the mean size; nothing where count is 0. */
static void page_curves_add(struct curves_points *points, const struct log_tally *tally,
                            double time_ns, uint64_t count)
{
	if (count > 0)
		points->point[points->count++] = (struct plot_point){
			tally->size_bytes / (double)tally->calls, time_ns / (double)count};
}

static void page_curves_find(struct page_curves *curves, const struct log_sum *sum,
                             const struct report_routine *routine)
{
	struct log_sides rows[LOG_BUCKETS] = {0};
	*curves = (struct page_curves){0};
	for (size_t i = 0; i < sum->cell_count; i++) {
		const struct log_cell *cell = &sum->cells[i];
		if (cell->family == routine->family && cell->element == routine->element)
			log_sum_add_tally(&rows[cell->bucket].side[cell->target], &cell->tally);
	}
	/* Bucket 0 has unknown sizes. */
	for (int i = 1; i < LOG_BUCKETS; i++) {
		const struct log_tally both = report_group_both(&rows[i]);
		for (int side = 0; side < 2; side++) {
			const struct log_tally *tally = &rows[i].side[side];
			page_curves_add(&curves->measured[side], tally, tally->elapsed_ns,
			                tally->timed);
		}
		page_curves_add(&curves->expected[TARGET_CPU], &both, both.predicted_cpu_ns,
		                both.predicted);
		page_curves_add(&curves->expected[TARGET_GPU], &both, both.predicted_gpu_ns,
		                both.predicted);
	}
}

/* The range of sizes of the routine's calls; false where none is timed. */
static bool page_curves_range(const struct page_curves *curves, double *least, double *most)
{
	*least = INFINITY;
	*most = 0;
	for (int side = 0; side < 2; side++) {
		const struct curves_points *points = &curves->measured[side];
		if (points->count == 0)
			continue;
		*least = fmin(*least, points->point[0].x);
		*most = fmax(*most, points->point[points->count - 1].x);
	}
	return *most > 0;
}

/* Squares whose orders grow by a factor of sqrt(2), with all operands on the device. */
static void page_curves_add_squares(struct page_curves *curves, const struct machine *machine,
                                    const struct report_routine *routine)
{
	struct cost_setting setting = {.cpu_threads = 1};
	double least, most;
	for (int i = 0; i < OPERAND_COUNT; i++)
		setting.place[i] = COST_DEVICE;
	if (machine == NULL || routine->family < 0 || routine->element < 0 ||
	    family_is_batch((enum family)routine->family) ||
	    !page_curves_range(curves, &least, &most))
		return;
	struct call_problem problem = {.family = (enum family)routine->family,
	                               .element = (enum element)routine->element,
	                               .count = 1};
	for (const char *size = call_problem_sizes(problem.family); *size != '\0'; size++)
		problem.sizes++;
	if (problem.sizes == 0)
		problem.sizes = 1;
	for (double n = 1; n < 0x1p40 && curves->there.count < CURVES_POINTS; n *= sqrt(2)) {
		struct built_call built;
		struct cost cost;
		if (!call_problem_build_square(&problem, (int64_t)(n + 0.5), &built) ||
		    (double)built.call.size_bytes > 2 * most)
			break;
		if ((double)built.call.size_bytes < least / 2)
			continue;
		cost_predict(machine, &setting, &built.call, &cost);
		curves->there.point[curves->there.count++] =
			(struct plot_point){(double)built.call.size_bytes, cost.gpu.whole_ns};
	}
}

/* The curves that have points. Short names stand at expected curves, where there are any. */
static int page_curves_list(const struct page_curves *curves,
                            struct plot_series series[CURVES_SERIES])
{
	const bool expects = curves->expected[TARGET_CPU].count > 0;
	const struct {
		struct plot_series series;
		const struct curves_points *points;
	} all[CURVES_SERIES] = {
		{{.name = "CPU, measured",
	          .brief = expects ? NULL : "CPU",
	          .colour = PLOT_CPU,
	          .look = PLOT_DOTS},
	         &curves->measured[TARGET_CPU]},
		{{.name = "CPU, expected", .brief = "CPU", .colour = PLOT_CPU, .look = PLOT_DASHES},
	         &curves->expected[TARGET_CPU]},
		{{.name = "GPU, measured",
	          .brief = expects ? NULL : "GPU",
	          .colour = PLOT_GPU,
	          .look = PLOT_DOTS},
	         &curves->measured[TARGET_GPU]},
		{{.name = "GPU, expected", .brief = "GPU", .colour = PLOT_GPU, .look = PLOT_DASHES},
	         &curves->expected[TARGET_GPU]},
		{{.name = "GPU without transfers, squares",
	          .brief = "no copies",
	          .colour = PLOT_DEVICE,
	          .look = PLOT_DASHES},
	         &curves->there},
	};
	int count = 0;
	for (int i = 0; i < CURVES_SERIES; i++) {
		if (all[i].points->count == 0)
			continue;
		series[count] = all[i].series;
		series[count].point = all[i].points->point;
		series[count++].count = all[i].points->count;
	}
	return count;
}

static void page_curves_draw(struct html *page, const struct page_curves *curves,
                             const struct report_routine *routine)
{
	struct plot_series series[CURVES_SERIES];
	char name[REPORT_NAME_BYTES], calls[HUMAN_BYTES], time[HUMAN_BYTES],
		note[2 * HUMAN_BYTES + 16];
	char even[PLOT_LABEL_BYTES], mark[PLOT_LABEL_BYTES + 16];
	const struct curves_points *cpu = &curves->expected[TARGET_CPU],
				   *gpu = &curves->expected[TARGET_GPU];
	/* The mark is drawn only where the expected curves cross. */
	const double meet = plot_lines_meet(cpu->point, gpu->point, cpu->count);
	const bool meets = meet > 0 && meet > cpu->point[0].x;
	const struct log_tally both = report_group_both(&routine->sides);
	report_group_name_routine(routine->family, routine->element, name);
	human_format_count(both.calls, calls);
	units_time(both.elapsed_ns, time);
	snprintf(note, sizeof note, both.calls == 1 ? "%s call, %s" : "%s calls, %s", calls, time);
	plot_label_write(PLOT_SIZE_BYTES, meet, meet, even);
	snprintf(mark, sizeof mark, "even at %s", even);
	const struct plot_lines lines = {
		.head = {.title = name,
	                 .note = note,
	                 .empty = "No call of this routine was timed, or none tells its size.",
	                 .x_label = "bytes of the operands",
	                 .y_label = "time of a call, mean"},
		.x = {.scale = PLOT_LOG, .unit = PLOT_SIZE_BYTES},
		.y = {.scale = PLOT_LOG, .unit = PLOT_TIME_NS},
		.series = series,
		.series_count = page_curves_list(curves, series),
		.mark = meet,
		.mark_label = meets ? mark : NULL,
	};
	plot_lines_draw(page, &lines);
}

void page_part_put_curves(struct html *page, const struct log_sum *sum,
                          const struct machine *machine)
{
	static struct page_curves curves;
	struct report_routine routines[REPORT_ROUTINES];
	const size_t count = report_group_routines(sum, routines),
		     drawn = count < CURVES_MOST ? count : CURVES_MOST;
	html_enter_section(
		page, "Where the GPU pays",
		"Each dot is the mean of the calls of about one size. Both axes are logarithmic.");
	if (count == 0)
		html_line(page, "p", "nothing", "There is no call in the log.");
	html_enter(page, "div", "figures");
	for (size_t i = 0; i < drawn; i++) {
		page_curves_find(&curves, sum, &routines[i]);
		page_curves_add_squares(&curves, machine, &routines[i]);
		page_curves_draw(page, &curves, &routines[i]);
	}
	html_leave(page);
	if (machine != NULL && machine->name[0] != '\0')
		html_line(page, "p", "note", "Without transfers: the GPU of %s, %s.", machine->name,
		          machine_is_measured(machine) ? "measured" : "assumed, not measured");
	if (drawn < count)
		html_line(page, "p", "note",
		          "Routines that took less time, %zu more, are in the table below.",
		          count - drawn);
	html_leave(page);
}
