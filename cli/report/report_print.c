/* report_print.c - the report of logs: tables with a bar for each share, and what to change */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report/report.h"
#include "cli/report/report_group.h"
#include "cli/report/report_head.h"
#include "cli/report/report_ranks.h"

/*
 * Rows of a table, after which the others are one row; rows without calls that are shown one after
 * the other; columns of a name and of a bar; columns of a line.
 */
enum { PRINT_ROWS = 12, PRINT_GAP = 2, PRINT_NAME = 24, PRINT_BAR = 22, PRINT_WIDTH = 80 };

/* The times of all calls and of the row with the longest bar. */
struct print_scale {
	double whole_ns, longest_ns;
};

static void report_print_title(struct emit *emit, const char *title, const char *columns)
{
	emit_print(emit, "\n");
	emit_colour(emit, EMIT_BOLD);
	emit_print(emit, "%-*s", columns[0] != '\0' ? PRINT_NAME + 2 : 0, title);
	emit_colour(emit, EMIT_PLAIN);
	emit_print(emit, "%s\n", columns);
}

static double report_print_divide(double part, double whole)
{
	return whole > 0 ? part / whole : 0;
}

/* The columns that all tables have: name, calls, time where there is one, and its share. */
static void report_print_cells(struct emit *emit, const char *name, uint64_t calls, bool timed,
                               double time_ns, double whole_ns)
{
	char shown[PRINT_NAME + 1];
	snprintf(shown, sizeof shown, "%s", name);
	if (strlen(name) > PRINT_NAME)
		strcpy(shown + PRINT_NAME - 2, "..");
	emit_print(emit, "  %-*s ", PRINT_NAME, shown);
	emit_count(emit, EMIT_NO_KEY, "%11s ", calls);
	if (timed)
		emit_time(emit, EMIT_NO_KEY, "%9s ", time_ns);
	else
		emit_print(emit, "%9s ", "-");
	emit_share(emit, "%7s", time_ns, whole_ns);
}

static void report_print_row(struct emit *emit, const char *name, const struct log_sides *sides,
                             const struct print_scale *scale)
{
	const struct log_tally *cpu = &sides->side[TARGET_CPU], *gpu = &sides->side[TARGET_GPU];
	const struct log_tally both = report_group_both(sides);
	const struct emit_part parts[] = {
		{report_print_divide(gpu->elapsed_ns, scale->longest_ns), '#', EMIT_GREEN},
		{report_print_divide(cpu->elapsed_ns, scale->longest_ns), '-', EMIT_YELLOW}};
	report_print_cells(emit, name, both.calls, both.timed > 0, both.elapsed_ns,
	                   scale->whole_ns);
	emit_print(emit, "  ");
	emit_bar(emit, PRINT_BAR, parts, 2);
	emit_print(emit, "\n");
}

static double report_print_find_time(const struct log_sides *sides)
{
	return sides->side[TARGET_CPU].elapsed_ns + sides->side[TARGET_GPU].elapsed_ns;
}

/* The calls that have no row of their own. rows: how many rows they would need; 0: not known. */
static void report_print_rest(struct emit *emit, size_t rows, const struct log_sides *rest,
                              const struct print_scale *scale)
{
	char name[HUMAN_BYTES] = "others";
	if (rows > 0)
		snprintf(name, sizeof name, "%zu others", rows);
	if (report_group_both(rest).calls > 0)
		report_print_row(emit, name, rest, scale);
}

/* How many calls the CPU computed too, whether the results agreed, and how far they were apart. */
static void report_print_verified(struct emit *emit, const struct log_tally *both)
{
	if (both->verified == 0)
		return;
	emit_label(emit, "verified");
	emit_count(emit, EMIT_NO_KEY, both->verified == 1 ? "%s call, " : "%s calls, ",
	           both->verified);
	if (both->verified == 1 && both->disagreed == 1)
		emit_print(emit, "which disagrees\n");
	else if (both->disagreed > 0)
		emit_count(emit, EMIT_NO_KEY,
		           both->disagreed == 1 ? "%s of which disagrees\n"
		                                : "%s of which disagree\n",
		           both->disagreed);
	else
		emit_print(emit, both->verified == 1 ? "which agrees\n" : "which all agree\n");
	if (both->disagreed == both->verified)
		return;
	emit_label(emit, "");
	emit_print(emit, "largest difference%s: ", both->disagreed > 0 ? " of the others" : "");
	emit_share(emit, "%s of what rounding explains\n", both->verify_worst * 1e9, 1e9);
}

