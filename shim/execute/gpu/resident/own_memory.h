/* own_memory.h - whether this process's memory is still that of the process that marked it */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_OWN_MEMORY_H
#define GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_OWN_MEMORY_H

#include <stdbool.h>

/* By a page that the kernel zeroes in a forked child. False: there is none, or no memory. */
bool own_memory_mark(void);
void own_memory_forget(void);

/* Whether this process, or one that it was forked from, has marked. */
bool own_memory_is_marked(void);
/* Whether this process has: a child has other memory, and its descriptors track the parent's. */
bool own_memory_is_same(void);

#endif
