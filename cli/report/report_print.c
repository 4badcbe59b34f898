/* report_print.c - a log's report on the terminal: 80 columns, a bar for each share */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/units.h"
#include "cli/report/report.h"
#include "cli/report/report_advice.h"
#include "cli/report/report_group.h"

/*
 * Rows of a table, after which the rest is one row; empty ones that are shown; a name's column, a
 * bar's letters.
 */
enum {
	PRINT_ROWS = 12,
	PRINT_GAP = 2,
	PRINT_NAME = 24,
	PRINT_BAR = 22,
	PRINT_WIDTH = 80,
	PRINT_LABEL = 10
};

enum print_colour { PRINT_PLAIN, PRINT_BOLD, PRINT_GREEN, PRINT_YELLOW };

/* On a terminal that did not ask for none. */
static const char *report_print_colour(enum print_colour colour)
{
	static const char *const code[] = {"\033[0m", "\033[1m", "\033[32m", "\033[33m"};
	const char *none = getenv("NO_COLOR"), *term = getenv("TERM");
	const bool wanted = isatty(STDOUT_FILENO) && (none == NULL || none[0] == '\0') &&
	                    (term == NULL || strcmp(term, "dumb") != 0);
	return wanted ? code[colour] : "";
}

static void report_print_title(const char *title, const char *columns)
{
	printf("\n%s%-*s%s%s\n", report_print_colour(PRINT_BOLD), PRINT_NAME + 2, title,
	       report_print_colour(PRINT_PLAIN), columns);
}

static double report_print_divide(double part, double whole)
{
	return whole > 0 ? part / whole : 0;
}

/*
 * # for the GPU, - for the CPU, as many as their share of the longest row; | where there is too
 * little to see.
 */
static void report_print_bar(const struct log_sides *sides, double longest_ns)
{
	int marks[2];
	for (int target = 0; target < 2; target++)
		marks[target] =
			(int)(report_print_divide(sides->side[target].elapsed_ns, longest_ns) *
		                      PRINT_BAR +
		              0.5);
	if (marks[TARGET_CPU] + marks[TARGET_GPU] > PRINT_BAR)
		marks[TARGET_CPU] = PRINT_BAR - marks[TARGET_GPU];
	printf("  %s", report_print_colour(PRINT_GREEN));
	for (int i = 0; i < marks[TARGET_GPU]; i++)
		putchar('#');
	printf("%s", report_print_colour(PRINT_YELLOW));
	for (int i = 0; i < marks[TARGET_CPU]; i++)
		putchar('-');
	printf("%s%s\n", report_print_colour(PRINT_PLAIN), marks[0] + marks[1] == 0 ? "|" : "");
}

/* Whole and longest are times: of all calls, of the longest row. */
struct print_scale {
	double whole_ns, longest_ns;
};

static void report_print_row(const char *name, const struct log_sides *sides,
                             const struct print_scale *scale)
{
	const struct log_tally both = report_group_both(sides);
	char calls[HUMAN_BYTES], time[HUMAN_BYTES], shown[PRINT_NAME + 1];
	human_format_count(both.calls, calls);
	units_time(both.elapsed_ns, time);
	snprintf(shown, sizeof shown, "%s", name);
	if (strlen(name) > PRINT_NAME)
		strcpy(shown + PRINT_NAME - 2, "..");
	printf("  %-*s %11s %9s %5.1f %%", PRINT_NAME, shown, calls, both.timed > 0 ? time : "-",
	       report_print_divide(both.elapsed_ns, scale->whole_ns) * 100);
	report_print_bar(sides, scale->longest_ns);
}

static double report_print_find_time(const struct log_sides *sides)
{
	return sides->side[TARGET_CPU].elapsed_ns + sides->side[TARGET_GPU].elapsed_ns;
}

static void report_print_add_sides(struct log_sides *to, const struct log_sides *from)
{
	for (int target = 0; target < 2; target++)
		log_sum_add_tally(&to->side[target], &from->side[target]);
}

/* What is left over after the rows of a table that are shown. */
static void report_print_rest(size_t rows, const struct log_sides *rest,
                              const struct print_scale *scale)
{
	char name[HUMAN_BYTES];
	if (report_group_both(rest).calls == 0)
		return;
	if (rows > 0)
		snprintf(name, sizeof name, "%zu others", rows);
	else
		strcpy(name, "others");
	report_print_row(name, rest, scale);
}

