/* cpu_turns.h - the CPU's part of a batch of transforms that it shares with a device */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_FFT_CPU_TURNS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_FFT_CPU_TURNS_H

#include "shim/execute/cpu/cpu_slices.h"
#include "shim/execute/gpu/engine/cpu_share.h"

/*
 * Turns from cut.device to before end are left of the part. elapsed_ns: of its slices so far. call
 * and slices must outlive the part.
 */
struct cpu_turns {
	const struct fft_call *call;
	const struct cpu_slices *slices;
	struct fft_share cut;
	int64_t end, elapsed_ns;
};

/*
 * Divides the call as share asks, by plans for its slices. false: the call is not divided. Else the
 * part ends by cpu_share_end.
 */
bool cpu_turns_begin(struct cpu_turns *turns, struct lane *lane, const struct fft_call *call,
                     const struct cpu_slices *slices, const struct cpu_share *share);

/*
 * The next slice. open: handlers of the program run meanwhile, and may jump. step: of a struct
 * cpu_turns, as flow_beside has it; false where nothing is left.
 */
void cpu_turns_compute_open(struct cpu_turns *turns, const struct cpu_share *share);
bool cpu_turns_step(void *turns);

/* Computes what is left, and the device's turns; handlers of the program run meanwhile. */
void cpu_turns_finish_open(struct cpu_turns *turns);

#endif
