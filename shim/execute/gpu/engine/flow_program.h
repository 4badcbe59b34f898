/* flow_program.h - a program of a flow: a list of copies and kernels, and how far its results got */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_FLOW_PROGRAM_H
#define GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_FLOW_PROGRAM_H

#include "shim/execute/gpu/device/lanes.h"
#include "shim/execute/gpu/engine/pack.h"

enum flow_kind { FLOW_LOAD, FLOW_WORK, FLOW_STORE, FLOW_KINDS };

/*
 * A copy between an area of the program's host memory and the device, where the runs begin
 * device_pitch bytes apart (run_bytes: tight). Loads: shadow, unless NULL, receives a tight copy of
 * the area too; locked: the area's memory is page-locked and read by the device itself. Stores:
 * rule, as pack_scatter takes it but for row and column, which stand here; it must outlive the
 * flow. They commit from the first run to the last, or backward, in pieces; whole_runs: no piece
 * ends inside a run, which must not be longer than a chunk of staging.
 */
struct flow_copy {
	struct pack_area area;
	char *device;
	uint64_t device_pitch;
	char *shadow;
	bool locked, backward, whole_runs;
	const struct pack_rule *rule;
	int64_t row, column; /* of the area's first element in the matrix */
};

/*
 * after: so many steps of each kind have to be complete before this one begins; all of them stand
 * before it. A load reads the program's memory only when the stores that it comes after are
 * committed there.
 */
struct flow_step {
	enum flow_kind kind;
	uint32_t after[FLOW_KINDS];
	struct flow_copy copy; /* of a load or a store */
};

/*
 * What is to be done: count steps, which read describes one by one, from 0 on and each as often as
 * it is asked. launch queues the kernels of a work step on lane->stream. Both are called by the
 * thread that is in flow_run.
 */
struct flow_program {
	const void *self;
	uint32_t count;
	void (*read)(const void *self, uint32_t number, struct flow_step *step);
	enum reason (*launch)(const void *self, struct lane *lane, uint32_t number);
};

/*
 * How far the results got, in the order of the store steps: so many of them are whole in the
 * program's memory, and of the next one so many runs and so many bytes of the run after those.
 * Nothing behind that was written.
 */
struct flow_progress {
	uint32_t stores;
	uint64_t runs, bytes;
};

#endif
