/* cpu_share.c - the one call of the process that is shared with the CPU, and its processors */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/engine/cpu_share.h"

#include <stdatomic.h>

#include "shim/execute/gpu/copy/copiers.h"

static atomic_bool cpu_share_busy;
/* The threads with which the calling thread has computed a part. */
static _Thread_local int cpu_share_threads[CPU_SHARE_LIBRARIES];

static void cpu_share_take_back(void *object, bool reusable, bool gone)
{
	(void)object, (void)reusable, (void)gone;
	cpu_share_end();
}

void cpu_share_end(void)
{
	copiers_spare(0);
	atomic_store(&cpu_share_busy, false);
}

static bool cpu_share_take(void)
{
	return !atomic_exchange(&cpu_share_busy, true);
}

/* A thread that has ended in a handler, within its call, leaves the place taken. */
bool cpu_share_begin(struct lane *lane, const struct cpu_share *share)
{
	if (!cpu_share_take()) {
		lanes_recover();
		if (!cpu_share_take())
			return false;
	}
	copiers_spare(share->threads);
	lanes_note_loan(lane, cpu_share_take_back, NULL);
	return true;
}

bool cpu_share_is_first(enum cpu_share_library library, const struct cpu_share *share)
{
	return cpu_share_threads[library] != share->threads;
}

void cpu_share_note_threads(enum cpu_share_library library, const struct cpu_share *share)
{
	cpu_share_threads[library] = share->threads;
}
