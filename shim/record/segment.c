/* segment.c - shared memory without a name: made, and put in the place of other memory */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/segment.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/shm.h>

/*
 * The number of segments is limited for all programs together (4096 by default). The kernel returns
 * the highest index in use, without looking at each segment.
 */
static bool segment_is_scarce(void)
{
	struct shminfo limits = {0};
	const int highest = shmctl(0, IPC_INFO, (struct shmid_ds *)(void *)&limits);
	return highest < 0 || (unsigned long)highest >= limits.shmmni / 2;
}

void *segment_make(size_t size_bytes, int flags, int *id)
{
	errno = ENOSPC;
	if (segment_is_scarce())
		return NULL;
	*id = shmget(IPC_PRIVATE, SEGMENT_BYTES(size_bytes), IPC_CREAT | 0600 | flags);
	if (*id < 0)
		return NULL;
	void *start = shmat(*id, NULL, 0);
	const int error = errno;
	/* Linux lets others attach a segment that is marked for removal. */
	shmctl(*id, IPC_RMID, NULL);
	errno = error;
	return start == (void *)-1 ? NULL : start;
}

/* A page that holds zeros only is not written, so that it takes no memory. */
static void segment_copy(void *to, const struct segment_memory *memory)
{
	const uint64_t *from = memory->start;
	volatile uint64_t *into = to;
	for (size_t i = 0; i < (memory->used_bytes + 7) / 8; i++)
		if (from[i] != 0)
			into[i] = from[i];
}

int segment_place(void *from, const struct segment_memory *memory)
{
	const size_t size_bytes = SEGMENT_BYTES(memory->size_bytes);
	segment_copy(from, memory);
	const void *moved =
		mremap(from, size_bytes, size_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, memory->start);
	return moved == MAP_FAILED ? errno : 0;
}

int segment_show(const struct segment_memory *memory)
{
	int id = -1;
	void *start = segment_make(SEGMENT_BYTES(memory->size_bytes), 0, &id);
	if (start == NULL)
		return errno;
	const int error = segment_place(start, memory);
	if (error != 0)
		munmap(start, SEGMENT_BYTES(memory->size_bytes));
	return error;
}
