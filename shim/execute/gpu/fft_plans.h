/* fft_plans.h - cuFFT plans, kept between calls */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_FFT_PLANS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_FFT_PLANS_H

#include "shim/execute/gpu/lanes.h"

enum { FFT_PLANS_MAX = 64 };

/*
 * What a cuFFT plan of ours depends on: the layout on the device is always tight, so that FFTW plans which differ in
 * strides, direction or arrays share one.
 */
struct fft_shape {
	enum family family;
	enum element element;
	int rank;
	int64_t n[FFT_RANK_MAX], howmany;
};

struct fft_plan {
	struct fft_shape shape;
	const void *key; /* of the FFTW plan that used it last */
	int handle;
	size_t work_bytes;
	uint64_t used; /* greater is later; 0: the first to be replaced */
	enum { FFT_PLAN_FREE, FFT_PLAN_IDLE, FFT_PLAN_BUSY } state;
};

/*
 * A plan for the call's transform, for this thread alone until it is given back: a kept one, else a new one, instead
 * of the one that was not used for longest where FFT_PLANS_MAX are kept. REASON_LIBRARY_FAILED where cuFFT has none.
 */
enum reason fft_plans_take(struct lane *lane, const struct fft_call *call, struct fft_plan **plan);

/* usable: nothing runs on it any more. Otherwise it is never given out again. */
void fft_plans_give(struct fft_plan *plan, bool usable);

/* The FFTW plan of this key is gone: what was kept for it is replaced first. Takes no library call. */
void fft_plans_forget(const void *key);

#endif
