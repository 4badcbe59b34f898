/* backing.c - makes the counters' file, which outlives a killed process */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/backing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/options/options.h"
#include "policy/text/number.h"
#include "policy/text/sentence.h"
#include "shim/record/signal_shield.h"

static bool backing_is_folder(const char *path)
{
	struct stat status;
	return path != NULL && path[0] == '/' && strlen(path) < OPTION_TEXT_BYTES &&
	       stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

void backing_choose_folder(struct backing *backing, const char *wish)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");
	backing->kept = wish[0] != '\0';
	backing->folder[0] = '\0';
	if (backing->kept && wish[0] != '/')
		sink_find_directory(backing->folder, sizeof(backing->folder));
	const size_t used = strlen(backing->folder);
	struct sentence folder =
		sentence_start(backing->folder + used, sizeof(backing->folder) - used);
	if (backing->kept)
		sentence_add(&folder, wish);
	else
		sentence_add(&folder, backing_is_folder(runtime) ? runtime : "/dev/shm");
}

static void backing_make_path(struct backing *backing, int64_t pid, int64_t start_ns)
{
	char digits[NUMBER_DIGITS_BYTES];
	struct sentence path = sentence_start(backing->path, sizeof(backing->path));
	sentence_add(&path, backing->folder);
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
static int backing_fill(int fd, const struct backing_memory *memory)
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

int backing_make_file(struct backing *backing, int64_t pid, int64_t start_ns,
                      const struct backing_memory *memory)
{
	backing_make_path(backing, pid, start_ns);
	const int fd =
		open(backing->path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	int error = fd < 0 ? errno : backing_fill(fd, memory);
	if (error == 0 && mmap(memory->start, memory->size_bytes, PROT_READ | PROT_WRITE,
	                       MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
		error = errno;
	if (fd >= 0)
		close(fd);
	if (fd >= 0 && error != 0)
		unlink(backing->path);
	if (error != 0)
		backing->path[0] = '\0';
	return error;
}
