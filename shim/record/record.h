/* record.h - the log: one JSON line per decision, keys from field.def */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_RECORD_H
#define GPUSHIM_SHIM_RECORD_RECORD_H

#include <stdint.h>

#include "policy/call/call.h"
#include "policy/call/decision.h"
#include "policy/options/options.h"

/*
 * Everything here is safe from any thread at any time, also before record_open (nothing is written)
 * and after record_close (lines are still written at once, nothing is buffered). Nothing here calls
 * malloc or stdio, changes errno, or writes to the program's stdout.
 */

/*
 * A finished call. start_ns is CLOCK_REALTIME; elapsed_ns is -1 where the call was not timed. math:
 * what the GPU reckoned with, a word of the option math; NULL is native. Not read of calls on the
 * CPU. caller: an address in the object that called, or NULL.
 */
struct record {
	const struct call *call;
	const struct decision *decision;
	int64_t start_ns, elapsed_ns;
	const char *math;
	const void *caller;
};

/*
 * Opens the log of options->log (%p pid, %h host name, %r MPI rank; appended, created with 0644 &
 * umask, O_CLOEXEC) at options->log_level. One sentence on stderr where that fails; the program
 * goes on without a log. A fork child continues the same file, or opens its own where the name
 * holds %p.
 */
void record_open(const struct options *options);

/*
 * Writes one line, at levels decision and call. One write(2) per line, so lines of several
 * processes never mix.
 */
void record_write(const struct record *record);

/*
 * Level call only: a call below the threshold, timed by the time stamp counter. sizes are m, n, k
 * as in struct blas_call, or for a transform whatever the plan says, -1 where unknown. Goes to a
 * ring of the calling thread (made at its first call); a background thread formats and writes; a
 * full ring is drained by its owner, so nothing is lost.
 */
struct record_tick {
	uint64_t tsc_begin, tsc_end;
	int64_t sizes[3];
	int32_t symbol;
	int32_t problems; /* of a batch; howmany of a transform, -1 where unknown; else not read */
};
void record_tick(const struct record_tick *tick);

/*
 * LOG_CALL where level call is on and lines can be written: entries then time every call. Else 0.
 */
int record_level(void);

/* Drains the rings and stops the background thread. At exit; may be called twice. */
void record_close(void);

/* Fork protocol: call before fork (drains, holds the locks), and after it in parent and child. */
void record_before_fork(void);
void record_after_fork_parent(void);
void record_after_fork_child(void);

#endif
