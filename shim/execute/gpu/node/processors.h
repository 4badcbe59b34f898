/* processors.h - which processors this process may use, and how large their cache is */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_NODE_PROCESSORS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_NODE_PROCESSORS_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * So many processors the calling thread may use at a time: by its affinity and by the quota of the
 * control group, whose files stand under root ("" but in tests). At least 1.
 */
int processors_count(const char *root);

/*
 * So many the machine has, or the quota leaves of them: whatever the affinity of the calling
 * thread. At least 1.
 */
int processors_quota(const char *root);

/*
 * Those of a NUMA node that the calling thread may use; false where they are not known, or none of
 * them is. Processors beyond CPU_SETSIZE are not known.
 */
bool processors_of_node(const char *root, int node, cpu_set_t *set);

/* Bytes of the last-level cache that a processor reaches; 0 where it is not known. */
uint64_t processors_cache_bytes(const char *root);

#endif
