/* coverage_report.c - prints the table, the reasons below it, and the share the shim can take */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/say.h"
#include "cli/common/terminal.h"
#include "cli/common/units.h"
#include "cli/common/wrap.h"
#include "cli/coverage/coverage.h"

enum {
	REPORT_COLUMN_CALLS = 29, /* where this column ends */
	REPORT_COLUMN_TIME = 59,
	REPORT_COLUMN_SHARE = 68,
	REPORT_TEXT_BYTES = 128,
	REPORT_LINE_BYTES = 512,
	REPORT_REASONS = 24,
	REPORT_LIBRARIES = 24,
	REPORT_CALLERS = 8
};

/* From this many times their wall time on, the threads' time is worth a sentence. */
#define REPORT_THREADS_RATIO 1.05

/*
 * Sums over all rows; taken_flops, large_calls and large_flops over the rows that the shim can
 * take, audit_flops over those for which it needs its audit library.
 */
struct report_sums {
	uint64_t calls, unsized, flops, taken_flops, audit_flops, large_calls, large_flops;
};

/*
 * What the table refers to: the reasons, lettered from a in its order, with the time of their rows;
 * the libraries, numbered from 1.
 */
struct report_notes {
	const char *reason[REPORT_REASONS], *library[REPORT_LIBRARIES];
	uint64_t spent_ns[REPORT_REASONS];
	int count, libraries;
};

/* One report: what it is of, and the sums. */
struct report {
	FILE *out;
	const struct coverage_files *files;
	struct coverage_rows rows;
	struct report_sums sums;
	struct coverage_times times;
};

/* As units_amount, but without a fraction below 1000. */
static void coverage_report_format_flops(uint64_t flops, char out[HUMAN_BYTES])
{
	if (flops < 1000)
		snprintf(out, HUMAN_BYTES, "%d flop", (int)flops);
	else
		units_amount((double)flops, "flop", out);
}

/* "700 x 700 x 64", for a batch of 20 "20 of 64 x 64". */
static void coverage_report_format_sizes(const struct coverage_row *row,
                                         char text[REPORT_TEXT_BYTES])
{
	size_t used = 0;
	text[0] = '\0';
	if (row->sizes[3] > 1)
		used += (size_t)snprintf(text, REPORT_TEXT_BYTES, "%lld of ",
		                         (long long)row->sizes[3]);
	const size_t before = used;
	for (int i = 0; i < 3; i++)
		if (row->sizes[i] > 0)
			used += (size_t)snprintf(text + used, REPORT_TEXT_BYTES - used, "%s%lld",
			                         used > before ? " x " : "",
			                         (long long)row->sizes[i]);
	if (used == before)
		snprintf(text, REPORT_TEXT_BYTES, "-");
}

void coverage_print_lines(FILE *out, int indent, const char *start, const char *text)
{
	char *whole = say_text("%s%s", start, text);
	char *lines = wrap_text(whole, terminal_columns(STDERR_FILENO), 0, indent);
	fprintf(out, "%s\n", lines != NULL ? lines : whole);
	free(lines);
	free(whole);
}

/* One sentence. */
__attribute__((format(printf, 2, 3))) static void coverage_report_say(const struct report *report,
                                                                      const char *format, ...)
{
	char line[REPORT_LINE_BYTES];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	coverage_print_lines(report->out, 0, "", line);
}

static struct report_sums coverage_report_sum(const struct coverage_rows *rows)
{
	struct report_sums sums = {0};
	for (size_t i = 0; i < rows->count; i++) {
		const struct coverage_row *row = &rows->rows[i];
		sums.calls += row->calls;
		sums.unsized += row->unsized;
		sums.flops += row->flops;
		sums.audit_flops += row->needs_audit ? row->flops : 0;
		if (row->reason != NULL)
			continue;
		sums.taken_flops += row->flops;
		sums.large_calls += row->large_calls;
		sums.large_flops += row->large_flops;
	}
	return sums;
}

/* part of whole; "-" for nothing. */
static void coverage_report_format_share(uint64_t part, uint64_t whole, char text[HUMAN_BYTES])
{
	human_format_share(part, whole, text);
	if (part == 0)
		strcpy(text, "-");
	else if (part >= whole)
		strcpy(text, "100 %");
}

static void coverage_report_format_time(const struct report *report, uint64_t spent_ns,
                                        char time[HUMAN_BYTES], char share[HUMAN_BYTES])
{
	human_format_time(spent_ns, time);
	if (spent_ns == 0)
		strcpy(time, "-");
	coverage_report_format_share(spent_ns, (uint64_t)report->files->wall_ns, share);
}

