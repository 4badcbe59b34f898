/* record.h - the log: one JSON line per decision, keys from field.def */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_RECORD_H
#define GPUSHIM_SHIM_RECORD_RECORD_H

#include "policy/options/options.h"
#include "shim/record/head.h"
#include "shim/record/record_data.h"

/*
 * All functions are safe from any thread at any time, also before record_open (nothing is written)
 * and after record_close (lines are written at once). They call neither malloc nor stdio, keep
 * errno, and never write to the program's stdout.
 */

/*
 * The first record of each process will name the program, the host and this machine. To be called
 * before record_open.
 */
void record_set_head(const struct record_head *head);

/*
 * Opens the log of options->log (%p pid, %h host name, %r MPI rank, %j job; appended to, created
 * with 0644 & umask, O_CLOEXEC) at options->log_level. A failure is reported on stderr once, and
 * the program goes on without a log. A fork child writes to the same file, or opens its own where
 * the name holds %p.
 */
void record_open(const struct options *options, bool program_excluded);

/*
 * Writes one line, at log levels decision and call. One write(2) per line: lines of several
 * processes never mix.
 */
void record_write(const struct record *record);

/*
 * Takes a tick, at log level call. It goes to a ring of the calling thread (made at its first
 * tick), which a background thread formats and writes. The owner drains a full ring, so no tick is
 * lost.
 */
void record_tick(const struct record_tick *tick);

/*
 * Drains the rings and stops the background thread; at log level summary writes the totals
 * (totals.h). At exit; may be called twice.
 */
void record_close(void);

/* Around fork: before (drains, takes the locks), and after in parent and child. */
void record_before_fork(void);
void record_after_fork_parent(void);
void record_after_fork_child(void);

/* In a child that ran no handler of fork: frees locks, and leaves what waits to the parent. */
void record_renew(void);

#endif
