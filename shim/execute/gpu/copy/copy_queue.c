/* copy_queue.c - jobs of the copying threads, in the order in which they are taken */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/copy/copy_queue.h"

#include <stddef.h>

void copy_queue_clear(struct copy_queue *queue)
{
	*queue = (struct copy_queue)COPY_QUEUE_EMPTY(*queue);
}

static int copy_queue_class(const struct copy_job *job)
{
	switch (job->kind) {
	case COPY_SCATTER: return COPY_CLASS_SCATTERS;
	case COPY_KEEP: return COPY_CLASS_KEEPS;
	case COPY_ASK: return job->is_urgent ? COPY_CLASS_URGENT : COPY_CLASS_QUESTIONS;
	default: return COPY_CLASS_OTHERS;
	}
}

void copy_queue_put(struct copy_queue *queue, struct copy_job *job)
{
	const int own = copy_queue_class(job);
	struct copy_job **place = queue->end[own];
	job->next = *place;
	*place = job;
	for (int i = own; i < COPY_CLASSES; i++)
		if (queue->end[i] == place)
			queue->end[i] = &job->next;
	queue->count++;
}

/* Takes the job at this place out. */
static void copy_queue_remove(struct copy_queue *queue, struct copy_job **place)
{
	struct copy_job *job = *place;
	*place = job->next;
	for (int i = 0; i < COPY_CLASSES; i++)
		if (queue->end[i] == &job->next)
			queue->end[i] = place;
	queue->count--;
}

struct copy_job *copy_queue_take(struct copy_queue *queue)
{
	struct copy_job *job = queue->first;
	if (job != NULL)
		copy_queue_remove(queue, &queue->first);
	return job;
}

struct copy_job *copy_queue_take_copy(struct copy_queue *queue, uint64_t most_bytes)
{
	struct copy_job **place = queue->end[COPY_CLASS_URGENT], *job = *place;
	if (job == NULL || job->kind == COPY_ASK ||
	    job->area.run_bytes * job->area.count > most_bytes)
		return NULL;
	copy_queue_remove(queue, place);
	return job;
}

struct copy_job *copy_queue_take_all(struct copy_queue *queue, const struct copy_bell *bell)
{
	struct copy_job *taken = NULL;
	for (struct copy_job **place = &queue->first; *place != NULL;) {
		struct copy_job *job = *place;
		if (job->bell != bell) {
			place = &job->next;
			continue;
		}
		copy_queue_remove(queue, place);
		job->next = taken;
		taken = job;
	}
	return taken;
}
