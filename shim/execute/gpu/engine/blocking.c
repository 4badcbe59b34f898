/* blocking.c - the thread of a lane that calls blocking functions, and the wait for it */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A call in pieces (a shared one with handlers of the program between, the panels of a matrix)
 * begins work again and again. The thread rests in between: it is neither made anew each time nor
 * still ending while the next one works.
 */
#include "shim/execute/gpu/engine/blocking.h"

#include <pthread.h>

#include "shim/base/clock.h"
#include "shim/base/fp_environment.h"
#include "shim/base/futex.h"
#include "shim/execute/gpu/device/lane_owner.h"
#include "shim/execute/gpu/engine/flow_state.h"
#include "shim/execute/gpu/node/affinity.h"
#include "shim/shield/shield.h"

/*
 * The stack that cuSOLVER needs is not documented: as much as the main thread of most programs.
 * BLOCKING_REST_NS: a thread without work for so long ends, as copy threads do.
 */
enum { BLOCKING_STACK_BYTES = 8 << 20, BLOCKING_SLEEP_NS = 1000000, BLOCKING_REST_NS = 250000000 };

static void blocking_work_once(struct lane *lane)
{
	struct lane_helper *helper = &lane->helper;
	struct guest guest = {.saved = false};
	fp_environment_forget();
	const bool entered = guest_enter(&guest, lane->device);
	helper->reason = entered ? helper->work(lane, helper->object) : REASON_DEVICE_FAILED;
	guest_leave(&guest);
}

/* Whether there is more work. */
static bool blocking_rest(struct lane_helper *helper)
{
	uint32_t state = HELPER_RESTS;
	atomic_store(&helper->state, HELPER_RESTS);
	futex_wake(&helper->state, INT32_MAX);
	futex_wait(&helper->state, HELPER_RESTS, BLOCKING_REST_NS);
	atomic_compare_exchange_strong(&helper->state, &state, HELPER_NONE);
	return state == HELPER_WORKS;
}

static void *blocking_thread(void *argument)
{
	struct lane *lane = argument;
	pthread_setname_np(pthread_self(), "gpushim-solve");
	do
		blocking_work_once(lane);
	while (blocking_rest(&lane->helper));
	return NULL;
}

static bool blocking_works(const struct lane *lane)
{
	return atomic_load(&lane->helper.state) == HELPER_WORKS;
}

static bool blocking_make_thread(struct lane *lane)
{
	return affinity_make_silent_thread(BLOCKING_STACK_BYTES, blocking_thread, lane);
}

void blocking_wait(struct lane *lane, int64_t timeout_ns)
{
	futex_wait(&lane->helper.state, HELPER_WORKS, timeout_ns);
}

/* Handlers of the program run while the thread sleeps. false: the call was taken over. */
static bool blocking_sleep(struct lane *lane)
{
	struct lane_gap gap;
	lane_owner_leave(atomic_load(&lane->owner.leader), &gap);
	shield_open();
	blocking_wait(lane, BLOCKING_SLEEP_NS);
	shield_close();
	return lane_owner_come_back(&gap);
}

static enum reason blocking_await(struct lane *lane, int64_t more_ns)
{
	const int64_t patience_ns = flow_find_patience();
	struct flow_vain vain = flow_vain_begin();
	while (blocking_works(lane)) {
		if (!blocking_sleep(lane))
			return REASON_CALL_LEFT;
		const bool late = flow_vain_add(&vain, patience_ns) >= patience_ns + more_ns;
		if (patience_ns > 0 && late && blocking_works(lane)) {
			lanes_abandon(lane);
			return REASON_DEVICE_SILENT;
		}
	}
	return lane->helper.reason;
}

enum reason blocking_begin(struct lane *lane, blocking_work *work, void *object)
{
	lane->helper.work = work;
	lane->helper.object = object;
	if (atomic_exchange(&lane->helper.state, HELPER_WORKS) == HELPER_RESTS) {
		futex_wake(&lane->helper.state, INT32_MAX);
		return REASON_NONE;
	}
	if (blocking_make_thread(lane))
		return REASON_NONE;
	atomic_store(&lane->helper.state, HELPER_NONE);
	return REASON_HOST_MEMORY;
}

bool blocking_has_ended(const struct lane *lane, enum reason *reason)
{
	if (blocking_works(lane))
		return false;
	*reason = lane->helper.reason;
	return true;
}

enum reason blocking_run_beside(struct lane *lane, blocking_work *work, void *object,
                                int64_t more_ns, bool (*beside)(void *self), void *self)
{
	const enum reason reason = blocking_begin(lane, work, object);
	if (reason != REASON_NONE)
		return reason;
	while (beside != NULL && blocking_works(lane) && beside(self))
		continue;
	return blocking_await(lane, more_ns);
}

enum reason blocking_run(struct lane *lane, blocking_work *work, void *object, int64_t more_ns)
{
	return blocking_run_beside(lane, work, object, more_ns, NULL, NULL);
}

bool blocking_stop(struct lane *lane, int64_t end_ns)
{
	while (blocking_works(lane) && clock_monotonic_ns() < end_ns)
		blocking_wait(lane, BLOCKING_SLEEP_NS);
	return !blocking_works(lane);
}
