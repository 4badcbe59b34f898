/* copiers.h - a few threads that copy between the program's memory and staging */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_COPY_COPIERS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_COPY_COPIERS_H

#include <stdatomic.h>

#include "shim/execute/gpu/copy/copy_job.h"

/*
 * Sets the number of copying threads, the caller of copiers_help included, by the processors that
 * this process may use (affinity, control group's quota), see copiers_count.h. node: NUMA node to
 * pin them to, -1: none. Creates no thread.
 */
void copiers_configure(int node);
int copiers_count(void);

/* Threads beside the caller that are there and may copy at present. */
int copiers_count_others_now(void);

/*
 * For tests and benches, before the first job; copiers_configure keeps it. 1: the caller alone.
 */
void copiers_set_count(int count);

/*
 * processors of the process compute for a call meanwhile: copy threads use the others only, and
 * those that call copiers_help go on. 0 ends that.
 */
void copiers_spare(int processors);

/* Threads that copy then, one that calls copiers_help included. */
int copiers_count_beside(int processors);

/*
 * Queues a job; makes one more thread where no idle one is left for it. A thread that finds no job
 * for a quarter of a second ends: idle threads keep no process alive.
 */
void copiers_submit(struct copy_job *job);

/* Queues some at once, with one call of the kernel for all threads that are to wake. */
void copiers_submit_all(struct copy_job job[], int count);

/* Copies a job that is not queued in the calling thread, without probing. */
void copiers_copy(struct copy_job *job);

/*
 * Does one queued job of any owner in the calling thread; false: there was none. The second one
 * leaves questions (COPY_ASK) and copies of more bytes to other threads.
 */
bool copiers_help(void);
bool copiers_help_to_copy(uint64_t most_bytes);

/*
 * The owner of jobs has left them with its call: those that are still queued are taken out, and
 * count as done. So does a job of any owner that the calling thread has begun and left by a jump.
 */
void copiers_withdraw(struct copy_bell *bell);

/* Waits until bell->rings differs from seen, or for timeout_ns. */
void copiers_wait(struct copy_bell *bell, uint32_t seen, int64_t timeout_ns);

/* A fork child has no threads and no jobs. */
void copiers_after_fork_child(void);

#endif
