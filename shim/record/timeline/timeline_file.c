/* timeline_file.c - opens, locks and writes the trace's file */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/timeline/timeline_file.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/options/options.h"
#include "shim/base/diag.h"
#include "shim/record/sink.h"

/*
 * size_bytes: of the whole lines in a regular file. device and inode identify the file, in case the
 * program closed the descriptor and its number is another file's now.
 */
static struct {
	char pattern[OPTION_TEXT_BYTES], directory[SINK_PATH_BYTES];
	int fd;
	bool begun, stopped, regular;
	dev_t device;
	ino_t inode;
	off_t size_bytes;
} timeline_file = {.fd = -1};

void timeline_file_name(const char *pattern)
{
	const size_t length = strnlen(pattern, sizeof timeline_file.pattern - 1);
	memcpy(timeline_file.pattern, pattern, length);
	timeline_file.pattern[length] = '\0';
	sink_find_directory(timeline_file.directory, sizeof timeline_file.directory);
}

static bool timeline_file_is_ours(void)
{
	struct stat status;
	return timeline_file.fd >= 0 && fstat(timeline_file.fd, &status) == 0 &&
	       status.st_dev == timeline_file.device && status.st_ino == timeline_file.inode;
}

static bool timeline_file_stop(const char *what, int error)
{
	if (!timeline_file.stopped)
		diag_warn("cannot %s the trace '%s': %s; nothing more is traced", what,
		          timeline_file.pattern, sink_describe_error(error));
	timeline_file.stopped = true;
	return false;
}

/*
 * The file is one JSON array, so one process writes it; the lock lasts as long as the descriptor.
 * Where the file system has no locks it is written without.
 */
static bool timeline_file_lock(int fd)
{
	if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
		return true;
	diag_warn("another process is writing the trace '%s'; this one is not traced; %s in the "
	          "name gives each its own",
	          timeline_file.pattern, "%p");
	timeline_file.stopped = true;
	return false;
}

/* again: the program closed the descriptor; what was written is kept. */
static bool timeline_file_open(bool again)
{
	char path[SINK_PATH_BYTES];
	struct stat status;
	const int fd = sink_make_path(timeline_file.directory, timeline_file.pattern, path)
	                       ? sink_open(path)
	                       : -ENAMETOOLONG;
	if (fd < 0)
		return timeline_file_stop("open", -fd);
	timeline_file.fd = fd;
	if (fstat(fd, &status) != 0)
		return timeline_file_stop("open", errno);
	timeline_file.device = status.st_dev;
	timeline_file.inode = status.st_ino;
	timeline_file.regular = S_ISREG(status.st_mode);
	if (!timeline_file.regular)
		return true;
	if (!timeline_file_lock(fd))
		return false;
	timeline_file.size_bytes = again ? status.st_size : 0;
	return again || ftruncate(fd, 0) == 0 || timeline_file_stop("open", errno);
}

bool timeline_file_write(const char *lines, size_t size)
{
	if (timeline_file.stopped)
		return false;
	if (!timeline_file_is_ours() && !timeline_file_open(timeline_file.begun))
		return false;
	const int error = sink_write(timeline_file.fd, lines, size);
	if (error != 0) {
		/* A line of which a part was written would end the file for its readers. */
		if (timeline_file.regular &&
		    ftruncate(timeline_file.fd, timeline_file.size_bytes) != 0)
			return timeline_file_stop("write and shorten", error);
		return timeline_file_stop("write", error);
	}
	timeline_file.size_bytes += (off_t)size;
	timeline_file.begun = true;
	return true;
}

bool timeline_file_begun(void)
{
	return timeline_file.begun;
}

void timeline_file_close(void)
{
	if (timeline_file_is_ours())
		close(timeline_file.fd);
	timeline_file.fd = -1;
	timeline_file.stopped = true;
}

bool timeline_file_leave(void)
{
	if (timeline_file_is_ours())
		close(timeline_file.fd);
	timeline_file.fd = -1;
	timeline_file.begun = false;
	timeline_file.stopped = !sink_names_process(timeline_file.pattern);
	return !timeline_file.stopped;
}