/* What calls did not have to send, where there is any; else no line. Some came back to the CPU. */
static void report_print_traffic(struct emit *emit, const struct log_tally *both)
{
	const double whole_bytes = both->sent_bytes + both->kept_bytes;
	const struct emit_part parts[] = {
		{report_print_divide(both->sent_bytes, whole_bytes), '#', EMIT_YELLOW},
		{report_print_divide(both->kept_bytes, whole_bytes), '=', EMIT_GREEN}};
	if (both->kept_bytes <= 0)
		return;
	emit_label(emit, "sent to it");
	emit_amount(emit, EMIT_NO_KEY, "%s; ", both->sent_bytes, "B");
	emit_amount(emit, EMIT_NO_KEY, "%s more were there  ", both->kept_bytes, "B");
	emit_bar(emit, PRINT_BAR, parts, 2);
	emit_print(emit, "\n");
}

static void report_print_head(struct emit *emit, const struct log_sum *sum)
{
	const struct log_tally both = report_group_both(&sum->total);
	const struct log_tally *gpu = &sum->total.side[TARGET_GPU];
	const bool more = report_group_both(&sum->other_processes).calls > 0;
	report_head_print(emit, sum);
	emit_label(emit, "logs");
	emit_print(emit, "%zu file%s, %s%zu process%s", sum->files, sum->files == 1 ? "" : "s",
	           more ? "more than " : "", sum->process_count,
	           sum->process_count == 1 ? "" : "es");
	if (sum->first_ns >= 0)
		emit_time(emit, EMIT_NO_KEY, "; %s from the first call to the last",
		          (double)(sum->last_ns - sum->first_ns));
	emit_print(emit, "\n");
	emit_label(emit, "calls");
	emit_count(emit, EMIT_NO_KEY, "%s", both.calls);
	if (both.timed > 0 || !sum->has_totals)
		emit_time(emit, EMIT_NO_KEY, ": %s", both.elapsed_ns);
	if (both.work_flops > 0 || !sum->has_totals)
		emit_amount(emit, EMIT_NO_KEY, ", %s", both.work_flops, "flop");
	if (both.size_bytes > 0 || !sum->has_totals)
		emit_amount(emit, EMIT_NO_KEY, ", %s", both.size_bytes, "B");
	emit_print(emit, "\n");
	if (sum->has_totals) {
		emit_label(emit, "totals");
		emit_print(emit,
		           "of whole processes: sizes are means, and operations are not known\n");
	}
	emit_label(emit, "on the GPU");
	emit_colour(emit, EMIT_GREEN);
	emit_share(emit, "%s of the calls, ", (double)gpu->calls, (double)both.calls);
	emit_share(emit, "%s of their time", gpu->elapsed_ns, both.elapsed_ns);
	emit_colour(emit, EMIT_PLAIN);
	emit_print(emit, "\n");
	report_print_traffic(emit, &both);
	report_print_verified(emit, &both);
}

static void report_print_routines(struct emit *emit, const struct log_sum *sum, double whole_ns)
{
	struct report_routine rows[REPORT_ROUTINES];
	struct log_sides rest = {.side[0].calls = 0};
	char name[REPORT_NAME_BYTES];
	const size_t count = report_group_routines(sum, rows);
	const struct print_scale scale = {whole_ns, report_print_find_time(&rows[0].sides)};
	report_print_title(emit, "routines", "      calls      time   share  # GPU, - CPU");
	for (size_t i = 0; i < count; i++) {
		report_group_name_routine(rows[i].family, rows[i].element, name);
		if (i < PRINT_ROWS)
			report_print_row(emit, name, &rows[i].sides, &scale);
		else
			log_sum_add_sides(&rest, &rows[i].sides);
	}
	report_print_rest(emit, count - PRINT_ROWS, &rest, &scale);
}

