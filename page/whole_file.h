/* whole_file.h - a file that is stored whole or not at all */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_PAGE_WHOLE_FILE_H
#define GPUSHIM_PAGE_WHOLE_FILE_H

#include <stdbool.h>

/*
 * Stores text at path. It is written to a new file beside path first, which then takes path's name.
 * An old file, or the file that a link at path leads to, is replaced and keeps its mode. Without
 * `replaces` there must be no file at path, neither before nor when the new file is complete. If
 * path is not a regular file, the text is written into it directly. Signals that would end the
 * program wait until the file is in place or removed. Returns 0, or the errno of the failure, after
 * which an old file is unchanged.
 */
int whole_file_store(const char *path, const char *text, bool replaces);

/*
 * Whether a file could be stored at path now, as far as can be told without storing: 0, or the
 * errno of the reason.
 */
int whole_file_check(const char *path);

#endif