/* Adds the row to the sums of its reason; returns the reason's letter, ? if there are too many. */
static char coverage_report_note_reason(struct report_notes *notes, const struct coverage_row *row)
{
	int i = 0;
	while (i < notes->count && strcmp(notes->reason[i], row->reason) != 0)
		i++;
	if (i == REPORT_REASONS)
		return '?';
	if (i == notes->count)
		notes->reason[notes->count++] = row->reason;
	notes->spent_ns[i] += row->spent.wall_ns;
	return (char)('a' + i);
}

/* The number of the row's library; 0 if there are too many. */
static int coverage_report_note_library(struct report_notes *notes, const struct coverage_row *row)
{
	int i = 0;
	while (i < notes->libraries && strcmp(notes->library[i], row->provider) != 0)
		i++;
	if (i == REPORT_LIBRARIES)
		return 0;
	if (i == notes->libraries)
		notes->library[notes->libraries++] = row->provider;
	return i + 1;
}

/* Blanks up to the column where a text of this width ends; at least one. */
static int coverage_report_pad(FILE *out, int column, int end, const char *text)
{
	const int width = (int)strlen(text), blanks = end - column - width;
	return column + fprintf(out, "%*s%s", blanks > 0 ? blanks : 1, "", text);
}

static void coverage_report_print_row(const struct report *report, const struct coverage_row *row,
                                      struct report_notes *notes)
{
	char calls[HUMAN_BYTES], share[HUMAN_BYTES], time[HUMAN_BYTES], largest[REPORT_TEXT_BYTES];
	char seen[] = "no (a)", library[HUMAN_BYTES];
	human_format_count(row->calls, calls);
	coverage_report_format_sizes(row, largest);
	coverage_report_format_time(report, row->spent.wall_ns, time, share);
	if (row->reason == NULL)
		strcpy(seen, "yes");
	else
		seen[4] = coverage_report_note_reason(notes, row);
	/* The routine itself is neither seen nor missed: its BLAS calls have rows of their own. */
	if (row->is_elsewhere)
		memcpy(seen, "- ", 2);
	human_format_count((uint64_t)coverage_report_note_library(notes, row), library);
	int column = fprintf(report->out, "%s", row->label);
	column = coverage_report_pad(report->out, column, REPORT_COLUMN_CALLS, calls);
	column += fprintf(report->out, "  %s", largest);
	column = coverage_report_pad(report->out, column, REPORT_COLUMN_TIME, time);
	coverage_report_pad(report->out, column, REPORT_COLUMN_SHARE, share);
	fprintf(report->out, "  %-6s%4s\n", seen, library);
}

static void coverage_report_print_table(const struct report *report, struct report_notes *notes)
{
	fprintf(report->out, "\n%-20s%9s  %-17s%11s%9s  %-6s%4s\n", "routine", "calls", "largest",
	        "time", "share", "seen", "lib");
	for (size_t i = 0; i < report->rows.count; i++)
		if (report->rows.rows[i].calls > 0)
			coverage_report_print_row(report, &report->rows.rows[i], notes);
}

static void coverage_report_print_notes(const struct report *report,
                                        const struct report_notes *notes)
{
	char time[HUMAN_BYTES], share[HUMAN_BYTES], start[REPORT_TEXT_BYTES];
	fprintf(report->out, "\nlibraries\n");
	for (int i = 0; i < notes->libraries; i++)
		fprintf(report->out, "  %2d  %s\n", i + 1, notes->library[i]);
	if (notes->count > 0)
		fprintf(report->out, "\nwhy not\n");
	for (int i = 0; i < notes->count; i++) {
		coverage_report_format_time(report, notes->spent_ns[i], time, share);
		snprintf(start, sizeof start, "  (%c)%9s  ", 'a' + i, share);
		coverage_print_lines(report->out, 16, start, notes->reason[i]);
	}
}

static void coverage_report_print_callers(const struct report *report)
{
	struct coverage_rows callers;
	char calls[HUMAN_BYTES], time[HUMAN_BYTES], share[HUMAN_BYTES];
	coverage_rows_make_callers(&callers, report->files);
	if (callers.count > 0)
		fprintf(report->out, "\nwho calls\n");
	for (size_t i = 0; i < callers.count && i < REPORT_CALLERS; i++) {
		const struct coverage_row *row = &callers.rows[i];
		human_format_count(row->calls, calls);
		coverage_report_format_time(report, row->spent.wall_ns, time, share);
		fprintf(report->out, "%14s%12s  %s\n", share, calls, row->label);
	}
	if (callers.count > REPORT_CALLERS)
		fprintf(report->out, "  and %zu more\n", callers.count - REPORT_CALLERS);
	coverage_rows_free(&callers);
}

