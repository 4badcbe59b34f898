/* cpu_planner.h - the shim's own plans of the program's FFTW */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_CPU_CPU_PLANNER_H
#define GPUSHIM_SHIM_EXECUTE_CPU_CPU_PLANNER_H

#include <stdbool.h>

#include "policy/call/call.h"

/*
 * Bits of FFTW's flags: of arrays, and for the effort of planning, where FFTW_MEASURE is 0. Source:
 * fftw3.h.
 */
enum {
	CPU_PLANNER_UNALIGNED = 1 << 1,
	CPU_PLANNER_PRESERVE_INPUT = 1 << 4,
	CPU_PLANNER_EXHAUSTIVE = 1 << 3,
	CPU_PLANNER_PATIENT = 1 << 5,
	CPU_PLANNER_ESTIMATE = FFT_FLAG_ESTIMATE,
	CPU_PLANNER_WISDOM_ONLY = 1 << 21
};

/* FFTW's planner serves one thread at a time. The same thread may lock it again. */
void cpu_planner_lock(void);
void cpu_planner_unlock(void);

/* The same without waiting. false: some thread has it, the calling one perhaps. */
bool cpu_planner_try_lock(void);

/* A fork child's only thread does not hold the lock. */
void cpu_planner_after_fork_child(void);

struct cpu_plan;

/*
 * A plan for the call's transform, made with these flags by the library that contains beside. It is
 * made on scratch arrays aligned as the call's; with CPU_PLANNER_ESTIMATE or
 * CPU_PLANNER_WISDOM_ONLY, with which FFTW writes to no array, on the call's own. Takes the lock;
 * lasts as long as planning does. NULL where library or memory do not allow it. The caller frees it
 * by cpu_planner_drop, before the library's clean-up.
 */
struct cpu_plan *cpu_planner_make(const struct fft_call *call, unsigned flags, const void *beside);

/*
 * Whether the plan may run on the call's arrays: they must be aligned as those that it was made on,
 * unless it was made with CPU_PLANNER_UNALIGNED.
 */
bool cpu_planner_fits(const struct cpu_plan *plan, const struct fft_call *call);

/* Executes it on the call's arrays, from any thread. False, with nothing done: it does not fit. */
bool cpu_planner_run(const struct cpu_plan *plan, const struct fft_call *call);

/* Destroys the plan if its library is still loaded. */
void cpu_planner_drop(struct cpu_plan *plan);

#endif
