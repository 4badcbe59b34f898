/* report_group.c - sums of cells by routine, by size, by reason */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/report_group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct log_tally report_group_both(const struct log_sides *sides)
{
	struct log_tally both = sides->side[TARGET_CPU];
	log_sum_add_tally(&both, &sides->side[TARGET_GPU]);
	return both;
}

static int report_group_compare(const struct log_tally *a, const struct log_tally *b)
{
	if (a->elapsed_ns != b->elapsed_ns)
		return (a->elapsed_ns < b->elapsed_ns) - (a->elapsed_ns > b->elapsed_ns);
	return (a->calls < b->calls) - (a->calls > b->calls);
}

static int report_group_compare_routines(const void *left, const void *right)
{
	const struct report_routine *a = left, *b = right;
	const struct log_tally of_a = report_group_both(&a->sides),
			       of_b = report_group_both(&b->sides);
	const int order = report_group_compare(&of_a, &of_b);
	return order != 0               ? order
	       : a->family != b->family ? a->family - b->family
	                                : a->element - b->element;
}

static int report_group_compare_reasons(const void *left, const void *right)
{
	const struct report_reason *a = left, *b = right;
	const int order = report_group_compare(&a->tally, &b->tally);
	return order != 0 ? order : a->reason - b->reason;
}

size_t report_group_routines(const struct log_sum *sum, struct report_routine rows[REPORT_ROUTINES])
{
	size_t count = 0;
	memset(rows, 0, REPORT_ROUTINES * sizeof *rows);
	for (int i = 0; i < REPORT_ROUTINES; i++) {
		const bool known = i + 1 < REPORT_ROUTINES;
		rows[i].family = known ? i / ELEMENT_COUNT : -1;
		rows[i].element = known ? i % ELEMENT_COUNT : -1;
	}
	for (size_t i = 0; i < sum->cell_count; i++) {
		const struct log_cell *cell = &sum->cells[i];
		const int row = cell->family < 0 ? REPORT_ROUTINES - 1
		                                 : cell->family * ELEMENT_COUNT + cell->element;
		log_sum_add_tally(&rows[row].sides.side[cell->target], &cell->tally);
	}
	log_sum_add_sides(&rows[REPORT_ROUTINES - 1].sides, &sum->other_cells);
	qsort(rows, REPORT_ROUTINES, sizeof *rows, report_group_compare_routines);
	while (count < REPORT_ROUTINES && report_group_both(&rows[count].sides).calls > 0)
		count++;
	return count;
}

size_t report_group_reasons(const struct log_sum *sum, enum target target,
                            struct report_reason rows[REPORT_REASONS])
{
	size_t count = 0;
	memset(rows, 0, REPORT_REASONS * sizeof *rows);
	for (int i = 0; i < REPORT_REASONS; i++)
		rows[i].reason = i - 1;
	for (size_t i = 0; i < sum->cell_count; i++)
		if (sum->cells[i].target == target)
			log_sum_add_tally(&rows[sum->cells[i].reason + 1].tally,
			                  &sum->cells[i].tally);
	log_sum_add_tally(&rows[0].tally, &sum->other_cells.side[target]);
	qsort(rows, REPORT_REASONS, sizeof *rows, report_group_compare_reasons);
	while (count < REPORT_REASONS && rows[count].tally.calls > 0)
		count++;
	return count;
}

void report_group_sizes(const struct log_sum *sum, struct log_sides rows[LOG_BUCKETS])
{
	memset(rows, 0, LOG_BUCKETS * sizeof *rows);
	for (size_t i = 0; i < sum->cell_count; i++)
		log_sum_add_tally(&rows[sum->cells[i].bucket].side[sum->cells[i].target],
		                  &sum->cells[i].tally);
	log_sum_add_sides(&rows[0], &sum->other_cells);
}

void report_group_name_routine(int family, int element, char out[REPORT_NAME_BYTES])
{
	if (family < 0 || element < 0)
		strcpy(out, "other");
	else
		symbol_name_routine((enum family)family, (enum element)element, out,
		                    REPORT_NAME_BYTES);
}

const char *report_group_name_reason(int reason)
{
	return reason < 0 ? "unknown" : reason_name((enum reason)reason);
}

void report_group_name_size(int bucket, char out[HUMAN_BYTES])
{
	int64_t amount = log_sum_bucket_bytes(bucket);
	size_t unit = 0;
	for (; amount >= 1000 && unit + 1 < HUMAN_SIZES; unit++)
		amount /= 1000;
	if (bucket <= 0)
		strcpy(out, "unknown");
	else
		snprintf(out, HUMAN_BYTES, "%lld %s", (long long)amount, human_sizes[unit].name);
}
