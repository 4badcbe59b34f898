/* lanes_recover.c - ends calls that their thread has left, by a jump or with itself */
/* SPDX-License-Identifier: Apache-2.0 */

#include <stddef.h>
#include <unistd.h>

#include "shim/base/clock.h"
#include "shim/base/futex.h"
#include "shim/execute/gpu/device/lane_owner.h"
#include "shim/execute/gpu/device/lanes.h"
#include "shim/shield/shield.h"

/* How long the device may work on after the call was left, and how often it is asked. */
enum { RECOVER_ASK_NS = 50000 };
static const int64_t recover_patience_ns = INT64_C(2000000000);

static _Atomic(const struct lanes_engine *) recover_engine;

void lanes_set_engine(const struct lanes_engine *engine)
{
	atomic_store_explicit(&recover_engine, engine, memory_order_release);
}

void lanes_note_loan(struct lane *lane, lane_give *give, void *object)
{
	if (lane->loan_count < LANES_LOANS)
		lane->loan[lane->loan_count++] = (struct lane_loan){give, object};
}

/* Whether the streams come to an end. */
static bool lanes_recover_await(const struct lane *lane)
{
	void *const streams[] = {lane->up_stream, lane->stream, lane->down_stream};
	const int64_t end_ns = clock_monotonic_ns() + recover_patience_ns;
	_Atomic uint32_t never = 0;
	for (size_t i = 0; i < sizeof streams / sizeof streams[0];) {
		const int error = lane->api->stream_query(streams[i]);
		if (error != CUDA_SUCCESS &&
		    (error != CUDA_ERROR_NOT_READY || clock_monotonic_ns() > end_ns))
			return false;
		if (error == CUDA_SUCCESS)
			i++;
		else
			futex_wait(&never, 0, RECOVER_ASK_NS);
	}
	return true;
}

/* Where CUDA cannot be asked, nothing of the lane is used again. */
static bool lanes_recover_clean(struct lane *lane, bool trusted)
{
	struct guest caller;
	int caller_error;
	if (!trusted || lane->broken ||
	    lanes_bind_enter(lane->device, &caller, &caller_error) != REASON_NONE)
		return false;
	const bool idle = lanes_recover_await(lane);
	if (idle)
		lanes_clean(lane);
	lanes_bind_leave(&caller, caller_error);
	return idle;
}

/* The staging of a call that may come back is the call's. */
static bool lanes_recover_lane(struct lane *lane, const struct lane_left *left)
{
	const struct lanes_engine *engine = atomic_load(&recover_engine);
	const bool stopped = engine == NULL || engine->stop(lane);
	if (!left->gone) {
		lane->staging = NULL;
		lane->staging_bytes = 0;
	}
	const bool idle = lanes_recover_clean(lane, left->trusted && stopped);
	lane->broken = !idle;
	for (int i = 0; i < lane->loan_count; i++)
		lane->loan[i].give(lane->loan[i].object, idle, left->gone);
	return idle;
}

/* The leader last: its place in the other lanes tells that they belong to the call. */
static void lanes_recover_end(const struct lane_left *left)
{
	const struct lanes_engine *engine = atomic_load(&recover_engine);
	struct lane *leader = left->leader;
	bool idle = true;
	for (int place = 0; place < lanes_count(); place++)
		for (int i = 0; i < LANES_MAX; i++) {
			struct lane *lane = lanes_at(lanes_device_at(place), i);
			if (lane == leader || !lanes_is_busy(lane) ||
			    atomic_load(&lane->owner.leader) != leader)
				continue;
			idle = lanes_recover_lane(lane, left) && idle;
			lanes_end(lane);
		}
	idle = lanes_recover_lane(leader, left) && idle;
	if (engine != NULL)
		engine->release(leader, idle);
	if (atomic_load(&leader->owner.thread) == gettid())
		lanes_bind_leave(&leader->caller, leader->caller_error);
	lanes_end(leader);
	if (!left->trusted)
		lanes_lose();
}

void lanes_recover(void)
{
	struct lane_left left;
	for (int place = 0; place < lanes_count(); place++)
		for (int i = 0; i < LANES_MAX; i++) {
			struct lane *lane = lanes_at(lanes_device_at(place), i);
			if (lanes_is_busy(lane) && lane_owner_take_over(lane, &left))
				lanes_recover_end(&left);
		}
}

bool lanes_is_inside(const void *frame)
{
	struct lane_left left;
	struct shield shield;
	if (!lane_owner_is_any() || !lanes_is_own_process())
		return false;
	const struct lane_asker asker = {frame, shield_is_in_force()};
	shield_begin(&shield);
	enum lane_owner_state state = LANE_OWNER_LEFT;
	while (state == LANE_OWNER_LEFT) {
		state = lane_owner_find_own(&asker, &left);
		if (state == LANE_OWNER_LEFT)
			lanes_recover_end(&left);
	}
	shield_end(&shield);
	return state == LANE_OWNER_INSIDE;
}
