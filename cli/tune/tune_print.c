/* tune_print.c - the report of `gpushim tune` */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/common/chart.h"
#include "cli/common/prediction.h"
#include "cli/tune/tune.h"
#include "policy/text/sentence.h"

enum { PRINT_SAVING_BYTES = HUMAN_BYTES + 8, PRINT_ENVIRONMENT_BYTES = TUNE_LINE_BYTES + 16 };

static void tune_print_head(struct emit *emit, const struct recorded_sum *sum)
{
	const struct cost_setting setting = {.cpu_threads = sum->cpu_threads};
	known_machine_emit(emit, sum->machine, &setting);
	emit_label(emit, "start");
	emit_time(emit, EMIT_NO_KEY, "%s for CUDA's start, in each process that uses the GPU\n",
	          sum->machine->complete.start_ns);
	emit_label(emit, "log");
	emit_count(emit, "calls", "%s calls of ", sum->all.calls);
	emit_print(emit, "%s", sum->more_processes ? "more than " : "");
	emit_count(emit, "processes", sum->process_count == 1 ? "%s process" : "%s processes",
	           sum->process_count);
	emit_time(emit, EMIT_NO_KEY, ", %s in them\n", sum->all.elapsed_ns);
}

/* A line of the text with the number of some calls; no line for 0. */
static void tune_print_calls(struct emit *emit, uint64_t calls, const char *form)
{
	if (calls == 0)
		return;
	emit_label(emit, "");
	emit_count(emit, EMIT_NO_KEY, form, calls);
}

/* Says where the times of the other side come from, and how many calls no setting moves. */
static void tune_print_source(struct emit *emit, const struct recorded_sum *sum)
{
	const uint64_t movable = sum->all.calls - sum->bound.calls - sum->blurred.calls;
	const uint64_t reckoned = sum->by_model ? movable : sum->reckoned;
	emit_label(emit, "times");
	emit_print(emit, "measured on the side that ran the call; on the other side %s\n",
	           reckoned == 0         ? "as the log expected"
	           : reckoned == movable ? "as the model expects"
	                                 : "as the log expected");
	if (reckoned < movable)
		tune_print_calls(
			emit, reckoned,
			"%s calls have no expected time in the log: the model's is used\n");
	tune_print_calls(emit, sum->bound.calls, "%s calls can run on one side only, and stay\n");
	tune_print_calls(emit, sum->blurred.calls,
	                 "%s calls stay where they ran: their records lack sizes\n");
	emit_integer(emit, "bound_calls", NULL, (int64_t)(sum->bound.calls + sum->blurred.calls));
	emit_flag(emit, "all_sizes", sum->all_sizes);
}

/*
 * "saves 1.20 s", "loses 300 ms"; "the same" where the difference is below a thousandth of
 * whole_ns.
 */
static void tune_print_saving(struct emit *emit, double saved_ns, double whole_ns)
{
	char time[HUMAN_BYTES], text[PRINT_SAVING_BYTES] = "the same";
	units_time(fabs(saved_ns), time);
	if (fabs(saved_ns) * 1000 > whole_ns)
		snprintf(text, sizeof text, "%s %s", saved_ns < 0 ? "loses" : "saves", time);
	emit_print(emit, "%-15s ", text);
}

static void tune_print_row(struct emit *emit, const struct tune_row *rows,
                           enum tune_setting setting)
{
	const struct tune_row *row = &rows[setting];
	const double log_ns = rows[TUNE_LOGGED].time_ns, cpu_ns = rows[TUNE_CPU].time_ns;
	emit_open(emit, NULL);
	emit_text(emit, "setting", "%-18s ", tune_name(setting));
	emit_time(emit, "time_ns", "%10s  ", row->time_ns);
	if (setting == TUNE_LOGGED)
		emit_print(emit, "%-15s ", "-");
	else
		tune_print_saving(emit, log_ns - row->time_ns, log_ns);
	if (setting == TUNE_CPU)
		emit_print(emit, "%-15s ", "-");
	else
		tune_print_saving(emit, cpu_ns - row->time_ns, cpu_ns);
	emit_count(emit, "gpu_calls", "%12s\n", row->gpu_calls);
	emit_close(emit);
}

static void tune_print_rows(struct emit *emit, const struct tune_result *result)
{
	emit_open_list(emit, "settings");
	emit_print(emit, "\n%-18s %10s  %-15s %-15s %12s\n", "setting", "in calls",
	           "against the log", "against all-CPU", "on the GPU");
	for (int setting = 0; setting < TUNE_SETTINGS; setting++)
		if (result->row[setting].tried)
			tune_print_row(emit, result->row, (enum tune_setting)setting);
	emit_close_list(emit);
	emit_print(emit,
	           "  (all on the GPU, waits, and both thresholds: the call that starts CUDA waits "
	           "for it)\n");
	if (!result->row[TUNE_PRESENT].tried)
		emit_print(emit,
		           "  (a pipe cannot be read twice: policy auto and the present settings "
		           "need the order of calls)\n");
}