static void coverage_report_print_headline(const struct report *report, const char *program)
{
	char name[COUNT_PATH_BYTES], calls[HUMAN_BYTES], time[HUMAN_BYTES], flops[HUMAN_BYTES];
	char processes[REPORT_TEXT_BYTES] = "", line[REPORT_LINE_BYTES];
	human_format_count(report->sums.calls, calls);
	human_format_time((uint64_t)report->files->wall_ns, time);
	coverage_report_format_flops(report->sums.flops, flops);
	coverage_clean_name(name, sizeof name, program);
	if (report->files->count > 1)
		snprintf(processes, sizeof processes, ", %zu processes", report->files->count);
	snprintf(line, sizeof line, "gpushim: %s%s, %s: %s call%s of BLAS, LAPACK and FFTW, %s",
	         name, processes, time, calls, report->sums.calls == 1 ? "" : "s", flops);
	coverage_print_lines(report->out, 9, "", line);
}

/*
 * Where that share goes; by workload_threshold: how much of it is in calls that reach it, since
 * smaller ones stay on the CPU.
 */
static void coverage_report_add_large(FILE *out, uint64_t large_bytes,
                                      const struct report_sums *sums)
{
	char share[HUMAN_BYTES], calls[HUMAN_BYTES], bytes[HUMAN_BYTES];
	const char *policy = coverage_policy_tell();
	if (policy != NULL) {
		fprintf(out, "%s", policy);
		return;
	}
	human_format_share(sums->large_flops, sums->flops, share);
	human_format_count(sums->large_calls, calls);
	human_format_size(large_bytes, bytes);
	if (sums->large_calls == 0)
		fprintf(out,
		        ", but no call reaches workload_threshold (%s of operands): all stay on "
		        "the CPU",
		        bytes);
	else
		fprintf(out,
		        ": %s in %s call%s that reach%s workload_threshold (%s of operands), the "
		        "rest in smaller ones",
		        share, calls, sums->large_calls == 1 ? "" : "s",
		        sums->large_calls == 1 ? "es" : "", bytes);
}

/* The share of the work that the shim can take. */
static void coverage_report_print_work(const struct report *report)
{
	const struct report_sums *sums = &report->sums;
	char share[HUMAN_BYTES], flops[HUMAN_BYTES], *text = NULL;
	size_t size = 0;
	FILE *line = say_need(open_memstream(&text, &size));
	coverage_report_format_flops(sums->flops, flops);
	human_format_share(sums->taken_flops, sums->flops, share);
	fprintf(line, "the shim can take %s of these %s", share, flops);
	coverage_report_add_large(line, report->files->files[0]->large_bytes, sums);
	fclose(line);
	coverage_print_lines(report->out, 0, "", text);
	free(text);
}

/* "of 4.70 s, 1.10 s are calls that the shim can take: at best 1.31 times as fast" */
static void coverage_report_print_bound(const struct report *report, const char *start,
                                        uint64_t spent_ns)
{
	char time[HUMAN_BYTES], ratio[HUMAN_BYTES];
	const double bound = coverage_time_bound(report->files, spent_ns);
	human_format_time(spent_ns, time);
	units_ratio(bound, ratio);
	if (isinf(bound))
		coverage_report_say(report, "%s, all is calls that the shim can take", start);
	else
		coverage_report_say(
			report, "%s, %s are calls that the shim can take: at best %s times as fast",
			start, time, ratio);
}

static void coverage_report_print_conclusion(const struct report *report)
{
	const struct report_sums *sums = &report->sums;
	const struct coverage_times *times = &report->times;
	char wall[HUMAN_BYTES], start[REPORT_LINE_BYTES];
	if (sums->taken_flops + sums->audit_flops == 0) {
		fprintf(report->out, "\nthe shim can take nothing of this program: %s\n",
		        sums->flops == 0 ? "no work was counted" : "see above why");
		return;
	}
	human_format_time((uint64_t)report->files->wall_ns, wall);
	snprintf(start, sizeof start, "of %s", wall);
	fprintf(report->out, "\n");
	coverage_report_print_bound(report, start, times->taken.wall_ns);
	if (sums->audit_flops > 0)
		coverage_report_print_bound(report,
		                            "with its audit library (`gpushim run --audit`)",
		                            times->taken.wall_ns + times->audit.wall_ns);
	coverage_report_print_work(report);
}

