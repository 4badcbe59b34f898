/* whole_file.h - a file that is stored whole or not at all */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_PAGE_WHOLE_FILE_H
#define GPUSHIM_PAGE_WHOLE_FILE_H

#include <stdbool.h>

/*
 * Stores text at path: beside it first, under a name of its own, which becomes path when all of it
 * is there. An old file, or the one that path is a link to, is replaced and keeps its mode; without
 * replaces nothing may be there, then or when the new file is whole. Into anything but a regular
 * file the text goes directly. What would end the program waits until all is in its place or
 * nothing is left behind. 0, or the errno of what failed, with an old file as it was.
 */
int whole_file_store(const char *path, const char *text, bool replaces);

/*
 * Whether a file could be stored there now, so far as that can be told without doing it: 0, or the
 * errno of why not.
 */
int whole_file_check(const char *path);

#endif
