/* fft_plans.h - cuFFT plans, kept between calls */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_FFT_FFT_PLANS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_FFT_FFT_PLANS_H

#include "policy/plan/fft_map.h"
#include "shim/execute/gpu/device/lanes.h"

enum { FFT_PLANS_MAX = 64 };

/* REFUSED: cuFFT has no such plan, and is not asked again. */
enum fft_plan_state { FFT_PLAN_FREE, FFT_PLAN_IDLE, FFT_PLAN_BUSY, FFT_PLAN_REFUSED };

struct fft_plan {
	struct fft_shape shape;
	const void *key; /* of the FFTW plan that used it last */
	int device, handle;
	size_t work_bytes; /* the area that an execution needs */
	uint64_t
		table_bytes; /* what the plan itself holds on the device, as counted by memory_reserve */
	uint64_t used;       /* greater is later; 0: the first to be replaced */
	enum fft_plan_state state;
};

/*
 * A plan of this shape on the lane's device, for this thread alone until it is given back: a kept
 * one, else a new one, instead of the one that was not used for longest where FFT_PLANS_MAX are
 * kept. Idle ones are also destroyed, in that order, where device memory is short. Not REASON_NONE:
 * REASON_DEVICE_MEMORY, REASON_UNSUPPORTED_LAYOUT where cuFFT has no plan of this shape, or
 * REASON_LIBRARY_FAILED.
 */
enum reason fft_plans_take(struct lane *lane, const struct fft_shape *shape, const void *key,
                           struct fft_plan **plan);

/*
 * Whether a plan is idle on the device that this key used last, or that does the same transform,
 * whatever its batch; a refusal counts too. Takes no library call; harmless in fork children.
 */
bool fft_plans_has_key(int device, const void *key);
bool fft_plans_has_like(int device, const struct fft_shape *shape);

/* usable: nothing runs on it any more. Otherwise it is never given out again. */
void fft_plans_give(struct fft_plan *plan, bool usable);

/*
 * The FFTW plan of this key is gone: what was kept for it is replaced first. Takes no library call.
 */
void fft_plans_forget(const void *key);

#endif