/* The callers; nothing where no record names one. */
static void report_print_objects(struct emit *emit, const struct log_sum *sum, double whole_ns)
{
	struct log_sides rest = sum->other_objects;
	const struct print_scale scale = {whole_ns, report_print_find_time(&sum->objects[0].sides)};
	if (sum->object_count == 0 || (sum->object_count == 1 && sum->objects[0].name[0] == '\0'))
		return;
	report_print_title(emit, "called from", "      calls      time   share");
	for (size_t i = 0; i < sum->object_count; i++) {
		const struct log_object *object = &sum->objects[i];
		if (i < PRINT_ROWS)
			report_print_row(emit,
			                 object->name[0] != '\0' ? object->name : "not recorded",
			                 &object->sides, &scale);
		else
			log_sum_add_sides(&rest, &object->sides);
	}
	report_print_rest(emit, 0, &rest, &scale);
}

/* How many rows without calls follow each other, beginning with the first. */
static int report_print_count_empty(const struct log_sides rows[LOG_BUCKETS], int first, int last)
{
	int row = first;
	while (row <= last && report_group_both(&rows[row]).calls == 0)
		row++;
	return row - first;
}

/* Also sizes without calls between the smallest and the largest; "..." where they are many. */
static void report_print_sizes(struct emit *emit, const struct log_sum *sum, double whole_ns)
{
	struct log_sides rows[LOG_BUCKETS];
	struct print_scale scale = {.whole_ns = whole_ns};
	char name[HUMAN_BYTES];
	int last = 0;
	report_group_sizes(sum, rows);
	for (int i = 0; i < LOG_BUCKETS; i++) {
		if (report_print_find_time(&rows[i]) > scale.longest_ns)
			scale.longest_ns = report_print_find_time(&rows[i]);
		if (report_group_both(&rows[i]).calls > 0)
			last = i;
	}
	report_print_title(emit, "sizes from ... on", "      calls      time   share");
	const bool unknown = report_group_both(&rows[0]).calls > 0;
	const int first = 1 + report_print_count_empty(rows, 1, last);
	for (int i = unknown ? 0 : first; i <= last; i = i == 0 ? first : i + 1) {
		const int empty = report_print_count_empty(rows, i, last);
		if (empty > PRINT_GAP) {
			emit_print(emit, "  ...\n");
			i += empty;
		}
		report_group_name_size(i, name);
		report_print_row(emit, name, &rows[i], &scale);
	}
}

static void report_print_side(struct emit *emit, const struct log_sum *sum, enum target target,
                              double whole_ns)
{
	const struct log_tally *tally = &sum->total.side[target];
	const double elapsed_ns = tally->elapsed_ns;
	report_print_cells(emit, target == TARGET_CPU ? "CPU" : "GPU", tally->calls,
	                   tally->timed > 0, elapsed_ns, whole_ns);
	if (tally->timed > 0)
		emit_time(emit, EMIT_NO_KEY, " %9s  ", elapsed_ns / (double)tally->timed);
	else
		emit_print(emit, " %9s  ", "-");
	if (elapsed_ns > 0 && tally->work_flops > 0)
		emit_amount(emit, EMIT_NO_KEY, "%s\n", tally->work_flops / elapsed_ns * 1e9,
		            "flop/s");
	else
		emit_print(emit, "-\n");
}

static const char *report_print_name_side(enum target target)
{
	return target == TARGET_CPU ? "on the CPU" : "on the GPU";
}

/* Quantiles of the measured time divided by the expected one. */
static void report_print_model(struct emit *emit, const struct log_sum *sum)
{
	static const char *const key[] = {"cpu", "gpu"};
	emit_open(emit, "measured_by_expected");
	report_print_title(emit, "measured / expected",
	                   "      calls    median   80 % of the calls");
	for (int target = 0; target < 2; target++) {
		const struct log_spread *spread = &sum->spread[target];
		const double least = log_sum_find_spread(spread, 0.1),
			     median = log_sum_find_spread(spread, 0.5),
			     most = log_sum_find_spread(spread, 0.9);
		const bool any = spread->count > 0;
		emit_open(emit, key[target]);
		emit_print(emit, "  %-*s ", PRINT_NAME,
		           report_print_name_side((enum target)target));
		emit_count(emit, "calls", "%11s", spread->count);
		emit_number(emit, EMIT_NO_KEY, any ? " %9s" : "         -\n", median);
		emit_number(emit, "tenth", any ? "   %s" : NULL, least);
		emit_number(emit, "median", NULL, median);
		emit_number(emit, "nine_tenths", any ? " to %s\n" : NULL, most);
		emit_close(emit);
	}
	emit_close(emit);
}

