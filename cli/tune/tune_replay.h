/* tune_replay.h - decides recorded calls again in their order, with other options */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_TUNE_TUNE_REPLAY_H
#define GPUSHIM_CLI_TUNE_TUNE_REPLAY_H

#include "cli/tune/tune_sum.h"

struct tune_replay;

/*
 * Begins a replay. Its processes know of the machine what a program would know. options must stay
 * valid. Freed by tune_replay_free.
 */
struct tune_replay *tune_replay_make(const struct tune_sum *sum, const struct options *options);
void tune_replay_free(struct tune_replay *replay);

/* Adds one record; view: from tune_sum_view. */
void tune_replay_add(struct tune_replay *replay, const struct log_record *record,
                     const struct tune_view *view);

/* To be called after the last record: the time of all calls, and how many ran on the GPU. */
double tune_replay_time(struct tune_replay *replay, uint64_t *gpu_calls);

#endif
