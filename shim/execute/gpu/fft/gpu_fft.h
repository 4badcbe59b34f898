/* gpu_fft.h - FFTW transforms on the GPU */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_FFT_GPU_FFT_H
#define GPUSHIM_SHIM_EXECUTE_GPU_FFT_GPU_FFT_H

#include "shim/execute/gpu/fft/cpu_turns.h"

/*
 * Runs the transform, blocking: in and out are laid out as call->fft.problem says, with any strides
 * and loops; bytes between their elements are neither read nor written. Results enter out group by
 * group. Not REASON_NONE: the whole input is unchanged, so that the CPU library can do the call,
 * also in place; results in out are undefined. REASON_UNSUPPORTED_LAYOUT is no failure of the GPU:
 * sizes overflow, or cuFFT has no such plan. The cuFFT plan is kept with call->fft.plan_key until
 * gpu_fft_forget.
 */
enum reason gpu_fft_run(const struct call *call, int device);

/*
 * The same, and the CPU computes the part of the transform that share asks for, by slices; NULL:
 * none. share tells what it had. *finished: all results are there, whatever the reason.
 */
enum reason gpu_fft_run_shared(const struct call *call, int device, const struct cpu_slices *slices,
                               struct cpu_share *share, bool *finished);

/*
 * Whether the call's cuFFT plan exists on the device, or is known not to exist: then none is made
 * first. Makes no library call.
 */
bool gpu_fft_is_planned(const struct call *call, int device);

/*
 * Drops what is kept for this key. Allowed for unknown keys, in fork children and after
 * session_stop.
 */
void gpu_fft_forget(const void *plan_key);

/*
 * For tests and benches: groups of so many turns of the cut loop; 0: as fft_groups_choose selects.
 */
void gpu_fft_set_group(int64_t group);

#endif
