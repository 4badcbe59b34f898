/* hash_parts.h - the copy threads hash operands of the program */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_HASH_PARTS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_HASH_PARTS_H

#include <stdbool.h>
#include <stdint.h>

/* As resident_run_parts has it. Where the program handles SIGSEGV, the caller leaves all parts to
 * the other threads, if there are any: it must not be in a jump's way while they work. */
void hash_parts_run(void (*work)(void *self, uint64_t part), void *self, uint64_t parts);

/* Whether the calling thread can read the memory now, without a signal to a handler. */
bool hash_parts_may_read(const void *memory, uint64_t bytes);

#endif
