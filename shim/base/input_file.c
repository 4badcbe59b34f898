/* input_file.c - asks what a name stands for, opens it, and asks again */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/base/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* The first question, because opening alone may change a device; the second, because of races. */
int input_file_open(const char *path, struct stat *status)
{
	if (stat(path, status) != 0) {
		status->st_mode = 0;
		return -errno;
	}
	if (!S_ISREG(status->st_mode))
		return -INPUT_FILE_IRREGULAR;
	const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return -errno;
	int error = 0;
	if (fstat(fd, status) != 0)
		error = errno;
	else if (!S_ISREG(status->st_mode))
		error = INPUT_FILE_IRREGULAR;
	if (error == 0)
		return fd;
	close(fd);
	return -error;
}

/* strerror would allocate and translate. */
const char *input_file_describe(int error)
{
	if (error == INPUT_FILE_IRREGULAR)
		return "not a regular file";
	const char *words = strerrordesc_np(error);
	return words != NULL ? words : "unknown error";
}

const char *input_file_find_distrust(const struct stat *status)
{
	if (status->st_uid != 0 && status->st_uid != geteuid())
		return "the file belongs to another user";
	if ((status->st_mode & S_IWOTH) != 0 ||
	    ((status->st_mode & S_IWGRP) != 0 && status->st_gid != status->st_uid))
		return "other users can write to the file (chmod go-w)";
	return NULL;
}
