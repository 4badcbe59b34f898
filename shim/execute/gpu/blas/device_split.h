/* device_split.h - the devices that carry out one call: a lane, a share of the call and its plans for each */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_BLAS_DEVICE_SPLIT_H
#define GPUSHIM_SHIM_EXECUTE_GPU_BLAS_DEVICE_SPLIT_H

#include "shim/execute/gpu/blas/panel_job.h"

struct device_split {
	int count;
	struct panel_job job[CUDA_DEVICES]; /* the first one's lane is the caller's */
	double work_ns[CUDA_DEVICES];       /* expected */
};

/* How a problem is planned within so much memory of a device; false: it cannot be. */
typedef bool panel_planner(const struct lane *lane, const struct panel_problem *problem,
                           uint64_t memory_bytes, struct panel_plan *plan);

/*
 * Plans the problem for the lane's device and takes its arena; less memory makes smaller panels.
 * Where other devices have nothing to do and the call would end sooner for it, each gets a share in
 * proportion to its speed, and a lane of its own. locked: of operands that the program has
 * page-locked. element's arithmetic is pinned on every lane.
 */
enum reason device_split_begin(struct device_split *split, struct lane *lane,
                               const struct panel_problem *problem,
                               const bool locked[OPERAND_COUNT], panel_planner *planner);

/* Gives back what was taken; the caller's lane stays the caller's, and its device is current. */
void device_split_end(struct device_split *split);

#endif
