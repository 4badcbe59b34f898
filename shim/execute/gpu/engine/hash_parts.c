/* hash_parts.c - jobs of the copy threads that take one part after the other */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/engine/hash_parts.h"

#include <stddef.h>

#include "shim/base/processor.h"
#include "shim/execute/gpu/copy/copiers.h"
#include "shim/execute/gpu/copy/copiers_count.h"
#include "shim/execute/gpu/copy/copy_jobs.h"
#include "shim/execute/gpu/copy/pack_probe.h"

/* Threads that begin no part for so long are busy for others, or there are none. */
enum { HASH_PARTS_WAIT_NS = 1000000 };

struct hash_parts {
	void (*work)(void *self, uint64_t part);
	void *self;
	uint64_t parts;
	_Atomic uint64_t next;
	uint32_t rights; /* of the caller to memory */
};

/* Another thread may lack the caller's rights: then it takes no part. */
static void hash_parts_go(void *question)
{
	struct hash_parts *parts = question;
	uint64_t part;
	if (processor_read_rights() != parts->rights)
		return;
	while ((part = atomic_fetch_add(&parts->next, 1)) < parts->parts)
		parts->work(parts->self, part);
}

static int hash_parts_submit(struct hash_parts *parts, struct copy_job job[],
                             struct copy_bell *bell)
{
	int count = copiers_count() - 1;
	if ((uint64_t)count > parts->parts)
		count = (int)parts->parts;
	for (int i = 0; i < count; i++)
		job[i] = (struct copy_job){
			.kind = COPY_ASK, .ask = hash_parts_go, .question = parts, .bell = bell};
	if (count > 0)
		copiers_submit_all(job, count);
	return count;
}

/* Until all parts are begun, or none is. */
static void hash_parts_leave_to_others(struct hash_parts *parts, const struct copy_job job[],
                                       int count)
{
	uint64_t before, next = 0;
	do {
		const uint32_t seen = atomic_load(&job[0].bell->rings);
		before = next;
		if (!copy_jobs_have_ended(job, count))
			copiers_wait(job[0].bell, seen, HASH_PARTS_WAIT_NS);
		next = atomic_load(&parts->next);
	} while (next < parts->parts && next > before);
}

/* What the other threads have left is the caller's, and nobody else is in a part then. */
void hash_parts_run(void (*work)(void *self, uint64_t part), void *self, uint64_t parts)
{
	struct hash_parts all = {work, self, parts, 0, processor_read_rights()};
	struct copy_job job[COPIERS_COUNT_MAX];
	struct copy_bell bell = {.rings = 0};
	const int count = hash_parts_submit(&all, job, &bell);
	if (!pack_probe_is_needed())
		hash_parts_go(&all);
	else if (count > 0)
		hash_parts_leave_to_others(&all, job, count);
	copy_jobs_recall(job, count);
	hash_parts_go(&all);
}

bool hash_parts_may_read(const void *memory, uint64_t bytes)
{
	const struct pack_area area = {(char *)(uintptr_t)memory, bytes, 1, bytes};
	return !pack_probe_is_needed() || pack_probe(&area, NULL, false);
}
