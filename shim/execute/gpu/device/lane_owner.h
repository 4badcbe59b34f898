/* lane_owner.h - the thread whose call has a lane; calls that their thread has left */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_LANE_OWNER_H
#define GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_LANE_OWNER_H

#include "shim/execute/gpu/device/lane.h"

/* An address in the stack of the thread's call that takes lanes next. */
void lane_owner_frame(const void *frame);

/* The calling thread's call has one lane more. false: calls are nested too deeply. */
bool lane_owner_begin(struct lane *lane);

/*
 * Before the lane is given back; false: it was taken over, and is another call's or nobody's.
 */
bool lane_owner_end(struct lane *lane);

/*
 * A gap in the shield of a call (shield.h): in between the call may be taken over, so nothing of
 * it may be under way but work of the device that reaches no memory of the program. come_back
 * returns whether the call still has its lanes. leader: its first lane; NULL: none, and never taken
 * over.
 */
struct lane_gap {
	struct lane *leader;
	uint64_t serial;
	struct guest caller; /* the thread's CUDA state, and the lane's staging */
	void *staging;
	uint64_t staging_bytes;
};
void lane_owner_leave(struct lane *leader, struct lane_gap *gap);
bool lane_owner_come_back(struct lane_gap *gap);

/*
 * Called by a thread whose call was taken over: the memory that it had from lanes_take_staging is
 * freed.
 */
void lane_owner_forget(void);

/* The calling thread begins or ends to touch memory of the program, which may fault. */
void lane_owner_copy(bool copies);

/* Whether the thread has begun a call and not ended it. A load. */
bool lane_owner_is_any(void);

/*
 * A call that its thread has left, and that was taken over: whoever did that ends it
 * (lanes_recover.c). trusted: CUDA was not left in the middle of one of its functions. gone: the
 * thread will not come back to it.
 */
struct lane_left {
	struct lane *leader;
	bool trusted, gone;
};

/* A call that asks: an address in its stack; shield_is_in_force when it began. */
struct lane_asker {
	const void *frame;
	bool shielded;
};

/*
 * A call that the calling thread has begun and not ended. LANE_OWNER_INSIDE: it goes on when the
 * handler returns in which this is asked. LANE_OWNER_LEFT: it was taken over.
 */
enum lane_owner_state { LANE_OWNER_NONE, LANE_OWNER_INSIDE, LANE_OWNER_LEFT };
enum lane_owner_state lane_owner_find_own(const struct lane_asker *asker, struct lane_left *left);

/* Takes the call of another thread over if that has left it, or is in a handler for long. */
bool lane_owner_take_over(struct lane *leader, struct lane_left *left);

#endif
