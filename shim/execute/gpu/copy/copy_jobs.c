/* copy_jobs.c - looks at the end of each job; withdraws them */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/copy/copy_jobs.h"

#include "shim/execute/gpu/copy/copiers.h"

enum { COPY_JOBS_WAIT_NS = 20000 };

bool copy_jobs_have_ended(const struct copy_job job[], int count)
{
	bool ended = true;
	for (int i = 0; i < count && ended; i++)
		ended = atomic_load_explicit(&job[i].done, memory_order_acquire);
	return ended;
}

void copy_jobs_recall(struct copy_job job[], int count)
{
	if (count == 0)
		return;
	struct copy_bell *bell = job[0].bell;
	copiers_withdraw(bell);
	for (;;) {
		const uint32_t seen = atomic_load(&bell->rings);
		if (copy_jobs_have_ended(job, count))
			return;
		copiers_wait(bell, seen, COPY_JOBS_WAIT_NS);
	}
}
