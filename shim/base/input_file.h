/* input_file.h - opens a file that is only read, whatever stands under its name */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_BASE_INPUT_FILE_H
#define GPUSHIM_SHIM_BASE_INPUT_FILE_H

#include <stdbool.h>
#include <sys/stat.h>

/* Where an errno is expected: there is something else than a regular file. Above every errno. */
enum { INPUT_FILE_IRREGULAR = 1 << 16 };

/*
 * Opens a regular file for reading, closed on exec. Never waits: folders, FIFOs, sockets and
 * devices are not opened, and a file of /proc that would wait returns EAGAIN. Returns the
 * descriptor and fills status, or returns the error negated; status->st_mode is then 0 if it is not
 * known whether there is a file.
 */
int input_file_open(const char *path, struct stat *status);

/* Words for such an error, not negated; in English, static. */
const char *input_file_describe(int error);

/*
 * NULL if only this user and root can have written the file, else the reason in words. A group may
 * write to it where it has the owner's number: that is the owner's private group.
 */
const char *input_file_find_distrust(const struct stat *status);

#endif
