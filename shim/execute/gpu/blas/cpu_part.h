/* cpu_part.h - the CPU's part of a call that it shares with devices, slice by slice */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_BLAS_CPU_PART_H
#define GPUSHIM_SHIM_EXECUTE_GPU_BLAS_CPU_PART_H

#include "policy/plan/share.h"
#include "shim/execute/gpu/engine/cpu_share.h"

/*
 * row, column: of C, what is left of the part. by_rows: slices are rows. slice: the width of the
 * next one. share: of the call's work. elements: of C, computed so far in elapsed_ns. call and
 * caller must outlive the part.
 */
struct cpu_part {
	const struct call *call;
	const void *caller;
	struct panel_span row, column;
	bool by_rows;
	int64_t slice, elapsed_ns;
	double share, elements;
};

/*
 * Divides the call as share asks: problem becomes the devices' part. The part ends by
 * cpu_share_end. false: the call is not divided.
 */
bool cpu_part_begin(struct cpu_part *part, struct lane *lane, const struct call *call,
                    const void *caller, const struct cpu_share *share,
                    struct panel_problem *problem);

/* Whether something is left; then its next slice. */
bool cpu_part_next(const struct cpu_part *part, struct panel_span *row, struct panel_span *column);

/*
 * Computes the next slice. Slices take about 50 ms, if they need not be wider for the library to be
 * fast. open: handlers of the program run meanwhile, and may jump. step: of a struct cpu_part, as
 * flow_beside has it; false where nothing is left.
 */
void cpu_part_compute_open(struct cpu_part *part, const struct cpu_share *share);
bool cpu_part_step(void *part);

/*
 * A rectangle of C of another call, computed by the same routine, after all slices are done. share:
 * its part of the whole call's work.
 */
void cpu_part_add(struct cpu_part *part, const struct call *call, struct panel_span row,
                  struct panel_span column, double share);

#endif
