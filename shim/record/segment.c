/* segment.c - shared memory without a name: made, and put in the place of other memory */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/segment.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SEGMENT_ATTEMPTS = 8 };

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

/*
 * A process that is killed before it marked its segment for removal leaves it behind, but under
 * this key: the next process of the user removes it. A marked segment has no key any more.
 */
static key_t segment_key(size_t size_bytes)
{
	const uint32_t size = (uint32_t)(size_bytes / SEGMENT_GRAIN);
	const uint32_t key = 0x67705368u ^ (geteuid() * 2654435761u) ^ (size << 8);
	return key == (uint32_t)IPC_PRIVATE ? 1 : (key_t)key;
}

/* Whether its creator is dead and never marked this segment of the user. Nobody maps it. */
static bool segment_is_lost(const struct shmid_ds *status)
{
	const struct ipc_perm *owner = &status->shm_perm;
	return owner->__key == segment_key(status->shm_segsz) && owner->uid == geteuid() &&
	       owner->cuid == geteuid() && (owner->mode & (0777 | SHM_DEST)) == 0600 &&
	       status->shm_nattch == 0 && status->shm_cpid > 0 && kill(status->shm_cpid, 0) != 0 &&
	       errno == ESRCH;
}

static void segment_remove_lost(key_t key)
{
	struct shmid_ds status;
	const int id = shmget(key, 0, 0);
	if (id >= 0 && shmctl(id, IPC_STAT, &status) == 0 && segment_is_lost(&status))
		shmctl(id, IPC_RMID, NULL);
}

/*
 * Where another process of the user makes its segment at the same time, the key is in use for some
 * microseconds. Where that lasts, the segment has no key.
 */
static int segment_get(size_t size_bytes, int flags)
{
	const key_t key = segment_key(size_bytes);
	const int all_flags = IPC_CREAT | IPC_EXCL | 0600 | flags;
	for (int attempt = 0; attempt < SEGMENT_ATTEMPTS; attempt++) {
		const int id = shmget(key, size_bytes, all_flags);
		if (id >= 0 || errno != EEXIST)
			return id;
		segment_remove_lost(key);
	}
	return shmget(IPC_PRIVATE, size_bytes, all_flags);
}

void *segment_make(size_t wanted_bytes, int flags, int *id)
{
	const size_t size_bytes = SEGMENT_BYTES(wanted_bytes);
	errno = ENOSPC;
	if (segment_is_scarce())
		return NULL;
	*id = segment_get(size_bytes, flags);
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

/*
 * Not libc's mremap: UCX, on which MPICH and Open MPI are built, overwrites the first instructions
 * of that by a jump to a function that drops the last argument.
 */
int segment_place(void *from, const struct segment_memory *memory)
{
	const size_t size_bytes = SEGMENT_BYTES(memory->size_bytes);
	segment_copy(from, memory);
	const long moved = syscall(SYS_mremap, from, size_bytes, size_bytes,
	                           MREMAP_MAYMOVE | MREMAP_FIXED, memory->start);
	return moved == -1 ? errno : 0;
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
