/* copy_queue.h - jobs of the copying threads, in the order in which they are taken */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_COPY_COPY_QUEUE_H
#define GPUSHIM_SHIM_EXECUTE_GPU_COPY_COPY_QUEUE_H

#include "shim/execute/gpu/copy/copy_job.h"

/*
 * Scatters are taken first: the room that they leave in the ring is waited for by the link, while
 * what is gathered may lie there for long. What is kept is in the ring, and sent already. Questions
 * are taken last, but for urgent ones, which the end of a call waits for. Otherwise first in, first
 * out. The caller locks.
 */
enum copy_class {
	COPY_CLASS_URGENT,
	COPY_CLASS_SCATTERS,
	COPY_CLASS_OTHERS,
	COPY_CLASS_KEEPS,
	COPY_CLASS_QUESTIONS,
	COPY_CLASSES
};

struct copy_queue {
	struct copy_job *first;
	struct copy_job **end[COPY_CLASSES]; /* behind the last job of the class and those before */
	int count;
};

#define COPY_QUEUE_EMPTY(queue)                                                                    \
	{                                                                                          \
		.end = { &(queue).first,                                                           \
			 &(queue).first,                                                           \
			 &(queue).first,                                                           \
			 &(queue).first,                                                           \
			 &(queue).first }                                                          \
	}

/* Empty, whatever it held. */
void copy_queue_clear(struct copy_queue *queue);

void copy_queue_put(struct copy_queue *queue, struct copy_job *job);

/* NULL: it is empty. */
struct copy_job *copy_queue_take(struct copy_queue *queue);

/* NULL too where it has questions alone, or the next copy is of more bytes. */
struct copy_job *copy_queue_take_copy(struct copy_queue *queue, uint64_t most_bytes);

/* Takes all jobs of the bell, as a list. */
struct copy_job *copy_queue_take_all(struct copy_queue *queue, const struct copy_bell *bell);

#endif
