/* backing.c - files of counters in a folder of the user's; the choice between file and memory */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/backing.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "policy/text/number.h"
#include "policy/text/sentence.h"
#include "shim/record/pool.h"
#include "shim/record/signal_shield.h"

void backing_choose(struct backing *backing, const char *wish)
{
	backing->named = wish[0] != '\0';
	backing->away = false;
	backing->place[0] = '\0';
	if (backing->named && wish[0] != '/' && !pool_is_name(wish))
		sink_find_directory(backing->place, sizeof(backing->place));
	const size_t used = strlen(backing->place);
	struct sentence place =
		sentence_start(backing->place + used, sizeof(backing->place) - used);
	sentence_add(&place, wish);
}

enum { BACKING_PATH_BYTES = SINK_PATH_BYTES + 64 };

/* The folder's path, and a name of two numbers in it. */
static void backing_make_path(const char *folder, const char *const piece[3],
                              const uint64_t number[2], char out[BACKING_PATH_BYTES])
{
	char digits[NUMBER_DIGITS_BYTES];
	struct sentence path = sentence_start(out, BACKING_PATH_BYTES);
	sentence_add(&path, folder);
	for (int i = 0; i < 2; i++) {
		sentence_add(&path, piece[i]);
		number_format_count(number[i], digits);
		sentence_add(&path, digits);
	}
	sentence_add(&path, piece[2]);
}

static void backing_name_counters(const char *folder, int64_t pid, int64_t start_ns,
                                  char out[BACKING_PATH_BYTES])
{
	static const char *const piece[] = {"/gpushim-", "-", ".counters"};
	const uint64_t number[] = {(uint64_t)pid, (uint64_t)start_ns};
	backing_make_path(folder, piece, number, out);
}

static int backing_create(const char *path)
{
	return open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
}

/*
 * Allocates all of it before it is mapped: on a full file system that is an error here, but SIGBUS
 * later. A new file reads as zeros.
 */
static int backing_fill(int fd, const struct segment_memory *memory)
{
	struct signal_shield shield;
	int error;
	signal_shield_begin(&shield);
	do
		error = posix_fallocate(fd, 0, (off_t)memory->size_bytes);
	while (error == EINTR);
	errno = EIO;
	if (error == 0 &&
	    pwrite(fd, memory->start, memory->used_bytes, 0) != (ssize_t)memory->used_bytes)
		error = errno;
	signal_shield_end(&shield, error == EFBIG);
	return error;
}

static int backing_make_file(const struct backing *backing, int64_t pid, int64_t start_ns,
                             const struct segment_memory *memory)
{
	/* Static, because a thread's stack may be small; callers take turns. */
	static char path[BACKING_PATH_BYTES];
	backing_name_counters(backing->place, pid, start_ns, path);
	const int fd = backing_create(path);
	int error = fd < 0 ? errno : backing_fill(fd, memory);
	if (error == 0 && mmap(memory->start, memory->size_bytes, PROT_READ | PROT_WRITE,
	                       MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
		error = errno;
	if (fd >= 0)
		close(fd);
	if (fd >= 0 && error != 0)
		unlink(path);
	return error;
}

/* Whoever runs `gpushim top` sees the process even where the pool cannot be used. */
static int backing_join_pool(struct backing *backing, const struct segment_memory *memory)
{
	const char *folder = pool_find_folder(backing->place);
	const int error = pool_join(backing->place, memory);
	if (error == 0)
		return 0;
	segment_show(memory);
	backing->away = folder != NULL && access(folder, W_OK | X_OK) == 0;
	return backing->away ? 0 : error;
}

int backing_show(struct backing *backing, int64_t pid, int64_t start_ns,
                 const struct segment_memory *memory)
{
	if (!backing->named)
		return segment_show(memory);
	if (pool_is_name(backing->place))
		return backing_join_pool(backing, memory);
	return backing_make_file(backing, pid, start_ns, memory);
}

static int backing_write(int fd, const struct segment_memory *memory)
{
	struct signal_shield shield;
	int error = 0;
	signal_shield_begin(&shield);
	errno = EIO;
	if (ftruncate(fd, (off_t)memory->size_bytes) != 0 ||
	    pwrite(fd, memory->start, memory->used_bytes, 0) != (ssize_t)memory->used_bytes)
		error = errno;
	signal_shield_end(&shield, error == EFBIG);
	return error;
}

int backing_leave(const struct backing *backing, int64_t pid, int64_t start_ns,
                  const struct segment_memory *memory)
{
	static char path[BACKING_PATH_BYTES];
	const char *folder = pool_find_folder(backing->place);
	if (folder == NULL)
		return ENOENT;
	backing_name_counters(folder, pid, start_ns, path);
	const int fd = backing_create(path);
	int error = fd < 0 ? errno : backing_write(fd, memory);
	if (fd >= 0 && close(fd) != 0 && error == 0)
		error = errno;
	if (fd >= 0 && error != 0)
		unlink(path);
	return error;
}

/* An empty file; another process of the rank may have made it. */
void backing_note_rank(const char *name, size_t memory_bytes, int rank, int ranks)
{
	static const char *const piece[] = {"/rank-", "-of-", ""};
	static char path[BACKING_PATH_BYTES];
	const uint64_t number[] = {(uint64_t)rank, (uint64_t)ranks};
	const char *folder = pool_find_folder(name);
	if (pool_note_rank(name, memory_bytes, rank, ranks) == 0 || folder == NULL)
		return;
	backing_make_path(folder, piece, number, path);
	const int fd = backing_create(path);
	if (fd >= 0)
		close(fd);
}
