/* fft_plan_build.h - makes and destroys one cuFFT plan, and counts what it holds on the device */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_FFT_FFT_PLAN_BUILD_H
#define GPUSHIM_SHIM_EXECUTE_GPU_FFT_FFT_PLAN_BUILD_H

#include "shim/execute/gpu/fft/fft_plans.h"

/*
 * Fills handle, work_bytes and table_bytes for plan->shape, on plan->device, which is current.
 * Where memory is short what is idle is given up for it, the plans too: no lock of theirs may be
 * held. Reasons as fft_plans_take; then nothing is left.
 */
enum reason fft_plan_build(const struct cuda_api *api, struct fft_plan *plan);

/* Nothing runs on it. The current device need not be the plan's, and stays. */
void fft_plan_build_destroy(const struct cuda_api *api, const struct fft_plan *plan);

#endif