static void report_print_regret(struct emit *emit, const struct log_sum *sum)
{
	report_print_title(emit, "slower than the other side", "      calls      time   share");
	for (int target = 0; target < 2; target++) {
		const struct log_tally *tally = &sum->total.side[target];
		report_print_cells(emit, report_print_name_side((enum target)target),
		                   tally->regretted, tally->regretted > 0, tally->regret_ns,
		                   tally->measured_ns);
		emit_print(emit, "\n");
	}
}

static void report_print_reasons(struct emit *emit, const struct log_sum *sum, enum target target,
                                 const char *title, double whole_ns)
{
	struct report_reason rows[REPORT_REASONS];
	const size_t count = report_group_reasons(sum, target, rows);
	const struct print_scale scale = {whole_ns, rows[0].tally.elapsed_ns};
	if (count == 0)
		return;
	report_print_title(emit, title, "      calls      time   share");
	for (size_t i = 0; i < count; i++) {
		struct log_sides sides = {.side[0].calls = 0};
		sides.side[target] = rows[i].tally;
		report_print_row(emit, report_group_name_reason(rows[i].reason), &sides, &scale);
		if (rows[i].reason >= 0)
			emit_print(emit, "    %s\n", reason_sentence((enum reason)rows[i].reason));
	}
}

/* In lines of at most PRINT_WIDTH, broken at blanks, though not between a number and its unit. */
static void report_print_wrapped(struct emit *emit, const char *text)
{
	while (*text != '\0') {
		size_t length = strlen(text);
		if (length > PRINT_WIDTH - 2) {
			length = PRINT_WIDTH - 2;
			while (length > 1 && (text[length] != ' ' ||
			                      (text[length - 1] >= '0' && text[length - 1] <= '9')))
				length--;
		}
		emit_print(emit, "  %.*s\n", (int)length, text);
		text += length;
		text += strspn(text, " ");
	}
}

/* What ranks and GPUs show; nothing of a single rank. */
static void report_print_findings(struct emit *emit, const struct log_sum *sum)
{
	struct report_finding rows[REPORT_FINDINGS];
	const size_t count = report_finding_list(sum, rows);
	if (count > 0)
		report_print_title(emit, "what the ranks show", "");
	for (size_t i = 0; i < count; i++)
		report_print_wrapped(emit, rows[i].sentence);
}

static void report_print_tables(struct emit *emit, const struct log_sum *sum, double whole_ns)
{
	report_print_head(emit, sum);
	report_ranks_print(emit, sum);
	report_print_routines(emit, sum, whole_ns);
	report_print_objects(emit, sum, whole_ns);
	report_print_sizes(emit, sum, whole_ns);
	report_print_title(emit, "each side", "      calls      time   share      mean  rate");
	report_print_side(emit, sum, TARGET_CPU, whole_ns);
	report_print_side(emit, sum, TARGET_GPU, whole_ns);
}

void report_print(struct emit *emit, const struct log *log, const struct log_sum *sum,
                  const char *advice)
{
	const double whole_ns = report_print_find_time(&sum->total);
	const bool predicted = report_group_both(&sum->total).predicted > 0;
	if (emit->is_json)
		report_json_put(&emit->json, log, sum);
	else
		report_print_tables(emit, sum, whole_ns);
	if (emit->is_json || predicted)
		report_print_model(emit, sum);
	if (predicted)
		report_print_regret(emit, sum);
	report_print_reasons(emit, sum, TARGET_CPU, "what kept calls on the CPU", whole_ns);
	report_print_reasons(emit, sum, TARGET_GPU, "what sent calls to the GPU", whole_ns);
	report_print_findings(emit, sum);
	report_print_title(emit, "the first thing to change", "");
	emit_text(emit, "first_thing_to_change", NULL, advice);
	report_print_wrapped(emit, advice);
}
