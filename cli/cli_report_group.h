/* cli_report_group.h - the cells of a log's sums, grouped by one thing at a time */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CLI_REPORT_GROUP_H
#define GPUSHIM_CLI_CLI_REPORT_GROUP_H

#include "cli/cli_log_sum.h"
#include "shim/record/human.h"

enum {
	CLI_REPORT_ROUTINES = FAMILY_COUNT * ELEMENT_COUNT + 1, /* the last: unknown ones */
	CLI_REPORT_REASONS = REASON_COUNT + 1,
	CLI_REPORT_NAME_BYTES = 32
};

/* family and element are -1 of unknown routines. */
struct cli_report_routine {
	int family, element;
	struct cli_log_sides sides;
};

/* reason is -1 of unknown ones. Of one target: some reasons (device_failed) end on the other side than they begin. */
struct cli_report_reason {
	int reason;
	struct cli_log_tally tally;
};

/* Each fills rows that have calls, the longest time first, and returns how many. Cells that had no room are unknown. */
size_t cli_report_group_routines(const struct cli_log_sum *sum, struct cli_report_routine rows[CLI_REPORT_ROUTINES]);
size_t cli_report_group_reasons(const struct cli_log_sum *sum, enum target target,
                                struct cli_report_reason rows[CLI_REPORT_REASONS]);

/* All buckets, by their number. */
void cli_report_group_sizes(const struct cli_log_sum *sum, struct cli_log_sides rows[CLI_LOG_BUCKETS]);

/* Both sides together. */
struct cli_log_tally cli_report_group_both(const struct cli_log_sides *sides);

/* "dgemm", "other" for -1; "below_threshold", "unknown" for -1; "20 kB", "unknown" for bucket 0. */
void cli_report_group_name_routine(int family, int element, char out[CLI_REPORT_NAME_BYTES]);
const char *cli_report_group_name_reason(int reason);
void cli_report_group_name_size(int bucket, char out[HUMAN_BYTES]);

#endif
