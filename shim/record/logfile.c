/* logfile.c - the descriptor of the log's file and its errors */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/logfile.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/options/options.h"
#include "shim/base/diag.h"
#include "shim/record/format.h"
#include "shim/record/head.h"
#include "shim/record/signal_shield.h"
#include "shim/record/sink.h"

/*
 * All but the lock is written before opened is set; the lock serializes opening only. device and
 * inode identify the file, in case the program closed the descriptor and its number is another
 * file's now.
 */
static struct {
	pthread_mutex_t lock;
	atomic_bool opened, stopped;
	atomic_bool stalled, torn; /* a pipe was full once; its last line was cut off */
	atomic_bool lacks_head;    /* no line of this process has the head */
	atomic_int fd;
	_Atomic uint64_t device, inode;
	char directory[SINK_PATH_BYTES], pattern[OPTION_TEXT_BYTES], head[HEAD_BYTES];
} logfile = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool logfile_is_ours(int fd)
{
	struct stat status;
	return fd >= 0 && fstat(fd, &status) == 0 &&
	       status.st_dev == atomic_load(&logfile.device) &&
	       status.st_ino == atomic_load(&logfile.inode);
}

static void logfile_stop(const char *what, int error)
{
	if (!atomic_exchange(&logfile.stopped, true))
		diag_warn("cannot %s the log '%s': %s; nothing more is recorded", what,
		          logfile.pattern, sink_describe_error(error));
}

/* Under the lock. Returns the descriptor or -1. */
static int logfile_open_file(void)
{
	char path[SINK_PATH_BYTES];
	struct stat status;
	int fd = atomic_load(&logfile.fd);
	if (logfile_is_ours(fd))
		return fd;
	fd = sink_make_path(logfile.directory, logfile.pattern, path) ? sink_open(path)
	                                                              : -ENAMETOOLONG;
	if (fd >= 0 && fstat(fd, &status) == 0) {
		atomic_store(&logfile.device, (uint64_t)status.st_dev);
		atomic_store(&logfile.inode, (uint64_t)status.st_ino);
		atomic_store(&logfile.fd, fd);
		return fd;
	}
	logfile_stop("open", fd < 0 ? -fd : errno);
	return -1;
}

static int logfile_find(void)
{
	struct signal_shield shield;
	int fd = atomic_load(&logfile.fd);
	if (logfile_is_ours(fd))
		return fd;
	signal_shield_all(&shield);
	pthread_mutex_lock(&logfile.lock);
	fd = atomic_load(&logfile.stopped) ? -1 : logfile_open_file();
	pthread_mutex_unlock(&logfile.lock);
	signal_shield_restore(&shield);
	return fd;
}

void logfile_set_head(const char *head)
{
	strcpy(logfile.head, head);
}

void logfile_open(const char *pattern)
{
	const size_t length = strnlen(pattern, sizeof(logfile.pattern) - 1);
	memcpy(logfile.pattern, pattern, length);
	logfile.pattern[length] = '\0';
	sink_find_directory(logfile.directory, sizeof(logfile.directory));
	atomic_store(&logfile.fd, -1);
	atomic_store(&logfile.lacks_head, logfile.head[0] != '\0');
	atomic_store(&logfile.stopped, false);
	atomic_store(&logfile.opened, true);
	logfile_find();
}

bool logfile_works(void)
{
	return atomic_load_explicit(&logfile.opened, memory_order_acquire) &&
	       !atomic_load_explicit(&logfile.stopped, memory_order_relaxed);
}

/* The log's reader does not read. The next lines are tried, but no longer waited for. */
static void logfile_stall(void)
{
	if (!atomic_exchange(&logfile.stalled, true))
		diag_warn("the reader of the log '%s' does not read; while the pipe is full, "
		          "lines are left out",
		          logfile.pattern);
}

static int logfile_try(int fd, const char *text, size_t size)
{
	size_t done;
	const int patience_ms = atomic_load(&logfile.stalled) ? 0 : SINK_PATIENCE_MS;
	const int error = sink_write_for(fd, text, size, patience_ms, &done);
	if (error == EAGAIN && done > 0)
		atomic_store(&logfile.torn, true);
	return error;
}

/* A line that was cut off is ended before others follow. */
static int logfile_end_torn(int fd)
{
	if (!atomic_exchange(&logfile.torn, false))
		return 0;
	const int error = logfile_try(fd, "\n", 1);
	if (error != 0)
		atomic_store(&logfile.torn, true);
	return error;
}

/*
 * Writes the first of the lines with the head, and returns its size; 0 if another thread does so,
 * or after an error, where the next line will have the head. One thread at a time uses the buffer.
 */
static size_t logfile_write_head(int fd, const char *lines, size_t size, int *error)
{
	static char line[HEAD_BYTES + FORMAT_LINE_BYTES];
	const char *newline = memchr(lines, '\n', size);
	const size_t first = newline != NULL ? (size_t)(newline + 1 - lines) : size;
	if (!atomic_exchange(&logfile.lacks_head, false))
		return 0;
	const size_t headed = head_insert(logfile.head, lines, first, line, sizeof line);
	if (headed > 0)
		*error = logfile_try(fd, line, headed);
	if (*error != 0)
		atomic_store(&logfile.lacks_head, true);
	return headed > 0 && *error == 0 ? first : 0;
}

/* One write(2), but for the first line of a process. */
static int logfile_append(int fd, const char *lines, size_t size)
{
	int error = logfile_end_torn(fd);
	size_t done = 0;
	if (error == 0 && atomic_load_explicit(&logfile.lacks_head, memory_order_relaxed))
		done = logfile_write_head(fd, lines, size, &error);
	return error == 0 && done < size ? logfile_try(fd, lines + done, size - done) : error;
}

void logfile_write(const char *lines, size_t size)
{
	if (!logfile_works())
		return;
	const int fd = logfile_find();
	const int error = fd >= 0 ? logfile_append(fd, lines, size) : 0;
	if (error == EAGAIN)
		logfile_stall();
	else if (error != 0)
		logfile_stop("write", error);
}

void logfile_before_fork(void)
{
	pthread_mutex_lock(&logfile.lock);
}

void logfile_after_fork_parent(void)
{
	pthread_mutex_unlock(&logfile.lock);
}

void logfile_renew(void)
{
	logfile.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

/* The child's own file is opened at its first line: most children only call exec. */
void logfile_after_fork_child(void)
{
	atomic_store(&logfile.lacks_head, logfile.head[0] != '\0');
	if (sink_names_process(logfile.pattern)) {
		const int fd = atomic_exchange(&logfile.fd, -1);
		if (logfile_is_ours(fd))
			close(fd);
	}
	pthread_mutex_unlock(&logfile.lock);
}
