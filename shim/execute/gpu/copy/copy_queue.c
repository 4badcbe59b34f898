/* copy_queue.c - jobs of the copying threads, in the order in which they are taken */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/copy/copy_queue.h"

#include <stddef.h>

void copy_queue_clear(struct copy_queue *queue)
{
	*queue = (struct copy_queue){.end = &queue->first, .urgent_end = &queue->first};
}

void copy_queue_put(struct copy_queue *queue, struct copy_job *job)
{
	const bool urgent = job->kind == COPY_SCATTER;
	struct copy_job **place = urgent ? queue->urgent_end : queue->end;
	job->next = *place;
	*place = job;
	if (queue->end == place)
		queue->end = &job->next;
	if (urgent)
		queue->urgent_end = &job->next;
	queue->count++;
}

/* Takes the job at this place out. */
static void copy_queue_remove(struct copy_queue *queue, struct copy_job **place)
{
	struct copy_job *job = *place;
	*place = job->next;
	if (queue->end == &job->next)
		queue->end = place;
	if (queue->urgent_end == &job->next)
		queue->urgent_end = place;
	queue->count--;
}

struct copy_job *copy_queue_take(struct copy_queue *queue)
{
	struct copy_job *job = queue->first;
	if (job != NULL)
		copy_queue_remove(queue, &queue->first);
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
