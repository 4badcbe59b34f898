/* processors.h - which processors this process may use, and the size of their cache */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_NODE_PROCESSORS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_NODE_PROCESSORS_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Processors that the process's threads may use at a time: by their affinity (affinity.h) and by
 * the quota of the control group, read from files under root ("" but in tests). At least 1.
 */
int processors_count(const char *root);

/*
 * The same without their affinity: online processors within the quota. At least
 * 1.
 */
int processors_quota(const char *root);

/*
 * Those of the process's that are left to it where so many processes of the node share
 * theirs: what the control group gives all of them, divided among them. A launcher that binds each
 * process to processors of its own has divided them already. At least 1.
 */
int processors_share(const char *root, int processes);

/* The same from numbers: of this process, of all together. */
int processors_divide(int own, int all, int processes);

/*
 * The processors of a NUMA node that the process may use; false where they are unknown or
 * none. Processors beyond CPU_SETSIZE are unknown.
 */
bool processors_of_node(const char *root, int node, cpu_set_t *set);

/*
 * Bytes of the last-level caches of all processors that the process may use, as if each were like
 * that of the first one; 0: unknown.
 */
uint64_t processors_cache_bytes(const char *root);

#endif
