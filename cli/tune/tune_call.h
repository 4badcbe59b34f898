/* tune_call.h - a recorded call as the one that the shim saw, as far as its record tells */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_TUNE_TUNE_CALL_H
#define GPUSHIM_CLI_TUNE_TUNE_CALL_H

#include "cli/common/call_problem.h"
#include "cli/log/log.h"

/* What a setting can do with a call. */
enum tune_fate {
	TUNE_MOVABLE, /* it runs on either side */
	TUNE_BOUND,   /* it stays where it was, whatever the settings: only one side can run it */
	TUNE_BLURRED  /* its sizes are not in the record: it is left where it was */
};

enum tune_fate tune_call_judge(const struct log_record *record);

/*
 * The shape of a movable call. What the log does not say is found by the bytes: whether a transform
 * is in place, on which side a triangle stands. false where the sizes are none that a call can
 * have.
 */
bool tune_call_read(const struct log_record *record, struct call_problem *problem,
                    struct built_call *built);

/* Whether the options let such a call leave the CPU, the workload_threshold aside. */
bool tune_call_passes(const struct call *call, uint64_t work_threshold, uint64_t k_threshold);

#endif
