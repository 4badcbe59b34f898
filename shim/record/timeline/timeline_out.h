/* timeline_out.h - lines of the trace from all threads to the file, by a background thread */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_TIMELINE_TIMELINE_OUT_H
#define GPUSHIM_SHIM_RECORD_TIMELINE_TIMELINE_OUT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Keeps the file's name and takes lines from now on. Returns false without memory for them, which
 * is reported.
 */
bool timeline_out_open(const char *pattern);

/* Whether lines are taken: between open and close, unless the file has failed. One load. */
bool timeline_out_works(void);

/*
 * Takes a line. From any thread or signal handler; changes errno. The first one starts the drain
 * thread; a full ring is drained by the caller. A line that finds no room even then is lost, and
 * counted in the file's last line.
 */
void timeline_out_write(const char *line, size_t size);

/* Writes all lines, and the last one. Waits a bounded time for the drain thread to end. */
void timeline_out_close(void);

/* Around fork; signals are blocked from before to after. */
void timeline_out_before_fork(void);
void timeline_out_after_fork_parent(void);
void timeline_out_after_fork_child(void);

/* In a child that ran no handler of fork: frees the lock, and leaves what waits to the parent. */
void timeline_out_renew(void);

#endif
