/* pinned.h - blocks of the program's memory that are page-locked once the GPU reads them */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_PINNED_H
#define GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_PINNED_H

#include "shim/execute/gpu/device/lanes.h"

/* Where more blocks are noted, the oldest that is not locked gives up its place. */
enum { PINNED_BLOCKS_MAX = 4096 };

/*
 * gpu_is_ready: whether the GPU takes calls now, asked before pages are unlocked. Call once, before
 * anything else here; until then nothing is unlocked.
 */
void pinned_configure(bool (*gpu_is_ready)(void));

/*
 * The program got this block and will give it back by pinned_forget before it is freed: what is
 * locked behind the system's back is not seen to change. Takes no library call, except for older
 * blocks that the new one overlaps: those were freed by other means. In a fork child nothing is
 * noted.
 */
void pinned_note(const void *block, size_t size_bytes);

/*
 * The block is about to be freed, and no call is using it: unlocks its pages where they were
 * locked. Unknown blocks and NULL are harmless; fork children and an ending process make no library
 * call. A few loads where nothing is noted.
 */
void pinned_forget(const void *block);

/*
 * Memory that the lane's device is about to read: the noted block that holds all of it is locked,
 * once, unless that were more than half of the machine's memory in all. Whether it could makes no
 * difference to what a copy does.
 */
void pinned_lock(struct lane *lane, const void *memory, uint64_t size_bytes);

#endif
