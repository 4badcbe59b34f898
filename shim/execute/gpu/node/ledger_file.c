/* ledger_file.c - opens, locks, reads and writes the ledger */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/node/ledger_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "shim/base/clock.h"
#include "shim/base/variables.h"

enum {
	LEDGER_PATH_BYTES = 512,
	LEDGER_FIRST_BYTES = 4096,
	LEDGER_CHUNK_ROWS = 16,
	LEDGER_READINGS = 4,
	LEDGER_PAUSE_NS = 1000000
};

/* The format: a file of another one has no rows that this one reads. */
static const uint32_t ledger_mark = 0x324c7367;

static const char *ledger_folder = "/dev/shm";
static char ledger_path[LEDGER_PATH_BYTES];
static struct stat ledger_status; /* of the file under that name */

_Static_assert(sizeof(struct ledger_row) == 64, "rows do not cross pages");

void ledger_file_set_folder(const char *folder)
{
	ledger_folder = folder;
}

static uint64_t ledger_file_check(const struct ledger_row *row)
{
	const unsigned char *byte = (const unsigned char *)row;
	uint64_t hash = UINT64_C(14695981039346656037);
	for (size_t i = 0; i < offsetof(struct ledger_row, check); i++)
		hash = (hash ^ byte[i]) * UINT64_C(1099511628211);
	return hash;
}

/*
 * /dev/shm is everybody's: what stands there under the name may be another user's file, a link, a
 * pipe, or a second name of a file of this user, which must not be written to.
 */
static int ledger_file_judge(int file)
{
	if (fstat(file, &ledger_status) != 0)
		return errno;
	if (!S_ISREG(ledger_status.st_mode) || ledger_status.st_uid != geteuid() ||
	    ledger_status.st_nlink > 1)
		return EPERM;
	return (ledger_status.st_mode & 07777) == 0600 || fchmod(file, 0600) == 0 ? 0 : errno;
}

/* Beyond the limit of file sizes a write is a signal that ends the program. */
static bool ledger_file_may_grow(off_t end)
{
	struct rlimit limit;
	return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur >= (rlim_t)end;
}

/* A new file has room for some rows at once, so that a full file system shows here. */
static int ledger_file_prepare(int file)
{
	int error = ledger_file_judge(file);
	if (error != 0 || ledger_status.st_size > 0)
		return error;
	error = ledger_file_may_grow(LEDGER_FIRST_BYTES)
	                ? posix_fallocate(file, 0, LEDGER_FIRST_BYTES)
	                : EFBIG;
	if (error != 0)
		unlink(ledger_path);
	return error;
}

enum { LEDGER_FLAGS = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY };

static bool ledger_file_set_path(const char *folder)
{
	const int length =
		snprintf(ledger_path, sizeof ledger_path, "%s/gpushim-%u", folder, geteuid());
	return length >= 0 && length < LEDGER_PATH_BYTES;
}

/* judge: returns an error. */
static int ledger_file_try(const char *folder, int flags, int (*judge)(int file))
{
	if (!ledger_file_set_path(folder))
		return -ENAMETOOLONG;
	const int file = open(ledger_path, LEDGER_FLAGS | flags, 0600);
	if (file < 0)
		return -errno;
	const int error = judge(file);
	if (error == 0)
		return file;
	close(file);
	return -error;
}

/* NULL: there is none. */
static const char *ledger_file_find_folder(int place)
{
	const char *runtime = variables_find("XDG_RUNTIME_DIR");
	if (place == 0)
		return ledger_folder;
	return runtime != NULL && runtime[0] == '/' ? runtime : NULL;
}

/* The error of the first folder is the one that is told. */
int ledger_file_make(void)
{
	int first = 0;
	for (int place = 0; place < LEDGER_FILE_PLACES; place++) {
		const char *folder = ledger_file_find_folder(place);
		const int file = folder != NULL
		                         ? ledger_file_try(folder, O_CREAT, ledger_file_prepare)
		                         : first;
		if (file >= 0)
			return file;
		first = first == 0 ? file : first;
	}
	return first;
}

int ledger_file_find(int place)
{
	const char *folder = ledger_file_find_folder(place);
	return folder != NULL ? ledger_file_try(folder, 0, ledger_file_judge) : -ENOENT;
}

int ledger_file_open(void)
{
	struct stat found;
	const int file = open(ledger_path, LEDGER_FLAGS);
	if (file < 0)
		return -1;
	if (fstat(file, &found) == 0 && found.st_ino == ledger_status.st_ino &&
	    found.st_dev == ledger_status.st_dev)
		return file;
	close(file);
	return -1;
}

void ledger_file_pause(void)
{
	nanosleep(&(struct timespec){0, LEDGER_PAUSE_NS}, NULL);
}

/* A stopped process may hold the lock for ever. */
bool ledger_file_lock(int file, int64_t patience_ns)
{
	const int64_t end_ns = clock_monotonic_ns() + patience_ns;
	while (flock(file, LOCK_EX | LOCK_NB) != 0) {
		if ((errno != EWOULDBLOCK && errno != EINTR) || clock_monotonic_ns() >= end_ns)
			return false;
		ledger_file_pause();
	}
	return true;
}

bool ledger_file_is_removed(int file)
{
	struct stat found;
	return fstat(file, &found) != 0 || found.st_nlink == 0;
}

void ledger_file_remove(void)
{
	unlink(ledger_path);
}

static bool ledger_file_is_valid(const struct ledger_row *row)
{
	return row->mark == ledger_mark && row->check == ledger_file_check(row);
}

/* A row that its process writes anew at this moment may be read by halves. */
static bool ledger_file_reread(int file, struct ledger_row *row, off_t offset)
{
	for (int i = 0; i < LEDGER_READINGS && row->mark == ledger_mark; i++) {
		if (row->check == ledger_file_check(row))
			return true;
		if (pread(file, row, sizeof *row, offset) != (ssize_t)sizeof *row)
			return false;
	}
	return ledger_file_is_valid(row);
}

void ledger_file_visit(int file, ledger_visit *visit, void *self, off_t *end)
{
	struct ledger_row row[LEDGER_CHUNK_ROWS];
	*end = 0;
	while (*end < LEDGER_FILE_ROWS * (off_t)sizeof *row) {
		const ssize_t bytes = pread(file, row, sizeof row, *end);
		const int count = bytes > 0 ? (int)(bytes / (ssize_t)sizeof *row) : 0;
		for (int i = 0; i < count; i++, *end += (off_t)sizeof *row)
			visit(ledger_file_reread(file, &row[i], *end) ? &row[i] : NULL, *end, self);
		if (count < LEDGER_CHUNK_ROWS)
			return;
	}
}

static int ledger_file_put(int file, off_t offset, const struct ledger_row *row)
{
	const off_t end = offset + (off_t)sizeof *row;
	if (end > LEDGER_FILE_ROWS * (off_t)sizeof *row || !ledger_file_may_grow(end))
		return EFBIG;
	const ssize_t bytes = pwrite(file, row, sizeof *row, offset);
	if (bytes < 0)
		return errno;
	return bytes == (ssize_t)sizeof *row ? 0 : ENOSPC;
}

int ledger_file_write(int file, off_t offset, struct ledger_row row)
{
	row.mark = ledger_mark;
	row.check = ledger_file_check(&row);
	return ledger_file_put(file, offset, &row);
}

int ledger_file_clear(int file, off_t offset)
{
	return ledger_file_put(file, offset, &(struct ledger_row){.mark = 0});
}
