/* coverage_report.c - prints the table, the reasons below it, and the share the shim can take */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cli/common/units.h"
#include "cli/coverage/coverage.h"

enum {
	REPORT_COLUMN_ROUTINE = 20, /* or as wide as the longest name */
	REPORT_COLUMN_CALLS = 12,
	REPORT_COLUMN_LARGEST = 22,
	REPORT_COLUMN_FLOPS = 12,
	REPORT_COLUMN_SHARE = 9,
	REPORT_COLUMN_SEEN = 6,
	REPORT_TEXT_BYTES = 128,
	REPORT_REASONS = 24,
	REPORT_CALLERS = 8
};

/*
 * Sums over all rows; taken_flops, large_calls and large_flops over the rows that the shim can
 * take, audit_flops over those for which it needs its audit library. width: of the longest label.
 */
struct report_sums {
	int width;
	uint64_t calls, unsized, flops, taken_flops, audit_flops, large_calls, large_flops;
};

/* The reasons, lettered from a in the order of the table, with the sums of their rows. */
struct report_reasons {
	const char *reason[REPORT_REASONS];
	uint64_t calls[REPORT_REASONS], flops[REPORT_REASONS];
	int count;
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

static struct report_sums coverage_report_sum(const struct coverage_rows *rows)
{
	struct report_sums sums = {.width = REPORT_COLUMN_ROUTINE};
	for (size_t i = 0; i < rows->count; i++) {
		const struct coverage_row *row = &rows->rows[i];
		sums.width =
			(int)strlen(row->label) > sums.width ? (int)strlen(row->label) : sums.width;
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

static void coverage_report_format_share(uint64_t flops, const struct report_sums *sums,
                                         char text[HUMAN_BYTES])
{
	human_format_share(flops, sums->flops, text);
	if (flops == 0)
		strcpy(text, "-");
	else if (flops * 1000.0 < (double)sums->flops)
		strcpy(text, "< 0.1 %");
}

/* Adds the row to the sums of its reason; returns the reason's letter, ? if there are too many. */
static char coverage_report_note_reason(struct report_reasons *reasons,
                                        const struct coverage_row *row)
{
	int i = 0;
	while (i < reasons->count && strcmp(reasons->reason[i], row->reason) != 0)
		i++;
	if (i == REPORT_REASONS)
		return '?';
	if (i == reasons->count)
		reasons->reason[reasons->count++] = row->reason;
	reasons->calls[i] += row->calls;
	reasons->flops[i] += row->flops;
	return (char)('a' + i);
}

static void coverage_report_print_row(FILE *out, const struct coverage_row *row,
                                      const struct report_sums *sums,
                                      struct report_reasons *reasons)
{
	char calls[HUMAN_BYTES], share[HUMAN_BYTES], flops[HUMAN_BYTES] = "-";
	char largest[REPORT_TEXT_BYTES];
	char seen[] = "no (a)";
	human_format_count(row->calls, calls);
	coverage_report_format_sizes(row, largest);
	if (row->flops > 0)
		coverage_report_format_flops(row->flops, flops);
	coverage_report_format_share(row->flops, sums, share);
	if (row->reason == NULL)
		strcpy(seen, "yes");
	else
		seen[4] = coverage_report_note_reason(reasons, row);
	/* The routine itself is neither seen nor missed: its BLAS calls have rows of their own. */
	if (row->is_elsewhere)
		memcpy(seen, "- ", 2);
	fprintf(out, "%-*s%*s  %-*s%*s%*s  %-*s  %s\n", sums->width, row->label,
	        REPORT_COLUMN_CALLS, calls, REPORT_COLUMN_LARGEST, largest, REPORT_COLUMN_FLOPS,
	        flops, REPORT_COLUMN_SHARE, share, REPORT_COLUMN_SEEN, seen, row->provider);
}

static void coverage_report_print_table(FILE *out, const struct coverage_rows *rows,
                                        const struct report_sums *sums,
                                        struct report_reasons *reasons)
{
	fprintf(out, "\n%-*s%*s  %-*s%*s%*s  %-*s  %s\n", sums->width, "routine",
	        REPORT_COLUMN_CALLS, "calls", REPORT_COLUMN_LARGEST, "largest", REPORT_COLUMN_FLOPS,
	        "work", REPORT_COLUMN_SHARE, "share", REPORT_COLUMN_SEEN, "seen", "library");
	for (size_t i = 0; i < rows->count; i++)
		if (rows->rows[i].calls > 0)
			coverage_report_print_row(out, &rows->rows[i], sums, reasons);
}

static void coverage_report_print_reasons(FILE *out, const struct report_reasons *reasons,
                                          const struct report_sums *sums)
{
	char share[HUMAN_BYTES];
	if (reasons->count > 0)
		fprintf(out, "\nwhy not\n");
	for (int i = 0; i < reasons->count; i++) {
		coverage_report_format_share(reasons->flops[i], sums, share);
		fprintf(out, "  (%c)%9s  %s\n", 'a' + i, share, reasons->reason[i]);
	}
}

static void coverage_report_print_callers(FILE *out, const struct coverage_files *files,
                                          const struct report_sums *sums)
{
	struct coverage_rows callers;
	char calls[HUMAN_BYTES], share[HUMAN_BYTES];
	coverage_rows_make_callers(&callers, files);
	if (callers.count > 0)
		fprintf(out, "\nwho calls\n");
	for (size_t i = 0; i < callers.count && i < REPORT_CALLERS; i++) {
		human_format_count(callers.rows[i].calls, calls);
		coverage_report_format_share(callers.rows[i].flops, sums, share);
		fprintf(out, "%14s%*s  %s\n", share, REPORT_COLUMN_CALLS, calls,
		        callers.rows[i].label);
	}
	if (callers.count > REPORT_CALLERS)
		fprintf(out, "  and %zu more\n", callers.count - REPORT_CALLERS);
	coverage_rows_free(&callers);
}

static void coverage_report_print_headline(FILE *out, const struct coverage_files *files,
                                           const char *program, int64_t wall_ns,
                                           const struct report_sums *sums)
{
	char name[COUNT_PATH_BYTES], calls[HUMAN_BYTES], time[HUMAN_BYTES], flops[HUMAN_BYTES];
	human_format_count(sums->calls, calls);
	human_format_time((uint64_t)wall_ns, time);
	coverage_report_format_flops(sums->flops, flops);
	coverage_clean_name(name, sizeof name, program);
	fprintf(out, "gpushim: %s", name);
	if (files->count > 1)
		fprintf(out, ", %zu processes", files->count);
	fprintf(out, ", %s: %s call%s of BLAS, LAPACK and FFTW, %s\n", time, calls,
	        sums->calls == 1 ? "" : "s", flops);
}

/*
 * How much of that share is in calls that reach workload_threshold: smaller ones stay on the CPU.
 */
static void coverage_report_print_large(FILE *out, uint64_t large_bytes,
                                        const struct report_sums *sums)
{
	char share[HUMAN_BYTES], calls[HUMAN_BYTES], bytes[HUMAN_BYTES];
	human_format_share(sums->large_flops, sums->flops, share);
	human_format_count(sums->large_calls, calls);
	human_format_size(large_bytes, bytes);
	if (sums->large_calls == 0)
		fprintf(out,
		        ", but no call reaches workload_threshold (%s of operands): all stay on "
		        "the CPU\n",
		        bytes);
	else
		fprintf(out,
		        ": %s in %s call%s that reach%s workload_threshold (%s of operands), the "
		        "rest in smaller ones\n",
		        share, calls, sums->large_calls == 1 ? "" : "s",
		        sums->large_calls == 1 ? "es" : "", bytes);
}

static void coverage_report_print_audit(FILE *out, const struct report_sums *sums)
{
	char share[HUMAN_BYTES];
	human_format_share(sums->audit_flops, sums->flops, share);
	if (sums->audit_flops > 0)
		fprintf(out,
		        "\nwith its audit library (`gpushim run --audit`) the shim can take %s "
		        "more\n",
		        share);
}

static void coverage_report_print_conclusion(FILE *out, const struct coverage_files *files,
                                             const struct report_sums *sums)
{
	char share[HUMAN_BYTES], flops[HUMAN_BYTES];
	coverage_report_format_flops(sums->flops, flops);
	human_format_share(sums->taken_flops, sums->flops, share);
	if (sums->taken_flops + sums->audit_flops == 0) {
		fprintf(out, "\nthe shim can take nothing of this program: %s\n",
		        sums->flops == 0 ? "no work was counted" : "see above why");
		return;
	}
	coverage_report_print_audit(out, sums);
	fprintf(out, "%sthe shim can take %s of these %s", sums->audit_flops > 0 ? "" : "\n", share,
	        flops);
	coverage_report_print_large(out, files->files[0]->large_bytes, sums);
}

static void coverage_report_print_counts(FILE *out, const struct coverage_files *files,
                                         const struct coverage_rows *rows,
                                         const struct report_sums *sums)
{
	struct report_reasons reasons = {.count = 0};
	char calls[HUMAN_BYTES];
	if (rows->count == 0)
		return;
	coverage_report_print_table(out, rows, sums, &reasons);
	coverage_report_print_reasons(out, &reasons, sums);
	coverage_report_print_callers(out, files, sums);
	human_format_count(sums->unsized, calls);
	if (sums->unsized > 0)
		fprintf(out,
		        "\n%s of the calls did work whose amount is not known: it is in no share\n",
		        calls);
}

void coverage_report(FILE *out, const struct coverage_files *files, const char *program,
                     int64_t wall_ns)
{
	struct coverage_rows rows;
	coverage_rows_make(&rows, files);
	const struct report_sums sums = coverage_report_sum(&rows);
	if (files->count > 0)
		coverage_report_print_headline(out, files, program, wall_ns, &sums);
	coverage_report_print_counts(out, files, &rows, &sums);
	coverage_gaps_print(out, files, program);
	if (files->count > 0)
		coverage_report_print_conclusion(out, files, &sums);
	coverage_rows_free(&rows);
}
