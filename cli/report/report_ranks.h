/* report_ranks.h - the ranks of MPI and the GPUs of a report, and what they show */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_REPORT_REPORT_RANKS_H
#define GPUSHIM_CLI_REPORT_REPORT_RANKS_H

#include "cli/common/emit.h"
#include "cli/log/log_sum.h"

/* Bytes of the name of a rank or a GPU; ranks that have a row; findings. */
enum { REPORT_RANK_BYTES = 160, REPORT_RANK_ROWS = 12, REPORT_FINDING_BYTES = 512 };

/* Whether ranks, or GPUs, are shown: there are several ranks, or several GPUs. */
bool report_ranks_are_shown(const struct log_sum *sum);
bool report_ranks_show_cards(const struct log_sum *sum);

/*
 * The ranks that have a row, at most REPORT_RANK_ROWS: all of them in their order, or those with
 * the longest times first. rest: the sums of the others. Returns their number.
 */
size_t report_ranks_choose(const struct log_sum *sum, const struct log_rank *rows[REPORT_RANK_ROWS],
                           struct log_sides *rest);

/* "3 node1"; with the launch in front where there are several. */
void report_ranks_name(const struct log_sum *sum, const struct log_rank *rank,
                       char out[REPORT_RANK_BYTES]);

/* "node1 0000:01:00.0" */
void report_ranks_name_card(const struct log_sum *sum, const struct log_card *card,
                            char out[REPORT_RANK_BYTES]);

/*
 * How evenly the time in calls is dealt to the ranks of a launch: that with the longest time of
 * all, where there are several. longest: NULL where no launch has two ranks with times. ranks: of
 * which there are records; size: how many the launcher started.
 */
struct report_balance {
	const struct log_rank *longest;
	double longest_ns, mean_ns;
	size_t ranks, size;
};
struct report_balance report_ranks_balance(const struct log_sum *sum);

/* The mean number of calls on the GPU between its first call and the end of its last one. */
double report_ranks_find_load(const struct log_card *card);

/* Tables, nothing where they are not shown. */
void report_ranks_print(struct emit *emit, const struct log_sum *sum);
void report_ranks_put_json(struct json *json, const struct log_sum *sum);

/*
 * A thing that ranks and GPUs show, and that somebody can do something about. name: of
 * report_advice.def. value: what was measured; least: from which value on it is one. sentence:
 * without a full stop.
 */
struct report_finding {
	const char *name;
	double value, least;
	char sentence[REPORT_FINDING_BYTES];
};
enum report_finding_kind {
#define FINDING(name, least, sentence) REPORT_FINDING_##name,
#include "cli/report/report_advice.def"
	REPORT_FINDINGS
};

/* Lists what is found, in the order of the table. Returns its number; 0 for a single rank. */
size_t report_finding_list(const struct log_sum *sum, struct report_finding rows[REPORT_FINDINGS]);

#endif
