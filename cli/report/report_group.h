/* report_group.h - the cells of a log, summed by routine, by size or by reason */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_REPORT_REPORT_GROUP_H
#define GPUSHIM_CLI_REPORT_REPORT_GROUP_H

#include "cli/log/log_sum.h"
#include "policy/text/human.h"

enum {
	REPORT_ROUTINES = FAMILY_COUNT * ELEMENT_COUNT + 1, /* the last: unknown routines */
	REPORT_REASONS = REASON_COUNT + 1,
	REPORT_NAME_BYTES = 32
};

/* family and element are -1 for unknown routines. */
struct report_routine {
	int family, element;
	struct log_sides sides;
};

/*
 * reason is -1 for unknown reasons. Rows are of one target, since a call with reason device_failed,
 * for instance, ends on the CPU.
 */
struct report_reason {
	int reason;
	struct log_tally tally;
};

/*
 * Each fills the rows that have calls, those with the longest time first, and returns their number.
 * Cells that found their table full count as unknown.
 */
size_t report_group_routines(const struct log_sum *sum,
                             struct report_routine rows[REPORT_ROUTINES]);
size_t report_group_reasons(const struct log_sum *sum, enum target target,
                            struct report_reason rows[REPORT_REASONS]);

/* Fills all rows, by bucket. */
void report_group_sizes(const struct log_sum *sum, struct log_sides rows[LOG_BUCKETS]);

/* The sum of both sides. */
struct log_tally report_group_both(const struct log_sides *sides);

/* "dgemm", "other" for -1; "below_threshold", "unknown" for -1; "20 kB", "unknown" for bucket 0. */
void report_group_name_routine(int family, int element, char out[REPORT_NAME_BYTES]);
const char *report_group_name_reason(int reason);
void report_group_name_size(int bucket, char out[HUMAN_BYTES]);

#endif
