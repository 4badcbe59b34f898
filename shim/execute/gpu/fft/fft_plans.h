/* fft_plans.h - cuFFT plans, kept between calls */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_FFT_FFT_PLANS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_FFT_FFT_PLANS_H

#include "policy/fft/fft_map.h"
#include "shim/execute/gpu/device/lanes.h"

enum { FFT_PLANS_MAX = 128 };

/* REFUSED: cuFFT has no such plan, and is not asked again. */
enum fft_plan_state { FFT_PLAN_FREE, FFT_PLAN_IDLE, FFT_PLAN_BUSY, FFT_PLAN_REFUSED };

struct fft_plan {
	struct fft_shape shape;
	const void *key; /* of the FFTW plan that used it last */
	int device, handle;
	size_t work_bytes;    /* work area of an execution */
	uint64_t table_bytes; /* held by the plan itself, counted by memory_reserve */
	uint64_t used;        /* grows with each use; 0: replaced first */
	enum fft_plan_state state;
};

/*
 * A plan of this shape on the lane's device, for this thread alone until it is given back: a kept
 * one, else a new one, which replaces the least recently used where FFT_PLANS_MAX are kept. Where
 * device memory is short, idle plans are destroyed in that order too. Else REASON_DEVICE_MEMORY,
 * REASON_UNSUPPORTED_LAYOUT (cuFFT has no plan of this shape), or REASON_LIBRARY_FAILED.
 */
enum reason fft_plans_take(struct lane *lane, const struct fft_shape *shape, const void *key,
                           struct fft_plan **plan);

/*
 * Whether an idle plan or a refusal exists on the device that this key used last, or that does the
 * same transform with any batch. Makes no library call; allowed in fork children.
 */
bool fft_plans_has_key(int device, const void *key);
bool fft_plans_has_like(int device, const struct fft_shape *shape);

/* usable = false: work may be pending on the plan; it is never given out again. */
void fft_plans_give(struct fft_plan *plan, bool usable);

/*
 * The FFTW plan of this key was destroyed: its cuFFT plans are replaced first. Makes no library
 * call.
 */
void fft_plans_forget(const void *key);

#endif
