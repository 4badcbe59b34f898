/* recorded_call.h - rebuilds a call from its record in a log */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_RECORDED_RECORDED_CALL_H
#define GPUSHIM_CLI_RECORDED_RECORDED_CALL_H

#include "cli/common/call_problem.h"
#include "cli/log/log.h"
#include "policy/call/operand.h"

/* Whether settings can move a call. */
enum recorded_fate {
	RECORDED_MOVABLE, /* it can run on either side */
	RECORDED_BOUND,   /* only one side can run it */
	RECORDED_BLURRED  /* the record lacks its sizes: it is left on its side */
};

enum recorded_fate recorded_call_judge(const struct log_record *record);

/*
 * Rebuilds a movable call. What the log does not tell is found by the bytes: whether a transform is
 * in place, on which side a triangle is. false where no call can have these sizes.
 */
bool recorded_call_read(const struct log_record *record, struct call_problem *problem,
                        struct built_call *built);

/*
 * The operands that the GPU had from earlier calls, of those that a setting of the model can hold:
 * those whose bytes together are nearest to the bytes that the record says were there.
 */
void recorded_call_find_held(const struct log_record *record, const struct call *call,
                             bool held[OPERAND_COUNT]);

/* Whether work_threshold and k_threshold let the call leave the CPU. */
bool recorded_call_passes(const struct call *call, uint64_t work_threshold, uint64_t k_threshold);

#endif
