/* schedule_blocking.c - the interface of the engine's blocking.c: the work of a thread, in turns */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/engine/blocking.h"

#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#include "tests/schedule/schedule_copiers.h"

/*
 * Virtual time passes while somebody polls, so that two threads would disturb each other's. Work
 * is therefore a coroutine of the calling thread: it has its turn when the engine asks whether it
 * has ended, and gives it back where it would wait for the device. Of one moment it asks the device
 * once: asking again would end the moment before the engine has issued all that it can. VAIN: after
 * so many turns the engine has nothing else to do.
 */
enum { BLOCKING_STACK_BYTES = 1 << 20, BLOCKING_VAIN = 16 };

static struct {
	ucontext_t caller, work;
	void *stack;
	struct lane *lane;
	const struct cuda_api *cuda;
	struct cuda_api turns; /* the same, but waiting gives the turn back */
	bool runs, has_turn;
	int64_t asked_ns;
	int vain;
} blocking;

static int blocking_ask(void *stream)
{
	const int64_t now_ns = schedule_copiers_now_ns();
	if (now_ns == blocking.asked_ns && ++blocking.vain < BLOCKING_VAIN)
		return CUDA_ERROR_NOT_READY;
	blocking.asked_ns = now_ns;
	blocking.vain = 0;
	return blocking.cuda->stream_query(stream);
}

static int blocking_synchronize(void *stream)
{
	int error;
	if (!blocking.has_turn)
		return blocking.cuda->stream_synchronize(stream);
	blocking.asked_ns = -1;
	while ((error = blocking_ask(stream)) == CUDA_ERROR_NOT_READY)
		swapcontext(&blocking.work, &blocking.caller);
	return error;
}

/* A copy to ordinary memory holds the thread until what is before it has ended. */
static int blocking_copy(void *to, const void *from, size_t size_bytes, int kind, void *stream)
{
	const int error = kind == CUDA_COPY_DEVICE_TO_HOST ? blocking_synchronize(stream) : 0;
	return error != 0 ? error : blocking.cuda->memcpy_async(to, from, size_bytes, kind, stream);
}

static void blocking_work_through(void)
{
	struct lane_helper *helper = &blocking.lane->helper;
	helper->reason = helper->work(blocking.lane, helper->object);
	blocking.runs = false;
}

static void blocking_give_turn(void)
{
	struct lane *lane = blocking.lane;
	blocking.has_turn = true;
	lane->api = &blocking.turns;
	swapcontext(&blocking.caller, &blocking.work);
	lane->api = blocking.cuda;
	blocking.has_turn = false;
}

enum reason blocking_begin(struct lane *lane, blocking_work *work, void *object)
{
	if (blocking.stack == NULL)
		blocking.stack = malloc(BLOCKING_STACK_BYTES);
	if (blocking.stack == NULL || blocking.runs || getcontext(&blocking.work) != 0) {
		fprintf(stderr, "schedule: work cannot begin beside the engine\n");
		exit(1);
	}
	lane->helper.work = work;
	lane->helper.object = object;
	blocking.lane = lane;
	blocking.cuda = lane->api;
	blocking.turns = *lane->api;
	blocking.turns.stream_synchronize = blocking_synchronize;
	blocking.turns.memcpy_async = blocking_copy;
	blocking.work.uc_stack.ss_sp = blocking.stack;
	blocking.work.uc_stack.ss_size = BLOCKING_STACK_BYTES;
	blocking.work.uc_link = &blocking.caller;
	makecontext(&blocking.work, blocking_work_through, 0);
	blocking.runs = true;
	blocking_give_turn();
	return REASON_NONE;
}

bool blocking_has_ended(const struct lane *lane, enum reason *reason)
{
	if (blocking.runs)
		blocking_give_turn();
	if (blocking.runs)
		return false;
	*reason = lane->helper.reason;
	return true;
}

void blocking_wait(struct lane *lane, int64_t timeout_ns)
{
	(void)lane;
	(void)timeout_ns;
}

enum reason blocking_run_beside(struct lane *lane, blocking_work *work, void *object,
                                int64_t more_ns, bool (*beside)(void *self), void *self)
{
	enum reason reason = blocking_begin(lane, work, object);
	(void)more_ns;
	while (!blocking_has_ended(lane, &reason))
		if (beside != NULL && !beside(self))
			beside = NULL;
	return reason;
}

enum reason blocking_run(struct lane *lane, blocking_work *work, void *object, int64_t more_ns)
{
	return blocking_run_beside(lane, work, object, more_ns, NULL, NULL);
}

bool blocking_stop(struct lane *lane, int64_t end_ns)
{
	enum reason reason;
	(void)end_ns;
	while (!blocking_has_ended(lane, &reason))
		;
	return true;
}
