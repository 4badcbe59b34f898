/* cli_tune_replay.h - recorded calls decided again, one after the other, as a process with these options would */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CLI_TUNE_REPLAY_H
#define GPUSHIM_CLI_CLI_TUNE_REPLAY_H

#include "cli/cli_tune_sum.h"

struct cli_tune_replay;

/*
 * Begins processes that know of the machine what a program would, under options, which must stay. Freed by
 * cli_tune_replay_free.
 */
struct cli_tune_replay *cli_tune_replay_make(const struct cli_tune_sum *sum, const struct options *options);
void cli_tune_replay_free(struct cli_tune_replay *replay);

/* One record, as cli_tune_sum_view sees it. */
void cli_tune_replay_add(struct cli_tune_replay *replay, const struct cli_log_record *record,
                         const struct cli_tune_view *view);

/* After the last record: what all calls took, and how many of them the GPU. */
double cli_tune_replay_time(struct cli_tune_replay *replay, uint64_t *gpu_calls);

#endif
