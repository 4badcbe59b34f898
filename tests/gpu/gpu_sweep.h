/* gpu_sweep.h - the fault sweep: a case, its problem in memory, and a child that meets a fault */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_GPU_GPU_SWEEP_H
#define GPUSHIM_TESTS_GPU_GPU_SWEEP_H

#include <stddef.h>

#include "gpu_check.h"
#include "policy/plan/panels.h"

/* gpu_sweep_case.c: the calls */

/*
 * One call, and settings that give it many steps. blas.m, n, k and flags are for level 3; a
 * transform has m points and is done n times. choice.width 0: the planner's choice. memory_mb 0:
 * the call is in core.
 */
struct sweep_case {
	const char *name;
	enum family family;
	enum element element;
	struct blas_call blas;
	bool in_place, same; /* in_place: of a transform; same: B is A */
	struct panel_choice choice;
	uint64_t memory_mb;
	int device, copiers;
};

extern const struct sweep_case sweep_cases[];
extern const int sweep_case_count;

/*
 * The call on memory of its own: one block with canaries between and beside the operands; the block
 * before the call, and the expected block, by sums on the CPU.
 */
struct sweep_problem {
	struct call call;
	struct fft_problem transform;
	char *memory, *before, *expected;
	size_t size_bytes;
};

/*
 * UNTOUCHED: every byte is as before, and the CPU can do the call. RIGHT: the result is right, and
 * every other byte is as before.
 */
enum sweep_verdict { SWEEP_UNTOUCHED, SWEEP_RIGHT, SWEEP_WRONG };

struct sweep_problem sweep_problem_make(const struct sweep_case *wanted);
void sweep_problem_free(struct sweep_problem *problem);

/* Runs the whole call on the device, as the route does. finished: as of gpu_blas_run. */
enum reason sweep_problem_run(struct sweep_problem *problem, int device, bool *finished);
enum sweep_verdict sweep_problem_judge(const struct sweep_problem *problem, bool finished);

/* gpu_sweep_child.c: running them */

enum { SWEEP_CALLS = 4, SWEEP_FUNCTIONS = 256, SWEEP_ERRORS_BYTES = 2048 };

/* Kinds of objects that can be left behind. sweep_things has their names in CUDA. */
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

/* Everything that the sweep makes fail: functions, and operations of a device. */
extern const char *const sweep_functions[];
extern const int sweep_function_count;
extern const char *const sweep_things[SWEEP_THINGS];

/*
 * The report of a child: its calls, and its state at the end. available_bytes and held_bytes: with
 * idle memory freed.
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
	int error, device; /* CUDA's pending error and current device */
	unsigned long begin[SWEEP_FUNCTIONS],
		end[SWEEP_FUNCTIONS];        /* uses before the first call, and after it */
	unsigned long uses[SWEEP_FUNCTIONS]; /* at the end */
	unsigned long alive[SWEEP_THINGS];
	uint64_t held_bytes, available_bytes, staging_bytes;
	int status; /* as from waitpid */
	char errors[SWEEP_ERRORS_BYTES];
};

/*
 * Makes `count` calls, or fewer if the GPU is given up, in a child with SIMCUDA_FAIL = fail (NULL:
 * nothing fails). clock: in virtual time, with little patience.
 */
void sweep_child_run(const struct sweep_case *wanted, struct sweep_problem *problem,
                     const char *fail, bool clock, int count, struct sweep_report *report);

#endif
