/* cpu_slices.h - plans of the program's FFTW for parts of a batch of transforms */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_CPU_CPU_SLICES_H
#define GPUSHIM_SHIM_EXECUTE_CPU_CPU_SLICES_H

#include "policy/fft/fft_share.h"

/* Plans for a slice of a plan's batch, and for its rest (struct fft_share). */
struct cpu_slices;

/*
 * FFTW's planner: that of the library that contains beside. Its number of threads is `threads`; the
 * library that contains setter can set it, NULL: none can.
 */
struct cpu_slices_planner {
	const void *beside, *setter;
	int threads;
};

/*
 * Makes them without measuring and without writing to the arrays, for so many threads; the
 * planner's own number of threads is restored. NULL where FFTW has no such plan, or its planner
 * cannot be told the number. Takes the planner's lock; lasts some milliseconds. The caller drops
 * them, before the library's clean-up.
 */
struct cpu_slices *cpu_slices_make(const struct fft_share *share, const struct fft_call *call,
                                   int threads, const struct cpu_slices_planner *planner);
void cpu_slices_drop(struct cpu_slices *slices);

/* Whether they serve this division, on these arrays: aligned as those that they were made for. */
bool cpu_slices_fit(const struct cpu_slices *slices, const struct fft_share *share,
                    const struct fft_call *call);

/*
 * Transforms the slice that ends before turn `end`, or the rest, if that ends there; returns the
 * first turn. They fit. Handlers of the program do not run meanwhile, or run with open.
 */
int64_t cpu_slices_run(const struct cpu_slices *slices, const struct fft_share *share,
                       const struct fft_call *call, int64_t end);
int64_t cpu_slices_run_open(const struct cpu_slices *slices, const struct fft_share *share,
                            const struct fft_call *call, int64_t end);

#endif
