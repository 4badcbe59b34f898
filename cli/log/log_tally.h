/* log_tally.h - sums over calls, of one side and of both; the sums of a process */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_LOG_LOG_TALLY_H
#define GPUSHIM_CLI_LOG_LOG_TALLY_H

#include "cli/log/log.h"

/*
 * Sums over some calls. timed: calls with a measured time. predicted: calls with a measured time
 * and both expected times; predicted_*_ns and measured_ns are their sums. regretted: how many of
 * those took longer than expected of the other side; regret_ns: by how much. wait_ns: by how much
 * calls on the GPU took longer than expected there. verified: calls that
 * the CPU computed too; disagreed: those with another result; verify_worst: the largest ratio of
 * the others. nested: calls inside others, which have their time; they count as not timed.
 * workspace_bytes: the largest. sent_bytes, kept_bytes: of calls on the
 * GPU.
 */
struct log_tally {
	uint64_t calls, timed, predicted, regretted, verified, disagreed, nested;
	double elapsed_ns, size_bytes, work_flops;
	double predicted_cpu_ns, predicted_gpu_ns, measured_ns, regret_ns, wait_ns;
	double verify_worst, workspace_bytes, sent_bytes, kept_bytes;
};

/* The tallies of both sides, by enum target. */
struct log_sides {
	struct log_tally side[2];
};

/*
 * first_ns: when the first call began; last_ns: when the last one ended; -1 where no record has a
 * time. rank, size, local_rank: as its first record says; -1, 0, -1 where it does not. place: of
 * struct log_ranks, -1: unknown. use: 1 + the number of its use of the GPU that it used most, 0:
 * none; log_sum_end sets it.
 */
struct log_process {
	size_t file;
	int64_t pid, first_ns, last_ns;
	int rank, size, local_rank, place;
	size_t use;
	struct log_sides sides;
};

/* Each adds from to to. */
void log_sum_add_tally(struct log_tally *to, const struct log_tally *from);
void log_sum_add_sides(struct log_sides *to, const struct log_sides *from);

/* Makes the time from *first_ns to *last_ns, -1 where there is none yet, contain a record's. */
void log_sum_stretch(int64_t *first_ns, int64_t *last_ns, const struct log_record *record);

#endif
