/* lane.h - a lane: streams with a cuBLAS handle on one device, for one call at a time */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_LANE_H
#define GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_LANE_H

#include <stdatomic.h>
#include <sys/types.h>

#include "policy/call/call.h"
#include "shim/execute/gpu/device/guest.h"
#include "shim/execute/gpu/device/memory.h"

/* LANES_FIXED: lanes of a device in deterministic mode, see lanes_fix. */
enum {
	LANES_MAX = 4,
	LANES_FIXED = 2,
	LANES_BLOCKS = 8,
	LANES_LOANS = 5,
	LANE_EVENT_KINDS = 3,
	LANE_EVENTS = 64
};

enum lane_state { LANE_ABSENT, LANE_IDLE, LANE_BUSY, LANE_RETIRED };

/*
 * Something that the call has taken, and that has to be given back if its thread leaves it.
 * reusable: the device's work has come to its end; gone: the thread will not come back to the call.
 */
typedef void lane_give(void *object, bool reusable, bool gone);
struct lane_loan {
	lane_give *give;
	void *object;
};

/*
 * The thread whose call has a lane, see lane_owner.h. A call's first lane is the leader of all that
 * it takes. word, of the leader: the call's serial number and what its thread does. The rest is
 * written before it.
 */
struct lane_owner {
	_Atomic uint64_t word;
	_Atomic(struct lane *) leader;
	_Atomic pid_t thread;
	const void *_Atomic frame; /* an address in the stack of the call */
	_Atomic int64_t parked_ns; /* clock_monotonic_ns */
	atomic_bool copies;        /* the thread touches the program's memory, not CUDA */
};

/*
 * The thread that makes the lane's blocking calls (engine/blocking.h). state: an enum helper_state;
 * the rest is written before the thread works, and reason before it rests.
 */
enum helper_state { HELPER_NONE, HELPER_WORKS, HELPER_RESTS };

struct lane;
struct lane_helper {
	_Atomic uint32_t state;
	enum reason (*work)(struct lane *lane, void *object);
	void *object;
	enum reason reason;
};

struct lane {
	const struct cuda_api *api;
	const struct cuda_device *card;
	int device;                             /* CUDA's number of it */
	void *stream, *up_stream, *down_stream; /* for kernels, and for the copies each way */
	void *blas;
	void *event[LANE_EVENT_KINDS][LANE_EVENTS]; /* created by lanes_take_event */
	struct memory_block *workspace;
	struct memory_block *block[LANES_BLOCKS]; /* device memory of the current call */
	int block_count;
	struct lane_loan loan[LANES_LOANS];
	int loan_count;
	int64_t noted_ns; /* of the call's work, by lanes_note_call_work */
	void *engine;     /* memory of the engine, kept between calls */
	void *mirrors;    /* the call's operands that stay on the device; memory kept likewise */
	void *solver;     /* cuSOLVER's handle and workspaces, kept between calls */
	struct lane_helper helper;
	void *staging; /* host memory, kept between calls */
	uint64_t staging_bytes;
	enum lane_state state; /* the pool's, not the holder's */
	bool broken;           /* retired when it is given back */
	bool waits;            /* for memory; the pool's */
	int math_mode;         /* as set on blas; -1: not set */
	/* The calling thread's state, restored by lanes_give. */
	struct guest caller;
	int caller_error, caller_errno, caller_cancel;
	struct lane_owner owner;
};

/*
 * Fills an empty lane of the device, one of the set's, which is current; each library call runs
 * inside the guard. On failure what was made is destroyed, except with REASON_EXITING: then no CUDA
 * function is called any more. REASON_MATH_NOT_NATIVE: no math mode can be pinned.
 */
enum reason lane_build(struct lane *lane, const struct cuda_set *set,
                       const struct cuda_device *card, const struct cuda_guard *guard);

#endif
