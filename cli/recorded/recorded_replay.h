/* recorded_replay.h - recorded calls, decided again in their order under other options */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_RECORDED_RECORDED_REPLAY_H
#define GPUSHIM_CLI_RECORDED_RECORDED_REPLAY_H

#include "cli/recorded/recorded_sum.h"
#include "policy/decide/predict.h"

struct recorded_replay;

/*
 * Begins a replay. Its processes know of the machine what a program would know. options must stay
 * valid. Freed by recorded_replay_free.
 */
struct recorded_replay *recorded_replay_make(const struct recorded_sum *sum,
                                             const struct options *options);
void recorded_replay_free(struct recorded_replay *replay);

/*
 * Adds one record; view: from recorded_sum_view, after recorded_sum_rewind. Returns its decision,
 * whose reason is as predict_add has it.
 */
struct decision recorded_replay_add(struct recorded_replay *replay, const struct log_record *record,
                                    const struct recorded_view *view);

/* To be called after the last record: the time of all calls, and how many ran on the GPU. */
double recorded_replay_time(struct recorded_replay *replay, uint64_t *gpu_calls);

/* To be called after recorded_replay_time. */
struct predict_totals recorded_replay_get_totals(const struct recorded_replay *replay);

#endif
