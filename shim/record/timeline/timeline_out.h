/* timeline_out.h - lines of the trace from any thread into the file, by a background thread */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_TIMELINE_TIMELINE_OUT_H
#define GPUSHIM_SHIM_RECORD_TIMELINE_TIMELINE_OUT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Notes the file and takes lines from now on; false without memory for them, told in one sentence.
 */
bool timeline_out_open(const char *pattern);

/* Whether lines are taken: not before open, after close, or where the file has failed. A load. */
bool timeline_out_works(void);

/*
 * Takes a line. Any thread, any signal handler; changes errno. The first one starts the drain
 * thread, a full ring is drained by the caller, and a line for which there is no room even then is
 * counted as lost in the file's last line.
 */
void timeline_out_write(const char *line, size_t size);

/* Writes all that is there, and the last line. Waits a bounded time for the drain thread to end. */
void timeline_out_close(void);

/* Fork protocol; signals are blocked from before to after. */
void timeline_out_before_fork(void);
void timeline_out_after_fork_parent(void);
void timeline_out_after_fork_child(void);

#endif
