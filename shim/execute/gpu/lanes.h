/* lanes.h - a bounded number of streams with their cuBLAS handles; a call has one to itself */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_LANES_H
#define GPUSHIM_SHIM_EXECUTE_GPU_LANES_H

#include "policy/call.h"
#include "shim/execute/gpu/cuda.h"
#include "shim/execute/gpu/memory.h"

enum { LANES_MAX = 4, LANES_BLOCKS = 8 };

enum lane_state { LANE_ABSENT, LANE_IDLE, LANE_BUSY, LANE_RETIRED };

struct lane {
	const struct cuda_api *api;
	int device;
	void *stream, *blas;
	struct memory_block *workspace;
	struct memory_block *block[LANES_BLOCKS]; /* device memory of the call in progress */
	int block_count;
	void *staging; /* host memory, kept between calls */
	uint64_t staging_bytes;
	enum lane_state state; /* the pool's, not the holder's */
	bool broken;           /* to be retired when it is given back */
	int math_mode;         /* as set on blas; -1 before */
	bool overridden;       /* the environment asks for arithmetic that is not native */
	/* As the calling thread had them. */
	int caller_device, caller_error, caller_errno, caller_cancel;
};

/* Sets up the pool for the set, whose device is used; set must outlive the process. Creates no lane. */
void lanes_start(const struct cuda_set *set);

/* Creates the first lane, each library call inside the gate. The current device must be the set's. */
enum reason lanes_create_first(const struct cuda_gate *gate);

/*
 * Gives the calling thread a lane of the device for one call, with that device current; waits while all are in use.
 * Not REASON_NONE: there is nothing to give back. The lane must be given back by the same thread.
 */
enum reason lanes_take(int device, struct lane **lane);

/* Waits for what is queued. REASON_DEVICE_FAILED where it failed: then the call can only be ended. */
enum reason lanes_confirm(struct lane *lane);

/*
 * Ends the call: reason is how it went so far. Waits for the stream, and only if that succeeds too is REASON_NONE
 * returned and the call's results are in host memory. May be called once per lane and call.
 */
enum reason lanes_finish(struct lane *lane, enum reason reason);

/*
 * Gives the lane and the call's device memory back; the thread has its device, its errno and its cancellation state
 * again, and no error of ours is left behind.
 */
void lanes_give(struct lane *lane);

/* Device memory for the call in progress; lanes_give returns it. */
enum reason lanes_take_memory(struct lane *lane, uint64_t size_bytes, void **pointer);

/* Host memory of the lane for the call in progress, of the size that transfer.h asks for; NULL if there is none. */
void *lanes_take_staging(struct lane *lane, uint64_t size_bytes);

/* No lane is given from now on, and threads that wait for one go away. Takes no library call. */
void lanes_close(void);

/* Whether a library call returned an error that the context does not survive. */
bool lanes_context_lost(void);

#endif
