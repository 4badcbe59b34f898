/* drainer.c - the loop of the drain thread: sleep, drain */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/drainer.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shim/base/fp_environment.h"
#include "shim/base/futex.h"

enum {
	DRAINER_STACK_BYTES = 262144, /* holds the static TLS of the program's libraries too */
	DRAINER_PERIOD_NS = 200000000,
	DRAINER_PATIENCE_NS = 2000000000
};

static void (*_Atomic drainer_drain[DRAINER_USERS])(void);
static _Atomic uint32_t drainer_bell, drainer_runs;
static atomic_bool drainer_stopping;

static void drainer_drain_all(void)
{
	for (int i = 0; i < DRAINER_USERS; i++) {
		void (*drain)(void) = atomic_load(&drainer_drain[i]);
		if (drain != NULL)
			drain();
	}
}

static void drainer_add(void (*drain)(void))
{
	for (int i = 0; i < DRAINER_USERS; i++) {
		void (*known)(void) = NULL;
		if (atomic_compare_exchange_strong(&drainer_drain[i], &known, drain) ||
		    known == drain)
			return;
	}
}

static void *drainer_run(void *unused)
{
	bool stopping;
	fp_environment_forget();
	do {
		const uint32_t bell = atomic_load(&drainer_bell);
		stopping = atomic_load(&drainer_stopping);
		if (!stopping)
			futex_wait(&drainer_bell, bell, DRAINER_PERIOD_NS);
		drainer_drain_all();
	} while (!stopping);
	atomic_store(&drainer_runs, 0);
	futex_wake(&drainer_runs, 1);
	return unused;
}

void drainer_start(void (*drain)(void))
{
	pthread_attr_t attributes;
	pthread_t thread;
	uint32_t none = 0;
	drainer_add(drain);
	if (!atomic_compare_exchange_strong(&drainer_runs, &none, 1))
		return;
	if (pthread_attr_init(&attributes) != 0) {
		atomic_store(&drainer_runs, 0);
		return;
	}
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, DRAINER_STACK_BYTES);
	atomic_store(&drainer_stopping, false);
	if (pthread_create(&thread, &attributes, drainer_run, NULL) == 0)
		pthread_setname_np(thread, "gpushim-log");
	else
		atomic_store(&drainer_runs, 0);
	pthread_attr_destroy(&attributes);
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
}
