/* fft_mirrors.h - sides of a transform that are on the device already, or stay there */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_FFT_FFT_MIRRORS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_FFT_FFT_MIRRORS_H

#include "shim/execute/gpu/fft/fft_job.h"

/* Plans both sides of a job that is cut, before it runs; job->mirrors is for the caller to end. */
void fft_mirrors_begin(struct lane *lane, struct fft_job *job);

/* Without mirrors: those of what results will overwrite are dropped. */
void fft_mirrors_skip(const struct fft_job *job);

#endif
