/* cpu_planner.h - plans of the shim's own, by the program's FFTW, on arrays of the shim's own */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_CPU_CPU_PLANNER_H
#define GPUSHIM_SHIM_EXECUTE_CPU_CPU_PLANNER_H

#include <stdbool.h>

#include "policy/call/call.h"

/* The bits of FFTW's flags that say how much effort planning is worth; FFTW_MEASURE is none of them. Source: fftw3.h.
 */
enum {
	CPU_PLANNER_EXHAUSTIVE = 1 << 3,
	CPU_PLANNER_PATIENT = 1 << 5,
	CPU_PLANNER_ESTIMATE = 1 << 6,
	CPU_PLANNER_WISDOM_ONLY = 1 << 21
};

/*
 * FFTW's planner serves one thread at a time: between the two it is this one. The same thread may
 * lock it again.
 */
void cpu_planner_lock(void);
void cpu_planner_unlock(void);

/* In a fork child, whose other threads are gone, nobody has it locked. */
void cpu_planner_after_fork_child(void);

struct cpu_plan;

/*
 * A plan for the call's transform, made with these flags by the library that contains beside, on
 * scratch arrays that are aligned as the call's. Takes the lock; may last as long as planning does.
 * NULL where the library or the memory does not allow it. The caller frees it by cpu_planner_drop,
 * before the library cleans up.
 */
struct cpu_plan *cpu_planner_make(const struct fft_call *call, unsigned flags, const void *beside);

/*
 * Runs it on the call's arrays, from any thread. False, with nothing done, where they are not
 * aligned as it needs.
 */
bool cpu_planner_run(const struct cpu_plan *plan, const struct fft_call *call);

void cpu_planner_drop(struct cpu_plan *plan);

#endif
