/* host_memory.h - how much memory the machine, and this process's control group, could still give */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_NODE_HOST_MEMORY_H
#define GPUSHIM_SHIM_EXECUTE_GPU_NODE_HOST_MEMORY_H

#include <stdint.h>

/*
 * Bytes that could be taken without swapping or breaking the limit of a control group, by the files
 * that stand under root ("" but in tests). Caches of files that the system would give up count as
 * free. Reads a few files.
 */
uint64_t host_memory_available(const char *root);

#endif
