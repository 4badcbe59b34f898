/* timeline.h - the trace for chrome://tracing and ui.perfetto.dev, and ranges for profilers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_TIMELINE_TIMELINE_H
#define GPUSHIM_SHIM_RECORD_TIMELINE_TIMELINE_H

#include <stdatomic.h>

#include "policy/options/options.h"
#include "shim/base/observe.h"
#include "shim/record/record.h"

/*
 * All functions are safe from any thread at any time. They keep errno, never write to the program's
 * stdout, and call neither malloc nor stdio; only timeline_open may load what a profiler named.
 */

/*
 * Looks for a profiler, and keeps the name of options->trace (%p, %h, %r as in record_open). The
 * background thread opens that file when there is something to write; an old one is replaced. A
 * failure, a full file, or another process that writes it, is reported on stderr once, and the
 * program goes on without a trace. A fork child writes its own file where the name holds %p, else
 * none. Returns the observer for observe_set; NULL: there is none.
 */
const struct observer *timeline_open(const struct options *options);

/*
 * A call past the gate begins and ends in this thread: record as for record_write, begin_ns of
 * CLOCK_MONOTONIC. open and close do it once there is an observer.
 */
void timeline_open_call(const struct call *call);
void timeline_close_call(const struct record *record, int64_t begin_ns);

static inline void timeline_begin_call(const struct call *call)
{
	if (__builtin_expect(observe_find() != NULL, 0))
		timeline_open_call(call);
}

static inline void timeline_end_call(const struct record *record, int64_t begin_ns)
{
	if (__builtin_expect(observe_find() != NULL, 0))
		timeline_close_call(record, begin_ns);
}

/* Writes what is left and ends the file. At exit; may be called twice. */
void timeline_close(void);

/* Around fork, as for the log. */
void timeline_before_fork(void);
void timeline_after_fork_parent(void);
void timeline_after_fork_child(void);

/* In a child that ran no handler of fork: frees the lock, and leaves what waits to the parent. */
void timeline_renew(void);

#endif
