/* segment_list.c - lists segments of shared memory, and copies from them by way of a pipe */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/process/segment_list.h"

#include <fcntl.h>
#include <sys/shm.h>
#include <unistd.h>

enum { LIST_STEP_BYTES = 4096 };

static bool segment_list_is_private(const struct shmid_ds *status)
{
	const struct ipc_perm *owner = &status->shm_perm;
	return owner->__key == IPC_PRIVATE && owner->uid == geteuid() && owner->cuid == geteuid() &&
	       (owner->mode & 0777) == 0600;
}

static bool segment_list_ends_with_processes(const struct shmid_ds *status)
{
	return segment_list_is_private(status) && (status->shm_perm.mode & SHM_DEST) != 0;
}

static void segment_list_visit_one(int id, const struct shmid_ds *status,
                                   void (*visit)(void *context, const struct segment_item *item),
                                   void *context)
{
	const struct segment_item item = {.id = id,
	                                  .creator = status->shm_cpid,
	                                  .size_bytes = status->shm_segsz,
	                                  .start = shmat(id, NULL, SHM_RDONLY)};
	if (item.start == (const char *)-1)
		return;
	visit(context, &item);
	shmdt(item.start);
}

/* Entries of other users cannot be read, and are passed over. */
void segment_list_visit(void (*visit)(void *context, const struct segment_item *item),
                        void *context)
{
	struct shm_info all;
	const int highest = shmctl(0, SHM_INFO, (struct shmid_ds *)(void *)&all);
	for (int i = 0; i <= highest; i++) {
		struct shmid_ds status;
		const int id = shmctl(i, SHM_STAT, &status);
		if (id >= 0 && segment_list_ends_with_processes(&status))
			segment_list_visit_one(id, &status, visit, context);
	}
}

static bool segment_list_pass(const int pipe[2], const char *from, char *into, size_t size)
{
	for (size_t done = 0; done < size;) {
		const size_t left = size - done;
		const size_t step = left < LIST_STEP_BYTES ? left : LIST_STEP_BYTES;
		const ssize_t written = write(pipe[1], from + done, step);
		if (written <= 0 || read(pipe[0], into + done, (size_t)written) != written)
			return false;
		done += (size_t)written;
	}
	return true;
}

bool segment_list_copy(const struct segment_item *item, uint64_t offset, void *into, size_t size)
{
	int pipe[2];
	if (offset > item->size_bytes || size > item->size_bytes - offset ||
	    pipe2(pipe, O_CLOEXEC | O_NONBLOCK) != 0)
		return false;
	const bool whole = segment_list_pass(pipe, item->start + offset, into, size);
	close(pipe[0]);
	close(pipe[1]);
	return whole;
}
