/* drainer.c - the loop of the drain thread: sleep, drain */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/drainer.h"

#include <linux/membarrier.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/base/fp_environment.h"
#include "shim/base/futex.h"

enum { DRAINER_PERIOD_NS = 200000000, DRAINER_PATIENCE_NS = 2000000000 };

static struct drainer_user *_Atomic drainer_users[DRAINER_USERS];
static _Atomic uint32_t drainer_bell, drainer_runs;
static atomic_bool drainer_stopping;

/* Returns whether there was a line. */
static bool drainer_drain_all(void)
{
	bool any = false;
	for (int i = 0; i < DRAINER_USERS; i++) {
		struct drainer_user *user = atomic_load(&drainer_users[i]);
		any = (user != NULL && user->drain()) || any;
	}
	return any;
}

static void drainer_add(struct drainer_user *user)
{
	for (int i = 0; i < DRAINER_USERS; i++) {
		struct drainer_user *known = NULL;
		if (atomic_compare_exchange_strong(&drainer_users[i], &known, user) ||
		    known == user)
			return;
	}
}

static void drainer_tell(bool asleep)
{
	for (int i = 0; i < DRAINER_USERS; i++) {
		struct drainer_user *user = atomic_load(&drainer_users[i]);
		if (user != NULL && asleep)
			atomic_fetch_or(&user->notice, DRAINER_ASLEEP);
		else if (user != NULL)
			atomic_fetch_and(&user->notice, ~(unsigned)DRAINER_ASLEEP);
	}
}

/*
 * The barrier runs on every thread of the process: one that adds a line later sees the notice, and
 * starts another thread; the last drain here finds the lines of all others.
 */
static void drainer_retire(void)
{
	atomic_store(&drainer_runs, 0);
	drainer_tell(true);
	futex_wake(&drainer_runs, 1);
	atomic_thread_fence(memory_order_seq_cst);
	syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
	drainer_drain_all();
}

static void *drainer_run(void *unused)
{
	bool stopping, any;
	fp_environment_forget();
	pthread_setname_np(pthread_self(), "gpushim-log");
	do {
		const uint32_t bell = atomic_load(&drainer_bell);
		stopping = atomic_load(&drainer_stopping);
		if (!stopping)
			futex_wait(&drainer_bell, bell, DRAINER_PERIOD_NS);
		any = drainer_drain_all() || atomic_load(&drainer_bell) != bell;
	} while (!stopping && any);
	drainer_retire();
	return unused;
}

/*
 * With a stack of the usual size: where all threads of the program have ended, libc runs its exit
 * handlers on this one.
 */
static bool drainer_make_thread(void)
{
	pthread_attr_t attributes;
	pthread_t thread;
	if (pthread_attr_init(&attributes) != 0)
		return false;
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	const bool made = pthread_create(&thread, &attributes, drainer_run, NULL) == 0;
	pthread_attr_destroy(&attributes);
	return made;
}

/*
 * A thread that retires meanwhile may have set the notices before they are cleared here, so
 * whether it runs is looked at again. Where no thread can be made nobody tries again at each line.
 */
void drainer_start(struct drainer_user *user)
{
	bool made = true;
	drainer_add(user);
	do {
		uint32_t none = 0;
		if (atomic_compare_exchange_strong(&drainer_runs, &none, 1)) {
			atomic_store(&drainer_stopping, false);
			made = drainer_make_thread();
		}
		if (!made)
			atomic_store(&drainer_runs, 0);
		drainer_tell(false);
	} while (made && atomic_load(&drainer_runs) == 0);
}

void drainer_wake(void)
{
	atomic_fetch_add(&drainer_bell, 1);
	futex_wake(&drainer_bell, 1);
}

void drainer_stop(void)
{
	atomic_store(&drainer_stopping, true);
	drainer_wake();
	if (atomic_load(&drainer_runs) != 0)
		futex_wait(&drainer_runs, 1, DRAINER_PATIENCE_NS);
}

void drainer_after_fork_child(void)
{
	atomic_store(&drainer_runs, 0);
	drainer_tell(true);
}
