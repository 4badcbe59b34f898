/* cpu_share.h - how much of a call the CPU computes beside the devices, and what both took */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_CPU_SHARE_H
#define GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_CPU_SHARE_H

#include "shim/execute/gpu/device/lanes.h"

/*
 * wanted: the part of the work, less than 1; 0: none. threads: of the CPU library for this call.
 * The rest is told by the call: done, the part that the CPU had, 0 where the call was not divided;
 * the time of the CPU's slices, and from the begin of the devices' part to its end.
 */
struct cpu_share {
	double wanted;
	int threads;
	double done;
	int64_t cpu_ns, device_ns;
};

/*
 * One call of the process is shared at a time. Takes that place for the call of the lane; the
 * processors that the CPU's part needs copy nothing until cpu_share_end, or until the call of the
 * lane is taken over. false: another call has it, and cpu_share_end is not called.
 */
bool cpu_share_begin(struct lane *lane, const struct cpu_share *share);
void cpu_share_end(void);

/* The libraries that compute parts: each starts threads of its own. */
enum cpu_share_library { CPU_SHARE_BLAS, CPU_SHARE_FFT, CPU_SHARE_LIBRARIES };

/*
 * Whether the library may start threads for the call's routine, which would inherit the signals
 * that a section blocks: the calling thread has not computed a part with so many threads.
 */
bool cpu_share_is_first(enum cpu_share_library library, const struct cpu_share *share);
void cpu_share_note_threads(enum cpu_share_library library, const struct cpu_share *share);

#endif
