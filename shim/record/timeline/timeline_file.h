/* timeline_file.h - the trace's file: a JSON array, written by one process */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_TIMELINE_TIMELINE_FILE_H
#define GPUSHIM_SHIM_RECORD_TIMELINE_TIMELINE_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Keeps the file's name. For all of these the caller excludes other threads. */
void timeline_file_name(const char *pattern);

/*
 * Appends whole lines; the first ones open the file and replace what is there. Returns false after
 * a failure, now or before, which was reported once. Earlier lines stay readable: no part of these
 * is left behind them.
 */
bool timeline_file_write(const char *lines, size_t size);

/* Whether anything was written. */
bool timeline_file_begun(void);

/* Closes the file. */
void timeline_file_close(void);

/*
 * In a fork child: leaves the file to the parent. Returns whether the child's has another name, so
 * that it may write one.
 */
bool timeline_file_leave(void);

#endif
