/* logfile.h - the log's file: opened, found again when the program closed it, given up when it is full */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_LOGFILE_H
#define GPUSHIM_SHIM_RECORD_LOGFILE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Opens the file named by pattern (sink.h). On failure one sentence to people, and nothing is ever
 * written.
 */
void logfile_open(const char *pattern);

/*
 * Appends whole lines. Any thread; nothing before logfile_open. The first write that fails is told
 * to people in one sentence, and ends the log. Changes errno.
 */
void logfile_write(const char *lines, size_t size);

/* Whether lines are still written. */
bool logfile_works(void);

/* Fork protocol: the caller blocks signals from before to after. */
void logfile_before_fork(void);
void logfile_after_fork_parent(void);
void logfile_after_fork_child(void);

#endif
