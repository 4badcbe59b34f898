/* flow_program.h - the program of a flow: copies and kernels; the progress of its results */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_FLOW_PROGRAM_H
#define GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_FLOW_PROGRAM_H

#include "shim/execute/gpu/copy/pack.h"
#include "shim/execute/gpu/device/lanes.h"
#include "shim/execute/gpu/engine/flow_tail.h"
#include "shim/execute/gpu/resident/resident_operand.h"

enum flow_kind { FLOW_LOAD, FLOW_WORK, FLOW_STORE, FLOW_KINDS };

/*
 * A copy between an area of the program's host memory and the device, where runs begin device_pitch
 * bytes apart (run_bytes: tight). rule as for pack_gather_part or pack_scatter except row and
 * column, which are below; it must outlive the flow. Loads: shadow, unless NULL, receives a tight
 * copy of the area; locked: the area is page-locked. The device reads page-locked memory directly,
 * and a device that reads ordinary memory does so with all loads that have neither shadow nor
 * triangle. only_shadow: the device has the area of this load already, and only the shadow is
 * filled. adjoins: on the device it begins where the copy of its kind before it ends, in the same
 * allocation, and it comes after the same steps: one copy of the link may take both. Not in a
 * program with a tail. Stores commit in pieces from the first run to the last, or backward;
 * whole_runs: no piece ends inside a run, and a run must fit into a part of staging.
 */
struct flow_copy {
	struct pack_area area;
	char *device;
	uint64_t device_pitch;
	char *shadow;
	bool locked, only_shadow, adjoins, backward, whole_runs;
	const struct pack_rule *rule;
	int64_t row, column; /* matrix indices of the area's first element */
};

/*
 * after: how many steps of each kind must be complete before this one begins; all of them are
 * earlier in the list. A load waits until the stores before it are committed to the program's
 * memory.
 */
struct flow_step {
	enum flow_kind kind;
	uint32_t after[FLOW_KINDS];
	struct flow_copy copy; /* of a load or a store */
};

/*
 * count steps. read describes step number; it may be called several times per step. launch queues
 * the kernels of a work step on lane->stream. begin, unless NULL, is called before it, again and
 * again until it returns true or sets another reason than REASON_NONE: for a step that takes
 * another thread. By then lane->stream waits for all that the step comes after. prove, unless NULL,
 * is called while there is nothing else to do, until it returns another value than
 * RESIDENT_PENDING: no store is committed before it has returned RESIDENT_PROVEN, and with
 * RESIDENT_REFUTED the flow fails (REASON_NOT_SOLVED). A flow without stores does not wait for it.
 * stored, unless NULL, is told of each piece of a store that is in the program's memory.
 * All are called in flow_run's thread. tail, unless NULL: steps from its end on are another
 * thread's, and few kernels are queued at a time; no load comes after a store then.
 */
struct flow_program {
	const void *self;
	uint32_t count;
	void (*read)(const void *self, uint32_t number, struct flow_step *step);
	enum reason (*launch)(const void *self, struct lane *lane, uint32_t number);
	enum pack_watch watch; /* the numbers of all results */
	bool (*begin)(const void *self, struct lane *lane, uint32_t number, enum reason *reason);
	enum resident_proof (*prove)(const void *self);
	void (*stored)(const void *self, const struct pack_area *area);
	struct flow_tail *tail;
};

/*
 * How far results got, in the order of the store steps: stores whole steps are in the program's
 * memory; of the next step runs whole runs, and of the following run bytes. Nothing beyond was
 * written.
 */
struct flow_progress {
	uint32_t stores;
	uint64_t runs, bytes;
};

#endif
