/* file_buffer.h - a file that the tool writes: collected in memory, stored whole or not at all */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMMON_FILE_BUFFER_H
#define GPUSHIM_CLI_COMMON_FILE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* file: the stream to print into. text and size_bytes are for the functions below. */
struct file_buffer {
	FILE *file;
	char *text;
	size_t size_bytes;
};

void file_buffer_begin(struct file_buffer *store);

/*
 * Stores what was printed as whole_file_store does, and releases it in any case. Returns 0, or the
 * errno of the failure.
 */
int file_buffer_end(struct file_buffer *store, const char *path, bool replaces);

#endif
