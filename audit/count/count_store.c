/* count_store.c - maps a file in place of private counts, so that they survive the process */
/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/count/count_store.h"

#include <errno.h>
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { STORE_PATH_BYTES = 512 };

struct count_file count_store;

static const char *store_folder;
static bool store_is_open;

bool count_store_prepare(void)
{
	const char *large = getenv(COUNT_LARGE_VARIABLE);
	store_folder = getenv(COUNT_FOLDER_VARIABLE);
	memcpy(count_store.magic, COUNT_MAGIC, sizeof count_store.magic);
	count_store.version = COUNT_VERSION;
	clock_open();
	count_store.start_realtime_ns = clock_realtime_ns();
	count_store.start = count_clock_read();
	count_store.ticks_are_ns = clock_lacks_counter;
	count_store.large_bytes = large != NULL ? strtoull(large, NULL, 10) : UINT64_MAX;
	snprintf(count_store.libc, sizeof count_store.libc, "%s", gnu_get_libc_version());
	return store_folder != NULL && store_folder[0] == '/';
}

/*
 * Allocates the whole file: on a full file system a later write through the mapping would be
 * SIGBUS.
 */
static int count_store_fill(int fd)
{
	struct rlimit limit;
	/* Writing beyond the limit raises SIGXFSZ, which would end the program. */
	if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < sizeof count_store)
		return EFBIG;
	const int error = posix_fallocate(fd, 0, sizeof count_store);
	if (error != 0)
		return error;
	if (pwrite(fd, &count_store, sizeof count_store, 0) != (ssize_t)sizeof count_store)
		return errno != 0 ? errno : EIO;
	const int flags = MAP_SHARED | MAP_FIXED;
	if (mmap(&count_store, sizeof count_store, PROT_READ | PROT_WRITE, flags, fd, 0) ==
	    MAP_FAILED)
		return errno;
	return 0;
}

static void count_store_complain(int error)
{
	char line[256];
	const int length = snprintf(line, sizeof line,
	                            "gpushim: cannot make the file of counts: %s; "
	                            "the calls of process %d are not reported\n",
	                            strerror(error), (int)getpid());
	/* A closed stderr is no error here. */
	if (write(STDERR_FILENO, line, (size_t)length) < 0)
		return;
}

void count_store_open(void)
{
	char path[STORE_PATH_BYTES];
	const int saved_errno = errno;
	if (store_is_open)
		return;
	store_is_open = true;
	count_store.pid = getpid();
	snprintf(path, sizeof path, "%s/gpushim-%d-%lld.coverage", store_folder,
	         (int)count_store.pid, (long long)count_store.start_realtime_ns);
	const int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	const int error = fd < 0 ? errno : count_store_fill(fd);
	/*
	 * An empty file stays: from it the tool knows that counts are missing. Where the folder has
	 * been removed, there is no file either.
	 */
	if (error != 0 && fd >= 0 && ftruncate(fd, 0) != 0)
		unlink(path);
	if (fd >= 0)
		close(fd);
	if (error != 0 && error != ENOENT)
		count_store_complain(error);
	errno = saved_errno;
}

static int count_store_add(_Atomic uint32_t *count, uint32_t limit)
{
	const uint32_t index = atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
	return index < limit ? (int)index : -1;
}

int count_store_add_cell(void)
{
	return count_store_add(&count_store.cell_count, COUNT_CELLS);
}

int count_store_add_object(void)
{
	return count_store_add(&count_store.object_count, COUNT_OBJECTS);
}
