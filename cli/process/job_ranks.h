/* job_ranks.h - which ranks of MPI jobs are among the counts of a run */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_PROCESS_JOB_RANKS_H
#define GPUSHIM_CLI_PROCESS_JOB_RANKS_H

#include "cli/process/counters_read.h"
#include "policy/text/rank_count.h"

/*
 * Adds up the launches that the counts tell of. Several processes of a rank count once. All zero
 * where no process is a rank.
 */
struct rank_count job_ranks_count(const struct counters_read *counters);

#endif
