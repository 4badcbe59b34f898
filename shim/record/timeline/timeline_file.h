/* timeline_file.h - the trace's file: an array of JSON, one process's alone */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_TIMELINE_TIMELINE_FILE_H
#define GPUSHIM_SHIM_RECORD_TIMELINE_TIMELINE_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Notes where the file is to be. The caller of all of these keeps other threads out. */
void timeline_file_name(const char *pattern);

/*
 * Appends whole lines; the first ones open the file, replacing what is there. false: that failed,
 * now or before, which was told to people in one sentence. What was there before stays readable: no
 * part of these lines is left in it.
 */
bool timeline_file_write(const char *lines, size_t size);

/* Whether anything was written. */
bool timeline_file_begun(void);

/* Closes the file. */
void timeline_file_close(void);

/*
 * In a fork child the file is the parent's. Whether the child's name is another one, so that it may
 * have its own.
 */
bool timeline_file_leave(void);

#endif
