/* fft_mirrors.h - both sides of a transform, and what the device keeps of them */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_FFT_FFT_MIRRORS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_FFT_FFT_MIRRORS_H

#include "shim/execute/gpu/fft/fft_job.h"

/* Before results are stored: no mirror has them any more. */
void fft_mirrors_overwrite(const struct fft_job *job);

#endif
