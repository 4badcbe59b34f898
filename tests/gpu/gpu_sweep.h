/* gpu_sweep.h - the fault sweep: a case, its problem in memory, and a child that meets a fault in it */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_GPU_GPU_SWEEP_H
#define GPUSHIM_TESTS_GPU_GPU_SWEEP_H

#include <stddef.h>

#include "gpu_check.h"
#include "policy/plan/panels.h"

/*
 * -- gpu_sweep_case.c: what is called
 * -------------------------------------------------------------------------
 */

/*
 * One call, and the circumstances that give it many steps. blas.m, n, k and flags of level 3; a
 * transform has m points and n of them. choice.width 0: the planner's own. memory_mb 0: the call is
 * in core.
 */
struct sweep_case {
	const char *name;
	enum family family;
	enum element element;
	struct blas_call blas;
	bool in_place, same; /* of a transform; B is A */
	struct panel_choice choice;
	uint64_t memory_mb;
	int device, copiers;
};

extern const struct sweep_case sweep_cases[];
extern const int sweep_case_count;

/*
 * The call on memory of its own: one block with canaries between and beside the operands, as it was
 * before and as it has to be afterwards, by sums on the CPU.
 */
struct sweep_problem {
	struct call call;
	struct fft_problem transform;
	char *memory, *before, *expected;
	size_t size_bytes;
};

/*
 * UNTOUCHED: the CPU can do the call, every byte is as before. RIGHT: the result, and every other
 * byte as before.
 */
enum sweep_verdict { SWEEP_UNTOUCHED, SWEEP_RIGHT, SWEEP_WRONG };

struct sweep_problem sweep_problem_make(const struct sweep_case *wanted);
void sweep_problem_free(struct sweep_problem *problem);

/* Runs it on the device, from its beginning, as the route does. finished: as gpu_blas_run tells. */
enum reason sweep_problem_run(struct sweep_problem *problem, int device, bool *finished);
enum sweep_verdict sweep_problem_judge(const struct sweep_problem *problem, bool finished);

/*
 * -- gpu_sweep_child.c: what happens
 * --------------------------------------------------------------------------
 */

enum { SWEEP_CALLS = 4, SWEEP_FUNCTIONS = 256, SWEEP_ERRORS_BYTES = 2048 };

/* What can be left behind; sweep_things has CUDA's names. */
enum sweep_thing {
	SWEEP_MEMORY,
	SWEEP_STREAMS,
	SWEEP_EVENTS,
	SWEEP_HOST,
	SWEEP_REGISTERED,
	SWEEP_HANDLES,
	SWEEP_PLANS,
	SWEEP_THINGS
};

/* Everything that a sweep can make fail: functions, and what a device executes. */
extern const char *const sweep_functions[];
extern const int sweep_function_count;
extern const char *const sweep_things[SWEEP_THINGS];

/*
 * What a child tells: its calls, and what it had at the end. available_bytes and held_bytes: idle
 * memory freed.
 */
struct sweep_report {
	bool ended;
	int calls;
	struct {
		enum reason reason;
		bool finished;
		enum sweep_verdict verdict;
	} call[SWEEP_CALLS];
	enum gpu_state gpu;
	enum reason off_reason;
	bool lost;
	int error, device; /* of CUDA: pending, current */
	unsigned long begin[SWEEP_FUNCTIONS],
		end[SWEEP_FUNCTIONS];        /* uses before the first call, and after it */
	unsigned long uses[SWEEP_FUNCTIONS]; /* at the end */
	unsigned long alive[SWEEP_THINGS];
	uint64_t held_bytes, available_bytes, staging_bytes;
	int status; /* as from waitpid */
	char errors[SWEEP_ERRORS_BYTES];
};

/*
 * Calls count times, or until the GPU is given up, in a child with SIMCUDA_FAIL = fail (NULL:
 * nothing fails). clock: in virtual time, of which it has little patience.
 */
void sweep_child_run(const struct sweep_case *wanted, struct sweep_problem *problem,
                     const char *fail, bool clock, int count, struct sweep_report *report);

#endif
