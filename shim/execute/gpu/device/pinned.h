/* pinned.h - blocks of the program's memory that are page-locked when the GPU first reads them */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_PINNED_H
#define GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_PINNED_H

#include "shim/execute/gpu/device/lanes.h"

/* Beyond this, the oldest block that is not locked loses its entry. */
enum { PINNED_BLOCKS_MAX = 4096 };

/*
 * gpu_is_ready: whether the GPU takes calls now; until it is set no pages are unlocked. Call once,
 * before all else here.
 */
void pinned_configure(bool (*gpu_is_ready)(void));

/*
 * The program got this block and will call pinned_forget before it is freed: a freed block that
 * stayed locked would not be noticed. Makes no library call, except for older blocks that overlap,
 * which were freed by other means. Fork children note nothing.
 */
void pinned_note(const void *block, size_t size_bytes);

/*
 * The block is about to be freed, and no call uses it: unlocks its pages where they are locked.
 * Unknown blocks and NULL are allowed; fork children and ending processes make no library call. A
 * few loads where nothing is noted.
 */
void pinned_forget(const void *block);

/*
 * The lane's device is about to read this memory: locks the noted block that contains it, once,
 * unless more than half of the machine's memory would be locked. Copies work either way.
 */
void pinned_lock(struct lane *lane, const void *memory, uint64_t size_bytes);

#endif
