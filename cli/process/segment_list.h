/* segment_list.h - the segments of shared memory of this user, read without trusting them */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_PROCESS_SEGMENT_LIST_H
#define GPUSHIM_CLI_PROCESS_SEGMENT_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A segment that has no key and ends with the processes that map it. creator: the process that made
 * it, as the kernel says; 0 where it is in a process namespace that the tool does not see. start:
 * of the mapping, to be read by segment_list_copy only.
 */
struct segment_item {
	int id;
	int64_t creator;
	uint64_t size_bytes;
	const char *start;
};

/* Calls visit for each such segment of the user in the tool's IPC namespace. */
void segment_list_visit(void (*visit)(void *context, const struct segment_item *item),
                        void *context);

/*
 * Copies a part of the segment. false where it has no such part or the kernel cannot read it:
 * reading some memory (huge pages, of which none is left) raises SIGBUS, and the kernel's own copy
 * does not.
 */
bool segment_list_copy(const struct segment_item *item, uint64_t offset, void *into, size_t size);

#endif
