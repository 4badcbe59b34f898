/* cpu_move.h - a CPU that is done with its part takes panels that the device has not begun */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_BLAS_CPU_MOVE_H
#define GPUSHIM_SHIM_EXECUTE_GPU_BLAS_CPU_MOVE_H

#include "shim/execute/gpu/blas/cpu_part.h"
#include "shim/execute/gpu/blas/panel_job.h"
#include "shim/execute/gpu/engine/flow_tail.h"

/*
 * part, job: of both sides; they must outlive the move. call: of the device's part. elements: of C,
 * in all of the call.
 */
struct cpu_move {
	struct cpu_part *part;
	struct panel_job *job;
	struct call call;
	struct flow_tail tail;
	double elements;
	int64_t begin_ns;
};

/* Returns whether panels may be taken; then the flow of the job must have move->tail. */
bool cpu_move_begin(struct cpu_move *move, struct cpu_part *part, struct panel_job *job);

/*
 * Computes the next slice of the CPU's part; when it is done, takes the last panel that the device
 * has not begun, if the CPU computes it sooner than the device would come to an end. As flow_beside
 * has it, of a struct cpu_move; false: nothing to do now.
 */
bool cpu_move_step(void *move);

/* What was taken is no longer the job's. Slices of it may be left in the part. */
void cpu_move_end(struct cpu_move *move);

#endif
