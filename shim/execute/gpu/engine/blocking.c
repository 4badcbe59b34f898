/* blocking.c - the thread of a lane that calls blocking functions, and the wait for it */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/engine/blocking.h"

#include <pthread.h>
#include <signal.h>

#include "shim/base/clock.h"
#include "shim/base/fp_environment.h"
#include "shim/base/futex.h"
#include "shim/execute/gpu/device/lane_owner.h"
#include "shim/execute/gpu/engine/flow_state.h"
#include "shim/shield/shield.h"

/* The stack that cuSOLVER needs is not documented: as much as the main thread of most programs. */
enum { BLOCKING_STACK_BYTES = 8 << 20, BLOCKING_SLEEP_NS = 1000000 };

static void *blocking_thread(void *argument)
{
	struct lane *lane = argument;
	struct lane_helper *helper = &lane->helper;
	struct guest guest = {.saved = false};
	fp_environment_forget();
	pthread_setname_np(pthread_self(), "gpushim-solve");
	const bool entered = guest_enter(&guest, lane->device);
	helper->reason = entered ? helper->work(lane, helper->object) : REASON_DEVICE_FAILED;
	guest_leave(&guest);
	atomic_store(&helper->runs, 0);
	futex_wake(&helper->runs, 1);
	return NULL;
}

/* A new thread inherits the mask: it takes no signal of the program. */
static bool blocking_make_thread(struct lane *lane)
{
	sigset_t all, before;
	pthread_t thread;
	pthread_attr_t attributes;
	if (pthread_attr_init(&attributes) != 0)
		return false;
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, BLOCKING_STACK_BYTES);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	const bool made = pthread_create(&thread, &attributes, blocking_thread, lane) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return made;
}

/* Handlers of the program run while the thread sleeps. false: the call was taken over. */
static bool blocking_sleep(struct lane *lane)
{
	struct lane_gap gap;
	lane_owner_leave(atomic_load(&lane->owner.leader), &gap);
	shield_open();
	futex_wait(&lane->helper.runs, 1, BLOCKING_SLEEP_NS);
	shield_close();
	return lane_owner_come_back(&gap);
}

static enum reason blocking_await(struct lane *lane, int64_t more_ns)
{
	const int64_t patience_ns = flow_find_patience();
	struct flow_vain vain = flow_vain_begin();
	while (atomic_load(&lane->helper.runs) != 0) {
		if (!blocking_sleep(lane))
			return REASON_CALL_LEFT;
		const bool late = flow_vain_add(&vain, patience_ns) >= patience_ns + more_ns;
		if (patience_ns > 0 && late && atomic_load(&lane->helper.runs) != 0) {
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
	atomic_store(&lane->helper.runs, 1);
	if (blocking_make_thread(lane))
		return REASON_NONE;
	atomic_store(&lane->helper.runs, 0);
	return REASON_HOST_MEMORY;
}

bool blocking_has_ended(const struct lane *lane, enum reason *reason)
{
	if (atomic_load(&lane->helper.runs) != 0)
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
	while (beside != NULL && atomic_load(&lane->helper.runs) != 0 && beside(self))
		continue;
	return blocking_await(lane, more_ns);
}

enum reason blocking_run(struct lane *lane, blocking_work *work, void *object, int64_t more_ns)
{
	return blocking_run_beside(lane, work, object, more_ns, NULL, NULL);
}

bool blocking_stop(struct lane *lane, int64_t end_ns)
{
	while (atomic_load(&lane->helper.runs) != 0 && clock_monotonic_ns() < end_ns)
		futex_wait(&lane->helper.runs, 1, BLOCKING_SLEEP_NS);
	return atomic_load(&lane->helper.runs) == 0;
}
