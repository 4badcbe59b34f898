/* affinity.h - the processors on which the process's threads may run */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_NODE_AFFINITY_H
#define GPUSHIM_SHIM_EXECUTE_GPU_NODE_AFFINITY_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Those of all threads together. OpenMP (OMP_PROC_BIND) binds each thread of its team to one
 * processor: a thread that it makes inherits that, and would run where its maker computes. false:
 * unknown, also beyond CPU_SETSIZE processors.
 */
bool affinity_of_process(cpu_set_t *set);

/* Those of the process's first thread alone; false: unknown. */
bool affinity_of_first(cpu_set_t *set);

/*
 * Makes a detached thread that may run on the processors of set, or (NULL) on all of the process's.
 * Where they are unknown, or the kernel refuses, it inherits those of the calling thread. false:
 * there is no thread.
 */
bool affinity_make_thread(size_t stack_bytes, const cpu_set_t *set, void *(*run)(void *),
                          void *argument);
/* The same for all of the process's processors; the thread takes no signal of the program. */
bool affinity_make_silent_thread(size_t stack_bytes, void *(*run)(void *), void *argument);

#endif
