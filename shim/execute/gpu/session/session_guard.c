/* session_guard.c - what the start of CUDA is in, and who may wait for it how long */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/session/session_guard.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "shim/base/clock.h"
#include "shim/base/futex.h"
#include "shim/base/loader_lock.h"

/*
 * No lock, because a signal handler may jump out of any wait, and a fork may happen at any time.
 * guard_slice_ns: how often a waiting thread looks who holds the loader's lock.
 * guard_standstill_ns: how long a thread may stand still before nobody waits for it any more.
 * guard_stop_ns: longer than any library call takes.
 */
static const int64_t guard_slice_ns = INT64_C(10000000), guard_standstill_ns = INT64_C(1000000000),
		     guard_stop_ns = INT64_C(30000000000);

/* What the starting thread is in. */
enum guard_phase { GUARD_OUTSIDE, GUARD_CALL, GUARD_LOAD };

static _Atomic uint32_t
	guard_changes; /* counts changes of all below; waiting threads sleep on it */
static atomic_bool guard_running, guard_stopped;
static atomic_int guard_phase;
static atomic_int guard_forks;                                /* under way */
static _Atomic uint32_t guard_loads_begun, guard_loads_ended; /* calls of the loader */
static _Atomic pid_t guard_process;   /* that runs it: a child made by _Fork has no such thread */
static _Atomic pid_t guard_thread;    /* that starts CUDA; 0: not running yet */
static _Atomic clockid_t guard_clock; /* the processor time of that thread */

void session_guard_tell(void)
{
	atomic_fetch_add(&guard_changes, 1);
	futex_wake(&guard_changes, INT32_MAX);
}

void session_guard_begin(void)
{
	atomic_store(&guard_process, getpid());
	atomic_store(&guard_running, true);
}

void session_guard_begin_thread(void)
{
	clockid_t clock = CLOCK_MONOTONIC; /* always goes on */
	pthread_getcpuclockid(pthread_self(), &clock);
	atomic_store(&guard_clock, clock);
	atomic_store(&guard_thread, gettid());
}

void session_guard_end(void)
{
	atomic_store(&guard_thread, 0);
	atomic_store(&guard_running, false);
	session_guard_tell();
}

void session_guard_claim(void)
{
	atomic_store(&guard_process, getpid());
}

/* A start of another process: its thread does not exist here. */
static bool session_guard_is_inherited(void)
{
	return atomic_load(&guard_process) != getpid();
}

static bool session_guard_runs(void)
{
	return atomic_load(&guard_running) && !session_guard_is_inherited();
}

/*
 * CUDA itself may fork inside a call, and a library's exit handler may run in the starting thread.
 */
static bool session_guard_is_own(void)
{
	return session_guard_runs() && atomic_load(&guard_thread) == gettid();
}

/* -- the starting thread ---------------------------------------------------------------------- */

/* The phase is set before forks is read, and session_guard_before_fork does the reverse. */
static void session_guard_let_fork(void)
{
	const int64_t end_ns = clock_monotonic_ns() + guard_standstill_ns;
	atomic_store(&guard_phase, GUARD_LOAD);
	while (atomic_load(&guard_forks) > 0 && clock_monotonic_ns() < end_ns) {
		const uint32_t seen = atomic_load(&guard_changes);
		atomic_store(&guard_phase, GUARD_OUTSIDE);
		session_guard_tell();
		if (atomic_load(&guard_forks) > 0)
			futex_wait(&guard_changes, seen + 1, guard_slice_ns);
		atomic_store(&guard_phase, GUARD_LOAD);
	}
}

static bool session_guard_check(void)
{
	if (!atomic_load(&guard_stopped))
		return true;
	session_guard_leave();
	return false;
}

bool session_guard_enter(void)
{
	atomic_store(&guard_phase, GUARD_CALL);
	return session_guard_check();
}

bool session_guard_enter_load(void)
{
	session_guard_let_fork();
	atomic_fetch_add(&guard_loads_begun, 1);
	return session_guard_check();
}

void session_guard_leave(void)
{
	if (atomic_exchange(&guard_phase, GUARD_OUTSIDE) == GUARD_LOAD)
		atomic_fetch_add(&guard_loads_ended, 1);
	session_guard_tell();
}

/* -- waiting ---------------------------------------------------------------------------------- */

/* 0 where the thread has ended. */
static int64_t session_guard_read_processor(void)
{
	struct timespec used = {0, 0};
	clock_ask(atomic_load(&guard_clock), &used);
	return (int64_t)used.tv_sec * 1000000000 + used.tv_nsec;
}

/* A wait has ended because another thread kept the loader's lock: while it does, nobody waits. */
static atomic_bool guard_impatient;

