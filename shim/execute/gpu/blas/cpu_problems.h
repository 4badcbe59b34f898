/* cpu_problems.h - the CPU's part of a batch that it shares with a device, slice by slice */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_BLAS_CPU_PROBLEMS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_BLAS_CPU_PROBLEMS_H

#include "shim/execute/gpu/engine/cpu_share.h"

/*
 * begin, end: what is left of the part; those before begin are the device's. slice: the number of
 * problems of the next one. share: of the call's work. elapsed_ns: of the slices so far. call and
 * caller must outlive the part.
 */
struct cpu_problems {
	const struct call *call;
	const void *caller;
	int64_t begin, end, slice, elapsed_ns;
	double share;
};

/* As cpu_part_begin, for a batch in host memory; its part ends by cpu_share_end. */
bool cpu_problems_begin(struct cpu_problems *part, struct lane *lane, const struct call *call,
                        const void *caller, const struct cpu_share *share);

/* As cpu_part_compute_open and cpu_part_step. */
void cpu_problems_compute_open(struct cpu_problems *part, const struct cpu_share *share);
bool cpu_problems_step(void *part);

/* Computes what is left, and the device's problems; handlers of the program run meanwhile. */
void cpu_problems_finish_open(const struct cpu_problems *part);

#endif
