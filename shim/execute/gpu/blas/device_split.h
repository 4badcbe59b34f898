/* device_split.h - the devices that carry out one call: for each a lane, a share and its plans */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_BLAS_DEVICE_SPLIT_H
#define GPUSHIM_SHIM_EXECUTE_GPU_BLAS_DEVICE_SPLIT_H

#include "shim/execute/gpu/blas/panel_job.h"

/* Plans a problem within memory_bytes of the lane's device; false: it cannot be. */
typedef bool panel_planner(const struct lane *lane, const struct panel_problem *problem,
                           uint64_t memory_bytes, struct panel_plan *plan);

struct device_split {
	const struct panel_problem *problem;
	const bool *locked; /* per operand */
	panel_planner *planner;
	int count;
	struct panel_job job[CUDA_DEVICES]; /* the first one's lane is the caller's */
	double work_ns[CUDA_DEVICES];       /* expected time */
};

/*
 * Plans the problem for the lane's device and takes its arena, with smaller panels where memory is
 * short. If other devices are idle and the call would end sooner, each gets a share in proportion
 * to its speed, with a lane of its own and the element's arithmetic pinned. locked: operands that
 * the program has page-locked; problem and locked must outlive the split. Not REASON_NONE: call
 * device_split_end all the same.
 */
enum reason device_split_begin(struct device_split *split, struct lane *lane,
                               const struct panel_problem *problem,
                               const bool locked[OPERAND_COUNT], panel_planner *planner);

/*
 * Releases what was taken; the caller keeps its lane, whose device is current. left: it has lost it
 * (lane_owner.h).
 */
void device_split_end(struct device_split *split, bool left);

#endif