/* What a waiting thread has seen. since_ns: since when it has looked the same. */
struct guard_watch {
	int64_t since_ns, processor_ns;
	uint32_t loads_begun;
};

static struct guard_watch session_guard_watch(void)
{
	return (struct guard_watch){clock_monotonic_ns(), session_guard_read_processor(),
	                            atomic_load(&guard_loads_begun)};
}

static bool session_guard_is_late(const struct guard_watch *watch)
{
	return clock_monotonic_ns() - watch->since_ns >= guard_standstill_ns;
}

/* Whether the start has used no processor time for a while: it sleeps, or waits for a lock. */
static bool session_guard_stands_still(struct guard_watch *watch)
{
	const int64_t processor_ns = session_guard_read_processor();
	if (processor_ns != watch->processor_ns)
		*watch = session_guard_watch();
	return session_guard_is_late(watch);
}

static unsigned session_guard_find_holders(void)
{
	return loader_lock_find_holders(atomic_load(&guard_thread));
}

/*
 * Where the holder is unknown, a call of the loader that the start began and ended since shows that
 * the waiting thread does not hold the lock.
 */
static bool session_guard_may_wait(struct guard_watch *watch)
{
	const unsigned holders = session_guard_find_holders();
	if ((holders & LOADER_HOLDER_MINE) != 0)
		return false;
	if ((holders & LOADER_HOLDER_UNKNOWN) != 0)
		return !session_guard_is_late(watch) ||
		       (int32_t)(atomic_load(&guard_loads_ended) - watch->loads_begun) > 0;
	if (holders != LOADER_HOLDER_OTHER) {
		*watch = session_guard_watch();
		atomic_store(&guard_impatient, false);
		return true;
	}
	if (session_guard_is_late(watch))
		atomic_store(&guard_impatient, true);
	return !atomic_load(&guard_impatient);
}

void session_guard_wait(bool (*waiting)(void))
{
	struct guard_watch watch = session_guard_watch();
	for (;;) {
		const uint32_t seen = atomic_load(&guard_changes);
		if (!waiting() || session_guard_is_inherited() || session_guard_is_own() ||
		    !session_guard_may_wait(&watch))
			return;
		futex_wait(&guard_changes, seen, guard_slice_ns);
	}
}

/*
 * Whether the start waits for a lock of the loader that it may not get before this thread goes on.
 * While it holds one itself it is not kept out.
 */
static bool session_guard_is_kept_out(struct guard_watch *watch)
{
	const unsigned holders = session_guard_find_holders();
	if (holders == 0 || (holders & LOADER_HOLDER_FRIEND) != 0)
		return false;
	return ((holders & LOADER_HOLDER_MINE) != 0 && atomic_load(&guard_phase) == GUARD_LOAD) ||
	       session_guard_stands_still(watch);
}

void session_guard_stop(void)
{
	const int64_t end_ns = clock_monotonic_ns() + guard_stop_ns;
	struct guard_watch watch = session_guard_watch();
	atomic_store(&guard_stopped, true);
	session_guard_tell();
	while (!session_guard_is_own() && clock_monotonic_ns() < end_ns) {
		const uint32_t seen = atomic_load(&guard_changes);
		if (!session_guard_runs() || session_guard_is_kept_out(&watch))
			return;
		futex_wait(&guard_changes, seen, guard_slice_ns);
	}
}

/* -- fork ------------------------------------------------------------------------------------- */

/*
 * The loader is in pieces while the start loads, and while it holds a lock of the loader in a call
 * of CUDA.
 */
static bool session_guard_loads(void)
{
	return atomic_load(&guard_phase) == GUARD_LOAD ||
	       (session_guard_find_holders() & LOADER_HOLDER_FRIEND) != 0;
}

void session_guard_before_fork(void)
{
	struct guard_watch watch = session_guard_watch();
	atomic_fetch_add(&guard_forks, 1);
	while (session_guard_runs() && !session_guard_is_own()) {
		const uint32_t seen = atomic_load(&guard_changes);
		if (!session_guard_loads() || session_guard_is_kept_out(&watch) ||
		    session_guard_stands_still(&watch))
			return;
		futex_wait(&guard_changes, seen, guard_slice_ns);
	}
}

void session_guard_after_fork_parent(void)
{
	atomic_fetch_sub(&guard_forks, 1);
	session_guard_tell();
}

void session_guard_after_fork_child(void)
{
	atomic_store(&guard_forks, 0);
	atomic_store(&guard_thread, 0);
	atomic_store(&guard_phase, GUARD_OUTSIDE);
	atomic_store(&guard_running, false);
}
