/* compare_csv.c - every run as a line of CSV */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "cli/compare/compare_parts.h"

/* Quoted as RFC 4180 says: names of configurations have commas in them. */
static void compare_csv_print_text(FILE *file, const char *text)
{
	putc('"', file);
	for (; *text != '\0'; text++) {
		if (*text == '"')
			putc('"', file);
		putc(*text, file);
	}
	putc('"', file);
}

/* position: of the run in its round, from 1. */
static void compare_csv_print_run(const struct trial_runs *trial, FILE *file, size_t round,
                                  size_t position, size_t side)
{
	const struct child_outcome *outcome = &trial->outcomes[round * trial->sides + side];
	fprintf(file, "%zu,%zu,%zu,", round + 1, position, side);
	compare_csv_print_text(file, trial->side[side].name);
	fprintf(file, ",%lld,%lld,%lld,%d\n", (long long)outcome->wall_ns,
	        (long long)outcome->user_ns, (long long)outcome->system_ns, child_status(outcome));
}

void compare_csv_print(const struct trial_runs *trial, FILE *file)
{
	size_t order[RUN_ORDER_SIDES];
	fputs("round,position,side,name,wall_ns,user_ns,system_ns,status\n", file);
	for (size_t round = 0; round < trial->rounds; round++) {
		trial_runs_find_order(trial, round, order);
		for (size_t i = 0; i < trial->sides; i++)
			compare_csv_print_run(trial, file, round, i + 1, order[i]);
	}
}
