/* watch.c - calls resident_watch as often as it asks for, and ends */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/watch/watch.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "shim/base/fp_environment.h"
#include "shim/base/futex.h"
#include "shim/execute/gpu/node/affinity.h"
#include "shim/execute/gpu/resident/resident.h"

/* Of the usual size: where it is the process's last thread, libc runs the exit handlers on it. */
enum { WATCH_STACK_BYTES = 8 << 20 };

static atomic_bool watch_runs, watch_is_wanted;

/* Somebody who has found the thread running may have come after its last look. */
static void *watch_run(void *unused)
{
	fp_environment_forget();
	pthread_setname_np(pthread_self(), "gpushim-watch");
	do {
		static _Atomic uint32_t nobody_wakes;
		int64_t wait_ns;
		atomic_store(&watch_is_wanted, false);
		while ((wait_ns = resident_watch()) > 0)
			futex_wait(&nobody_wakes, 0, wait_ns);
		atomic_store(&watch_runs, false);
	} while (atomic_load(&watch_is_wanted) && !atomic_exchange(&watch_runs, true));
	return unused;
}

bool watch_begin(void)
{
	atomic_store(&watch_is_wanted, true);
	if (atomic_exchange(&watch_runs, true))
		return true;
	const bool made = affinity_make_silent_thread(WATCH_STACK_BYTES, watch_run, NULL);
	if (!made)
		atomic_store(&watch_runs, false);
	return made;
}