static void report_print_head(const struct log_sum *sum)
{
	const struct log_tally both = report_group_both(&sum->total);
	const struct log_tally *gpu = &sum->total.side[TARGET_GPU];
	char calls[HUMAN_BYTES], time[HUMAN_BYTES], span[HUMAN_BYTES], size[HUMAN_BYTES],
		work[HUMAN_BYTES];
	char part[HUMAN_BYTES], part_time[HUMAN_BYTES];
	human_format_count(both.calls, calls);
	units_time(both.elapsed_ns, time);
	units_time((double)(sum->last_ns - sum->first_ns), span);
	units_amount(both.size_bytes, "B", size);
	units_amount(both.work_flops, "flop", work);
	human_format_share(gpu->calls, both.calls, part);
	human_format_share((uint64_t)gpu->elapsed_ns, (uint64_t)both.elapsed_ns, part_time);
	printf("%s%-*s%s %zu file%s, %s%zu process%s", report_print_colour(PRINT_BOLD), PRINT_LABEL,
	       "logs", report_print_colour(PRINT_PLAIN), sum->files, sum->files == 1 ? "" : "s",
	       report_group_both(&sum->other_processes).calls > 0 ? "more than " : "",
	       sum->process_count, sum->process_count == 1 ? "" : "es");
	if (sum->first_ns >= 0)
		printf("; %s from the first call to the last", span);
	printf("\n%-*s %s: %s, %s, %s\n", PRINT_LABEL, "calls", calls, time, work, size);
	printf("%-*s %s%s of the calls, %s of their time%s\n", PRINT_LABEL, "on the GPU",
	       report_print_colour(PRINT_GREEN), part, part_time, report_print_colour(PRINT_PLAIN));
}

static void report_print_routines(const struct log_sum *sum, double whole_ns)
{
	struct report_routine rows[REPORT_ROUTINES];
	struct log_sides rest = {.side[0].calls = 0};
	char name[REPORT_NAME_BYTES];
	const size_t count = report_group_routines(sum, rows);
	const struct print_scale scale = {whole_ns, report_print_find_time(&rows[0].sides)};
	report_print_title("routines", "      calls      time   share  # GPU, - CPU");
	for (size_t i = 0; i < count; i++) {
		report_group_name_routine(rows[i].family, rows[i].element, name);
		if (i < PRINT_ROWS)
			report_print_row(name, &rows[i].sides, &scale);
		else
			report_print_add_sides(&rest, &rows[i].sides);
	}
	report_print_rest(count - PRINT_ROWS, &rest, &scale);
}

/* Who called; nothing where no record says so. */
static void report_print_objects(const struct log_sum *sum, double whole_ns)
{
	struct log_sides rest = sum->other_objects;
	const struct print_scale scale = {whole_ns, report_print_find_time(&sum->objects[0].sides)};
	const size_t shown = sum->object_count < PRINT_ROWS ? sum->object_count : PRINT_ROWS;
	if (sum->object_count == 0 || (sum->object_count == 1 && sum->objects[0].name[0] == '\0'))
		return;
	report_print_title("called from", "      calls      time   share");
	for (size_t i = 0; i < shown; i++)
		report_print_row(sum->objects[i].name[0] != '\0' ? sum->objects[i].name
		                                                 : "not recorded",
		                 &sum->objects[i].sides, &scale);
	for (size_t i = shown; i < sum->object_count; i++)
		report_print_add_sides(&rest, &sum->objects[i].sides);
	report_print_rest(0, &rest, &scale);
}

/* How many rows in a row, from the first on, have no calls. */
static int report_print_count_empty(const struct log_sides rows[LOG_BUCKETS], int first, int last)
{
	int row = first;
	while (row <= last && report_group_both(&rows[row]).calls == 0)
		row++;
	return row - first;
}

/*
 * From the smallest to the largest that there is, so that gaps are seen; long ones are cut short.
 */
static void report_print_sizes(const struct log_sum *sum, double whole_ns)
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
	report_print_title("sizes from ... on", "      calls      time   share");
	const bool unknown = report_group_both(&rows[0]).calls > 0;
	const int first = 1 + report_print_count_empty(rows, 1, last);
	for (int i = unknown ? 0 : first; i <= last; i = i == 0 ? first : i + 1) {
		const int empty = report_print_count_empty(rows, i, last);
		if (empty > PRINT_GAP) {
			printf("  ...\n");
			i += empty;
		}
		report_group_name_size(i, name);
		report_print_row(name, &rows[i], &scale);
	}
}

