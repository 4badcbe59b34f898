/* compare_output.c - prints how outputs and exit statuses compare */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare/compare_parts.h"
#include "cli/compare/trial_check.h"
#include "policy/text/human.h"

/* Behind a longer name of a side the sentence begins a new line. */
enum { OUTPUT_NAME_MOST = 45 };

static void compare_output_print_quote(const char *before, const char *after, const char *one,
                                       const char *other)
{
	printf("  %-17s %s\n  %-17s %s\n", one, before, other, after);
}

static void compare_output_print_differs(void)
{
	compare_report_colour(EMIT_RED);
	printf("DIFFERS");
	compare_report_colour(EMIT_PLAIN);
}

static void compare_output_print_found(const struct trial_runs *trial,
                                       const struct trial_side *side,
                                       const struct difference_verdict *verdict)
{
	static const char one[] = "without the shim:", other[] = "with the shim:";
	char kept[HUMAN_BYTES];
	compare_output_print_differs();
	if (verdict->line > 0) {
		printf(" beyond the tolerance %g, at line %zu\n", trial->tolerance, verdict->line);
		if (verdict->quote != NULL)
			compare_output_print_quote(verdict->quote->before, verdict->quote->after,
			                           one, other);
		return;
	}
	human_format_size(CHILD_OUTPUT_KEPT_BYTES, kept);
	printf(", behind the first %s, which are compared as text\n", kept);
	printf("  %-17s %llu bytes in all\n  %-17s %llu bytes in all\n", one,
	       (unsigned long long)side->difference.rest_bytes[0], other,
	       (unsigned long long)side->difference.rest_bytes[1]);
}

static void compare_output_print_side(const struct trial_runs *trial, size_t index)
{
	const struct trial_side *side = &trial->side[index];
	const struct difference_verdict verdict = trial_check_judge(trial, index);
	const bool only = trial->sides == 2;
	const bool is_long = !only && strlen(side->name) > OUTPUT_NAME_MOST;
	printf("output%s%s:%s", only ? "" : ", ", only ? "" : side->name, is_long ? "\n  " : " ");
	if (verdict.kind == DIFFERENCE_FOUND)
		compare_output_print_found(trial, side, &verdict);
	else if (verdict.kind == DIFFERENCE_UNSTEADY)
		printf("not compared\n");
	else if (trial->first.total_bytes == 0)
		printf("none\n");
	else if (verdict.kind == DIFFERENCE_NONE)
		printf("equal, byte by byte\n");
	else if (side->difference.deviation == 0)
		printf("equal, but for how numbers and blanks are written\n");
	else
		printf("equal within the tolerance %g\n  numbers differ by at most %.2g of the "
		       "largest of their line\n",
		       trial->tolerance, side->difference.deviation);
}

/* The program's output differs from itself. */
static void compare_output_print_unsteady(const struct trial_runs *trial)
{
	const struct difference *own = &trial->side[TRIAL_RUNS_OFF].difference;
	const struct difference_verdict verdict = trial_check_judge(trial, TRIAL_RUNS_OFF);
	if (own->rest_differs)
		printf("  what is not stored differs between runs without the shim: not "
		       "compared\n");
	if (verdict.unsteady == 0)
		return;
	if (own->end != 0)
		printf("  runs without the shim print different numbers of lines: nothing is "
		       "compared\n");
	else if (verdict.kind == DIFFERENCE_UNSTEADY)
		printf("  every line differs between runs without the shim: nothing is compared\n");
	else
		printf("  not compared: %zu of %zu lines, not the same in all runs without the "
		       "shim\n",
		       verdict.unsteady, own->total);
	if (own->quotes == 0)
		return;
	printf("  for instance line %zu, in two runs without the shim:\n", own->quote[0].line);
	printf("    %s\n    %s\n", own->quote[0].before, own->quote[0].after);
}

void compare_output_print(const struct trial_runs *trial)
{
	for (size_t side = TRIAL_RUNS_ON; side < trial->sides; side++)
		compare_output_print_side(trial, side);
	compare_output_print_unsteady(trial);
}

static void compare_output_print_status(const struct trial_runs *trial, size_t index)
{
	char *off = status_list_describe(&trial->side[TRIAL_RUNS_OFF].statuses);
	char *on = status_list_describe(&trial->side[index].statuses);
	printf("exit status: ");
	compare_output_print_differs();
	printf("\n  without the shim: %s\n  with %s: %s\n", off,
	       trial->sides > 2 ? trial->side[index].name : "the shim", on);
	free(off);
	free(on);
}

void compare_output_print_statuses(const struct trial_runs *trial)
{
	const struct status_list *off = &trial->side[TRIAL_RUNS_OFF].statuses;
	bool differs = false;
	for (size_t side = TRIAL_RUNS_ON; side < trial->sides; side++) {
		if (!trial_check_status_differs(trial, side))
			continue;
		compare_output_print_status(trial, side);
		differs = true;
	}
	char *statuses = status_list_describe(off);
	if (!differs && status_list_count_kinds(off) > 1)
		printf("exit status: varies from run to run without the shim too\n"
		       "  without the shim: %s\n",
		       statuses);
	else if (!differs)
		printf("exit status: %s in all runs\n", statuses);
	free(statuses);
}