/* In the JSON it is null where no call of the log reaches the threshold. */
static void tune_print_threshold(struct emit *emit, const struct tune_choice *choice,
                                 const char *form)
{
	if (choice->gpu_calls == 0) {
		emit_null(emit, "threshold_bytes");
		return;
	}
	emit_integer(emit, "threshold_bytes", form, (int64_t)choice->bytes);
	emit_open_list(emit, "threshold_range");
	emit_integer(emit, NULL, NULL, (int64_t)choice->least_bytes);
	emit_integer(emit, NULL, NULL, (int64_t)choice->most_bytes);
	emit_close_list(emit);
}

static void tune_print_routine(struct emit *emit, const struct tune_routine *routine)
{
	char name[CALL_NAME_BYTES];
	struct sentence sentence = sentence_start(name, sizeof name);
	routine_threshold_add_name(&sentence, routine->family, routine->element);
	emit_open(emit, NULL);
	emit_text(emit, "routine", "%-19s ", name);
	emit_count(emit, "calls", "%11s ", routine->calls);
	emit_count(emit, "gpu_calls", "%11s ", routine->choice.gpu_calls);
	emit_time(emit, "cpu_ns", "%9s ", routine->cpu_ns);
	emit_time(emit, "time_ns", "%14s ", routine->choice.time_ns);
	tune_print_threshold(emit, &routine->choice, "%11s\n");
	if (routine->choice.gpu_calls == 0)
		emit_print(emit, "%11s\n", "none");
	emit_close(emit);
}

/* The text has no table for a single routine: it would repeat the table of settings. */
static void tune_print_routines(struct emit *emit, const struct tune_result *result)
{
	if (!emit->is_json && result->routine_count < 2)
		return;
	emit_open_list(emit, "routines");
	emit_print(emit, "\n%-19s %11s %11s %9s %14s %11s\n", "routine", "calls", "on the GPU",
	           "all-CPU", "with threshold", "threshold");
	for (int i = 0; i < result->routine_count; i++)
		tune_print_routine(emit, &result->routines[i]);
	emit_close_list(emit);
	emit_print(emit, "  (without CUDA's start)\n");
}

/* Plot of the time against the threshold. The last column is a threshold above all calls. */
enum { PLOT_COLUMNS = 60, PLOT_ROWS = 11, PLOT_LABEL = 12 };

/* The time axis is logarithmic where the largest time is above this multiple of the least. */
static const double plot_steep = 4;

static uint64_t tune_print_find_bytes(const struct tune_weights *weights, int column)
{
	const double part = (double)column / (PLOT_COLUMNS - 1);
	const uint64_t most_bytes = weights->items[0].size_bytes;
	if (column == PLOT_COLUMNS - 1)
		return most_bytes + 1;
	return (uint64_t)exp2(log2((double)weights->items[weights->item_count - 1].size_bytes) *
	                              (1 - part) +
	                      log2((double)most_bytes + 1) * part);
}

static void tune_print_chart(struct emit *emit, struct chart *chart,
                             const double time_ns[PLOT_COLUMNS], const struct tune_weights *weights)
{
	char least[HUMAN_BYTES], most[HUMAN_BYTES];
	chart_clear(chart);
	for (int column = 0; column < PLOT_COLUMNS; column++)
		chart_mark(chart, column, time_ns[column], '*', '*');
	for (int row = 0; row < PLOT_ROWS; row += (PLOT_ROWS - 1) / 2)
		units_time(chart_find_value(chart, row) + 0.5, chart->label[row]);
	human_format_size(weights->items[weights->item_count - 1].size_bytes, least);
	human_format_size(weights->items[0].size_bytes, most);
	emit_print(emit, "\ntime in calls against workload_threshold, policy threshold\n");
	chart_print(chart, emit);
	chart_print_axis(chart, emit, 0);
	emit_print(emit, "%*s  %-*s%s\n", PLOT_LABEL, "", PLOT_COLUMNS - (int)strlen(most), least,
	           most);
}

/* No plot where the threshold makes no difference, or the times are too large to be drawn. */
static void tune_print_plot(struct emit *emit, const struct tune_result *result)
{
	const struct tune_weights *weights = &result->weights;
	double time_ns[PLOT_COLUMNS];
	if (emit->is_json || weights->item_count == 0 ||
	    weights->items[weights->item_count - 1].size_bytes == 0)
		return;
	struct chart chart = {.rows = PLOT_ROWS,
	                      .columns = PLOT_COLUMNS,
	                      .label_width = PLOT_LABEL,
	                      .least = INFINITY};
	for (int i = 0; i < PLOT_COLUMNS; i++) {
		time_ns[i] = result->rest_ns +
		             tune_threshold_time(weights, tune_print_find_bytes(weights, i));
		chart.least = fmin(chart.least, time_ns[i]);
		chart.most = fmax(chart.most, time_ns[i]);
	}
	chart.is_log = chart.least > 0 && chart.most > plot_steep * chart.least;
	if (chart.most > chart.least * 1.001 && chart.most <= 9e18)
		tune_print_chart(emit, &chart, time_ns, weights);
}

