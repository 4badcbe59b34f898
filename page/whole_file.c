/* whole_file.c - writes a file beside the old one, which it then replaces */
/* SPDX-License-Identifier: Apache-2.0 */
#include "page/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WHOLE_FILE_MODE = 0666, WHOLE_FILE_MODE_BITS = 0777 };

struct whole_file_signals {
	sigset_t held;
	struct sigaction too_large;
};

/* SIGXFSZ is ignored: a file beyond RLIMIT_FSIZE is an error like a full disk. */
static void whole_file_hold_signals(struct whole_file_signals *before)
{
	static const int ends[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
	const struct sigaction ignore = {.sa_handler = SIG_IGN};
	sigset_t held;
	sigemptyset(&held);
	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
		sigaddset(&held, ends[i]);
	sigprocmask(SIG_BLOCK, &held, &before->held);
	sigaction(SIGXFSZ, &ignore, &before->too_large);
}

static void whole_file_release_signals(const struct whole_file_signals *before)
{
	sigaction(SIGXFSZ, &before->too_large, NULL);
	sigprocmask(SIG_SETMASK, &before->held, NULL);
}

static int whole_file_write_text(int fd, const char *text)
{
	for (size_t left = strlen(text); left > 0;) {
		const ssize_t count = write(fd, text, left);
		if (count < 0 && errno == EINTR)
			continue;
		if (count < 0)
			return errno;
		text += count;
		left -= (size_t)count;
	}
	return 0;
}

/* Writes the text and closes the file. */
static int whole_file_fill(int fd, const char *text)
{
	const int error = whole_file_write_text(fd, text);
	return close(fd) != 0 && error == 0 ? errno : error;
}

/*
 * Gives the file its name. Where it must not replace another file, a hard link takes the name,
 * which fails if another file has it. On a file system without hard links the file is renamed.
 */
static bool whole_file_name(const char *beside, const char *path, bool replaces)
{
	if (replaces)
		return rename(beside, path) == 0;
	if (link(beside, path) == 0) {
		unlink(beside);
		return true;
	}
	return (errno == EPERM || errno == EOPNOTSUPP) && rename(beside, path) == 0;
}

static int whole_file_replace(const char *path, const char *text, mode_t mode, bool replaces)
{
	char beside[PATH_MAX];
	if (snprintf(beside, sizeof beside, "%s.XXXXXX", path) >= (int)sizeof beside)
		return ENAMETOOLONG;
	const int fd = mkostemp(beside, O_CLOEXEC);
	if (fd < 0)
		return errno;
	int error = fchmod(fd, mode) == 0 ? 0 : errno;
	const int filled = whole_file_fill(fd, text);
	if (error == 0)
		error = filled;
	if (error == 0 && !whole_file_name(beside, path, replaces))
		error = errno;
	if (error != 0)
		unlink(beside);
	return error;
}

/* A pipe, a terminal or the like. A pipe that nobody reads is an error, and not waited for. */
static int whole_file_write_to(const char *path, const char *text)
{
	const int fd = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return errno;
	const int flags = fcntl(fd, F_GETFL);
	if (flags >= 0)
		fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
	return whole_file_fill(fd, text);
}

int whole_file_store(const char *path, const char *text, bool replaces)
{
	char target[PATH_MAX];
	struct whole_file_signals before;
	struct stat old;
	const bool found = stat(path, &old) == 0;
	if (found && !replaces)
		return EEXIST;
	if (found && !S_ISREG(old.st_mode)) {
		return whole_file_write_to(path, text);
	}
	const mode_t mask = umask(0);
	umask(mask);
	const mode_t mode = found ? old.st_mode & WHOLE_FILE_MODE_BITS : WHOLE_FILE_MODE & ~mask;
	const char *place = found && realpath(path, target) != NULL ? target : path;
	whole_file_hold_signals(&before);
	const int error = whole_file_replace(place, text, mode, replaces);
	whole_file_release_signals(&before);
	return error;
}

int whole_file_check(const char *path)
{
	char folder[PATH_MAX];
	struct stat old;
	const bool found = stat(path, &old) == 0;
	if (path[0] == '\0' || (!found && errno != ENOENT))
		return errno;
	if (found && S_ISDIR(old.st_mode))
		return EISDIR;
	if (found && access(path, W_OK) != 0)
		return errno;
	if (found && !S_ISREG(old.st_mode))
		return 0;
	if (!(found && realpath(path, folder) != NULL) &&
	    snprintf(folder, sizeof folder, "%s", path) >= (int)sizeof folder)
		return ENAMETOOLONG;
	return access(dirname(folder), W_OK | X_OK) == 0 ? 0 : errno;
}
