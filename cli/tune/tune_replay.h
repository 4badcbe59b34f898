/* tune_replay.h - recorded calls decided again, one after the other, as a process with these options would */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_TUNE_TUNE_REPLAY_H
#define GPUSHIM_CLI_TUNE_TUNE_REPLAY_H

#include "cli/tune/tune_sum.h"

struct tune_replay;

/*
 * Begins processes that know of the machine what a program would, under options, which must stay.
 * Freed by tune_replay_free.
 */
struct tune_replay *tune_replay_make(const struct tune_sum *sum, const struct options *options);
void tune_replay_free(struct tune_replay *replay);

/* One record, as tune_sum_view sees it. */
void tune_replay_add(struct tune_replay *replay, const struct log_record *record,
                     const struct tune_view *view);

/* After the last record: what all calls took, and how many of them the GPU. */
double tune_replay_time(struct tune_replay *replay, uint64_t *gpu_calls);

#endif