static void report_print_side(const struct log_sum *sum, enum target target, double whole_ns)
{
	const struct log_tally *tally = &sum->total.side[target];
	char calls[HUMAN_BYTES], time[HUMAN_BYTES], mean[HUMAN_BYTES] = "-",
						    rate[HUMAN_BYTES] = "-";
	human_format_count(tally->calls, calls);
	units_time(tally->elapsed_ns, time);
	if (tally->timed > 0)
		units_time(tally->elapsed_ns / (double)tally->timed, mean);
	if (tally->elapsed_ns > 0)
		units_amount(tally->work_flops / tally->elapsed_ns * 1e9, "flop/s", rate);
	printf("  %-*s %11s %9s %5.1f %% %9s  %s\n", PRINT_NAME,
	       target == TARGET_CPU ? "CPU" : "GPU", calls, tally->timed > 0 ? time : "-",
	       report_print_divide(tally->elapsed_ns, whole_ns) * 100, mean, rate);
}

static void report_print_model(const struct log_sum *sum)
{
	report_print_title("measured / expected", "      calls    median   80 % of the calls");
	for (int target = 0; target < 2; target++) {
		const struct log_spread *spread = &sum->spread[target];
		char calls[HUMAN_BYTES], median[HUMAN_BYTES], least[HUMAN_BYTES], most[HUMAN_BYTES];
		human_format_count(spread->count, calls);
		units_ratio(log_sum_find_spread(spread, 0.5), median);
		units_ratio(log_sum_find_spread(spread, 0.1), least);
		units_ratio(log_sum_find_spread(spread, 0.9), most);
		if (spread->count > 0)
			printf("  %-*s %11s %9s   %s to %s\n", PRINT_NAME,
			       target == TARGET_CPU ? "on the CPU" : "on the GPU", calls, median,
			       least, most);
		else
			printf("  %-*s %11s %9s\n", PRINT_NAME,
			       target == TARGET_CPU ? "on the CPU" : "on the GPU", calls, "-");
	}
}

static void report_print_regret(const struct log_sum *sum)
{
	report_print_title("slower than the other side", "      calls      time   share");
	for (int target = 0; target < 2; target++) {
		const struct log_tally *tally = &sum->total.side[target];
		char calls[HUMAN_BYTES], time[HUMAN_BYTES];
		human_format_count(tally->regretted, calls);
		units_time(tally->regret_ns, time);
		printf("  %-*s %11s %9s %5.1f %%\n", PRINT_NAME,
		       target == TARGET_CPU ? "on the CPU" : "on the GPU", calls,
		       tally->regretted > 0 ? time : "-",
		       report_print_divide(tally->regret_ns, tally->measured_ns) * 100);
	}
}

static void report_print_reasons(const struct log_sum *sum, enum target target, const char *title,
                                 double whole_ns)
{
	struct report_reason rows[REPORT_REASONS];
	const size_t count = report_group_reasons(sum, target, rows);
	const struct print_scale scale = {whole_ns, rows[0].tally.elapsed_ns};
	if (count == 0)
		return;
	report_print_title(title, "      calls      time   share");
	for (size_t i = 0; i < count; i++) {
		struct log_sides sides = {.side[0].calls = 0};
		sides.side[target] = rows[i].tally;
		report_print_row(report_group_name_reason(rows[i].reason), &sides, &scale);
		if (rows[i].reason >= 0)
			printf("    %s\n", reason_sentence((enum reason)rows[i].reason));
	}
}

/* In lines of the terminal's width, broken at blanks, though not between a number and its unit. */
static void report_print_wrapped(const char *text)
{
	while (*text != '\0') {
		size_t length = strlen(text);
		if (length > PRINT_WIDTH - 2) {
			length = PRINT_WIDTH - 2;
			while (length > 1 && (text[length] != ' ' ||
			                      (text[length - 1] >= '0' && text[length - 1] <= '9')))
				length--;
		}
		printf("  %.*s\n", (int)length, text);
		text += length;
		text += strspn(text, " ");
	}
}

void report_print(const struct log_sum *sum)
{
	const double whole_ns = report_print_find_time(&sum->total);
	char advice[REPORT_ADVICE_BYTES];
	report_print_head(sum);
	report_print_routines(sum, whole_ns);
	report_print_objects(sum, whole_ns);
	report_print_sizes(sum, whole_ns);
	report_print_title("each side", "      calls      time   share      mean  rate");
	report_print_side(sum, TARGET_CPU, whole_ns);
	report_print_side(sum, TARGET_GPU, whole_ns);
	if (report_group_both(&sum->total).predicted > 0) {
		report_print_model(sum);
		report_print_regret(sum);
	}
	report_print_reasons(sum, TARGET_CPU, "what kept calls on the CPU", whole_ns);
	report_print_reasons(sum, TARGET_GPU, "what sent calls to the GPU", whole_ns);
	report_advice_find(sum, advice);
	printf("\n%sthe first thing to change%s\n", report_print_colour(PRINT_BOLD),
	       report_print_colour(PRINT_PLAIN));
	report_print_wrapped(advice);
}
