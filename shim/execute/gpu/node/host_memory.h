/* host_memory.h - how much memory the machine and this process's control group can still provide */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_NODE_HOST_MEMORY_H
#define GPUSHIM_SHIM_EXECUTE_GPU_NODE_HOST_MEMORY_H

#include <stdint.h>

/*
 * Bytes that can be allocated without swapping and within the limits of the control groups, read
 * from files under root ("" but in tests). Reclaimable file caches count as free.
 */
uint64_t host_memory_available(const char *root);

#endif