static void tune_print_proposal(struct emit *emit, const struct tune_result *result)
{
	const enum tune_setting base = tune_find_base(result);
	const double base_ns = result->row[base].time_ns,
		     saved_ns = base_ns - result->row[result->best].time_ns;
	emit_print(emit, "\nproposed: %s, which saves ", tune_name(result->best));
	emit_time(emit, EMIT_NO_KEY, "%s", saved_ns);
	emit_share(emit, " (%s)", saved_ns, base_ns);
	emit_print(emit, " against %s\n",
	           base == TUNE_PRESENT ? "the present settings" : "the log");
}

static void tune_print_nothing(struct emit *emit, const struct tune_result *result)
{
	const enum tune_setting base = tune_find_base(result);
	enum tune_setting next = base;
	for (int i = TUNE_CPU; i < TUNE_SETTINGS; i++)
		if (result->row[i].tried && result->row[i].time_ns < result->row[next].time_ns)
			next = (enum tune_setting)i;
	emit_print(emit, "\nNothing is worth changing: ");
	if (next == base) {
		emit_print(emit, "no other setting would take less time.\n");
		return;
	}
	const double base_ns = result->row[base].time_ns;
	emit_print(emit, "the best other setting, %s, would save ", tune_name(next));
	emit_share(emit, "%s.\n", base_ns - result->row[next].time_ns, base_ns);
}

/* The JSON has options as a config file has them, the text as the environment has them. */
static void tune_print_options(struct emit *emit, const struct tune_result *result)
{
	char line[TUNE_LINE_BYTES], text[PRINT_ENVIRONMENT_BYTES];
	int position = 0;
	emit_open_list(emit, "options");
	while (tune_next_line(result, &position, line)) {
		const size_t key = strcspn(line, " ");
		snprintf(text, sizeof text, "%.*s=%s", (int)key, line, line + key + strlen(" = "));
		for (char *letter = text; *letter != '=' && *letter != '\0'; letter++)
			if (*letter >= 'a' && *letter <= 'z')
				*letter = (char)(*letter - 'a' + 'A');
		emit_text(emit, NULL, NULL, line);
		emit_print(emit, "  EPOCHLY_GPU_%s\n", text);
	}
	emit_close_list(emit);
	if ((result->best == TUNE_AUTO || result->best == TUNE_WAIT) &&
	    result->best != tune_find_base(result) &&
	    (result->request->options.workload_threshold_given ||
	     result->request->options.deterministic))
		emit_print(emit, "  without the workload_threshold, policies of routines, and "
		                 "deterministic that are set now\n");
}

static void tune_print_verdict(struct emit *emit, const struct tune_result *result)
{
	const bool worth = result->best != tune_find_base(result);
	emit_text(emit, "best", NULL, tune_name(result->best));
	emit_flag(emit, "worth_changing", worth);
	if (result->sum->cell_count == 0)
		emit_print(emit, "\nNo setting can be judged: no recorded call has sizes and a "
		                 "time and can run on either side.\n");
	else if (worth)
		tune_print_proposal(emit, result);
	else
		tune_print_nothing(emit, result);
	tune_print_options(emit, result);
}

/* A log of level decision leaves out the calls below the gate. */
static void tune_print_unseen(struct emit *emit, const struct recorded_sum *sum)
{
	if (sum->all_sizes || sum->least_bytes == UINT64_MAX)
		return;
	emit_size(
		emit, EMIT_NO_KEY,
		"\nThe smallest recorded call has %s. Smaller ones, if there were any, are not in "
		"a log of level decision, and no threshold below can be judged. To record them: "
		"EPOCHLY_GPU_LOG_LEVEL=call, or "
		"EPOCHLY_GPU_POLICY=dry EPOCHLY_GPU_WORKLOAD_THRESHOLD=0.\n",
		sum->least_bytes);
}

void tune_print(struct emit *emit, const struct tune_result *result)
{
	if (result->row[TUNE_PRESENT].tried) {
		const struct prediction prediction = prediction_make(
			result->sum->machine, &result->prediction, &result->request->options);
		prediction_emit(emit, &prediction);
		emit_print(emit, "\n");
	}
	tune_print_head(emit, result->sum);
	tune_print_source(emit, result->sum);
	tune_print_rows(emit, result);
	tune_print_threshold(emit, &result->choice,
	                     "best threshold: EPOCHLY_GPU_WORKLOAD_THRESHOLD=%s, with "
	                     "EPOCHLY_GPU_POLICY=threshold\n");
	if (result->choice.gpu_calls == 0)
		emit_print(emit, "best threshold: none, which is EPOCHLY_GPU_POLICY=never\n");
	tune_print_routines(emit, result);
	tune_print_plot(emit, result);
	tune_print_verdict(emit, result);
	tune_print_unseen(emit, result->sum);
}
