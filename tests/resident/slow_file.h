/* slow_file.h - a file whose reads wait until they are let go: FUSE, spoken without its library */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_RESIDENT_SLOW_FILE_H
#define GPUSHIM_TESTS_RESIDENT_SLOW_FILE_H

#include <stddef.h>

enum { SLOW_FILE_BYTE = 0x5a };

/* Mounts it in a namespace of its own; returns the file's path, or NULL and why. */
const char *slow_file_open(const char **why);

/*
 * Reads bytes of SLOW_FILE_BYTE straight into the memory, in a thread. Returns when the kernel has
 * pinned the memory and the read is under way; slow_file_end lets it go, and waits for its end.
 */
void slow_file_begin(char *memory, size_t bytes);
void slow_file_end(void);

void slow_file_close(void);

#endif
