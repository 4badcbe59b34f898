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
	backing->place[0] = '\0';
	if (backing->named && wish[0] != '/' && !pool_is_name(wish))
		sink_find_directory(backing->place, sizeof(backing->place));
	const size_t used = strlen(backing->place);
	struct sentence place =
		sentence_start(backing->place + used, sizeof(backing->place) - used);
	sentence_add(&place, wish);
}

enum { BACKING_PATH_BYTES = SINK_PATH_BYTES + 64 };

static void backing_make_path(const struct backing *backing, int64_t pid, int64_t start_ns,
                              char out[BACKING_PATH_BYTES])
{
	char digits[NUMBER_DIGITS_BYTES];
	struct sentence path = sentence_start(out, BACKING_PATH_BYTES);
	sentence_add(&path, backing->place);
	sentence_add(&path, "/gpushim-");
	number_format_count((uint64_t)pid, digits);
	sentence_add(&path, digits);
	sentence_add(&path, "-");
	number_format_count((uint64_t)start_ns, digits);
	sentence_add(&path, digits);
	sentence_add(&path, ".counters");
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
	backing_make_path(backing, pid, start_ns, path);
	const int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
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
static int backing_join_pool(const struct backing *backing, const struct segment_memory *memory)
{
	const int error = pool_join(backing->place, memory);
	if (error != 0)
		segment_show(memory);
	return error;
}

int backing_show(const struct backing *backing, int64_t pid, int64_t start_ns,
                 const struct segment_memory *memory)
{
	if (!backing->named)
		return segment_show(memory);
	if (pool_is_name(backing->place))
		return backing_join_pool(backing, memory);
	return backing_make_file(backing, pid, start_ns, memory);
}
