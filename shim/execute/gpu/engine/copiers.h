/* copiers.h - a few threads that copy between the program's memory and staging, and sleep when idle */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_COPIERS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_COPIERS_H

#include <stdatomic.h>

#include "shim/execute/gpu/engine/pack.h"

/*
 * Rung when a job of its owner is done; the owner sleeps on it. Zero it first. It rings a moment
 * before done is set, so that it may go with the job: an owner that looks just then sleeps for its
 * whole timeout, which had better be short.
 */
struct copy_bell {
	_Atomic uint32_t rings;
	_Atomic uint32_t sleeper;
	uint64_t call; /* that its owner works on, as a listener numbers it; 0: no one's */
};

enum copy_kind { COPY_GATHER, COPY_SCATTER, COPY_POPULATE, COPY_BOTH };

/*
 * One piece of copying. COPY_BOTH gathers into staging and into shadow, tight too. The job, its
 * rule and the bell belong to the owner and stay until done is set, with release order.
 */
struct copy_job {
	enum copy_kind kind;
	struct pack_area area;
	void *staging, *shadow;
	const struct pack_rule *rule;
	struct copy_bell *bell;
	struct copy_job *next; /* the queue's */
	atomic_bool done;
};

/*
 * How many threads copy at most, the caller of copiers_help among them: by the processors this
 * process may use (its affinity, its cgroup's quota), half of them, at most what copiers.c names.
 * node: the NUMA node to keep them on, -1: anywhere. Starts none.
 */
void copiers_configure(int node);
int copiers_count(void);

/* For tests and benches, before the first job: count threads, 1: the caller alone. */
void copiers_set_count(int count);

/*
 * For benches of the order of things alone: a job is done when it is queued, and nothing is read or
 * written.
 */
void copiers_set_idle(bool idle);

/*
 * Queues a job; makes the threads at the first one. Where none can be made copiers_help does it
 * all.
 */
void copiers_submit(struct copy_job *job);

/* Does one queued job, of anybody, in the calling thread; false where there was none. */
bool copiers_help(void);

/* Waits until the bell has rung since it was read as seen, or for timeout_ns. */
void copiers_wait(struct copy_bell *bell, uint32_t seen, int64_t timeout_ns);

/* In a fork child there are no threads and no jobs. */
void copiers_after_fork_child(void);

#endif