static void coverage_report_print_part(const struct report *report, uint64_t spent_ns,
                                       const char *what)
{
	char time[HUMAN_BYTES], share[HUMAN_BYTES], start[REPORT_TEXT_BYTES];
	coverage_report_format_time(report, spent_ns, time, share);
	snprintf(start, sizeof start, "%9s%11s  ", share, time);
	coverage_print_lines(report->out, 22, start, what);
}

/* Files of counts know nothing of each other: their processes may have run at once. */
static void coverage_report_print_processes(const struct report *report)
{
	size_t count = 0;
	for (size_t i = 0; i < report->files->count; i++) {
		const struct count_file *file = report->files->files[i];
		const struct count_time *time = file->group_time;
		count += coverage_time_read(&time[COUNT_GROUP_GPU], report->files, file).wall_ns +
		                 coverage_time_read(&time[COUNT_GROUP_CPU], report->files, file)
		                         .wall_ns >
		         0;
	}
	if (count < 2)
		return;
	coverage_report_say(report,
	                    "the times of %zu processes are added up: where they ran at once, less "
	                    "of the program's time is in these calls",
	                    count);
}

/* The threads' time where several of them are in calls at once, which no wall time shows. */
static void coverage_report_print_threads(const struct report *report)
{
	const struct coverage_spent *taken = &report->times.taken;
	char time[HUMAN_BYTES];
	if ((double)taken->thread_ns <= REPORT_THREADS_RATIO * (double)taken->wall_ns)
		return;
	human_format_time(taken->thread_ns, time);
	coverage_report_say(report,
	                    "several threads call at once: the calls that the shim can take add "
	                    "up to %s",
	                    time);
}

static void coverage_report_print_times(const struct report *report)
{
	const struct coverage_times *times = &report->times;
	const uint64_t wall_ns = (uint64_t)report->files->wall_ns;
	uint64_t sum_ns = times->taken.wall_ns + times->audit.wall_ns + times->other.wall_ns;
	fprintf(report->out, "\nwhere the time goes\n");
	coverage_report_print_part(report, times->taken.wall_ns, "calls that the shim can take");
	if (times->audit.wall_ns > 0)
		coverage_report_print_part(report, times->audit.wall_ns,
		                           "calls that it can take with its audit library");
	coverage_report_print_part(report, times->other.wall_ns,
	                           "other calls of BLAS, LAPACK and FFTW");
	for (int i = 0; i < COVERAGE_OUTSIDES; i++) {
		char what[REPORT_LINE_BYTES];
		if (times->outside[i].wall_ns == 0)
			continue;
		snprintf(what, sizeof what, "%s: the shim does not see it; %s",
		         coverage_time_name((enum coverage_outside)i),
		         coverage_time_advise((enum coverage_outside)i));
		coverage_report_print_part(report, times->outside[i].wall_ns, what);
		sum_ns += times->outside[i].wall_ns;
	}
	coverage_report_print_part(report, wall_ns > sum_ns ? wall_ns - sum_ns : 0,
	                           "all else, waiting included");
	coverage_report_print_threads(report);
	coverage_report_print_processes(report);
}

static void coverage_report_print_counts(const struct report *report)
{
	struct report_notes notes = {.count = 0};
	char calls[HUMAN_BYTES];
	if (report->rows.count == 0)
		return;
	coverage_report_print_table(report, &notes);
	coverage_report_print_notes(report, &notes);
	coverage_report_print_callers(report);
	human_format_count(report->sums.unsized, calls);
	if (report->sums.unsized > 0)
		fprintf(report->out,
		        "\n%s of the calls did work whose amount is not known: it is in no share "
		        "of work\n",
		        calls);
}

void coverage_report(FILE *out, const struct coverage_files *files, const char *program)
{
	struct report report = {.out = out, .files = files};
	coverage_rows_make(&report.rows, files);
	report.sums = coverage_report_sum(&report.rows);
	coverage_time_sum(&report.times, files, &report.rows);
	if (files->count > 0)
		coverage_report_print_headline(&report, program);
	coverage_report_print_counts(&report);
	coverage_gaps_print(out, files, program);
	if (files->count > 0) {
		coverage_report_print_times(&report);
		coverage_report_print_conclusion(&report);
	}
	coverage_rows_free(&report.rows);
}
