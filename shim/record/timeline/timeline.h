/* timeline.h - a timeline for chrome://tracing and ui.perfetto.dev, and ranges for profilers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_TIMELINE_TIMELINE_H
#define GPUSHIM_SHIM_RECORD_TIMELINE_TIMELINE_H

#include <stdatomic.h>

#include "policy/options/options.h"
#include "shim/base/observe.h"
#include "shim/record/record.h"

/*
 * Everything here is safe from any thread at any time. Nothing here calls malloc or stdio but
 * timeline_open, which may load what a profiler named, changes errno, or writes to the program's
 * stdout.
 */

/*
 * Looks for a profiler, and notes the file of options->trace (%p, %h, %r as in record_open), which
 * a background thread opens once there is something to write: what is there is replaced. One
 * sentence on stderr where that fails, where another process is writing it, or when it is full; the
 * program goes on without a trace. A fork child opens its own file where the name holds %p, and
 * else writes none. Who wants to be told of the engines' work is returned, for observe_set; NULL:
 * nobody does.
 */
const struct observer *timeline_open(const struct options *options);

/*
 * A call past the gate begins in this thread, and ends: record as for record_write. begin_ns is the
 * steady clock's.
 */
/* Their halves beyond the branch. */
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

/* Writes what is there and ends the file. At exit; may be called twice. */
void timeline_close(void);

/* Fork protocol, as for the log. */
void timeline_before_fork(void);
void timeline_after_fork_parent(void);
void timeline_after_fork_child(void);

#endif
