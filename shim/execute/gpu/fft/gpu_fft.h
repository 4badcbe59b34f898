/* gpu_fft.h - FFTW transforms on the GPU */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_FFT_GPU_FFT_H
#define GPUSHIM_SHIM_EXECUTE_GPU_FFT_GPU_FFT_H

#include "policy/call/call.h"

/*
 * Runs the transform, blocking: in and out are laid out as call->fft.problem says, with any strides
 * and loops; what lies between their elements is neither read nor written. Results enter out group
 * by group while others are on their way. Not REASON_NONE means that the whole input is as it was,
 * so that the CPU library can still do it all, also in place; out may hold anything else where
 * results would be. REASON_UNSUPPORTED_LAYOUT is no failure of the GPU: the sizes are beyond
 * counting, or cuFFT has no such plan. The cuFFT plan is kept with call->fft.plan_key until
 * gpu_fft_forget.
 */
enum reason gpu_fft_run(const struct call *call, int device);

/*
 * Whether the cuFFT plan for such a call is there already on the device, so that none is made
 * first, or is known not to exist. Takes no library call.
 */
bool gpu_fft_is_planned(const struct call *call, int device);

/*
 * Drops what is kept for this key. Harmless for unknown keys, in fork children and after
 * session_stop.
 */
void gpu_fft_forget(const void *plan_key);

/*
 * For tests and benches: groups have so many turns of the loop that is cut; 0: as fft_groups_choose
 * thinks best.
 */
void gpu_fft_set_group(int64_t group);

#endif
