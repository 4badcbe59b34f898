/* logfile.h - the log's file: opened, reopened if the program closed it, given up on an error */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_LOGFILE_H
#define GPUSHIM_SHIM_RECORD_LOGFILE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * What is inserted into the first line of this process, and of each fork child (head.h); empty:
 * nothing. Before logfile_open.
 */
void logfile_set_head(const char *head);

/*
 * Opens the file named by pattern (sink.h). After a failure, which is reported once, nothing is
 * written.
 */
void logfile_open(const char *pattern);

/*
 * Appends whole lines, from any thread; does nothing before logfile_open. The first write that
 * fails is reported, and ends the log; but of a full pipe lines are left out, after one wait of
 * SINK_PATIENCE_MS. Changes errno.
 */
void logfile_write(const char *lines, size_t size);

/* Whether lines are still written. */
bool logfile_works(void);

/* Fork protocol: the caller blocks signals from before to after. */
void logfile_before_fork(void);
void logfile_after_fork_parent(void);
void logfile_after_fork_child(void);

/* In a child that ran no handler of fork: frees the lock. */
void logfile_renew(void);

#endif
