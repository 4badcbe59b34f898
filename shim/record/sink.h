/* sink.h - files that text is appended to: names, opening, whole writes */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_SINK_H
#define GPUSHIM_SHIM_RECORD_SINK_H

#include <stdbool.h>
#include <stddef.h>

/* The kernel's longest path and the longest option: a path made of both always fits. */
enum { SINK_PATH_BYTES = 4096 + 2048 };

/* The working directory with a / at its end, "" where it has no name. size is at least 4096. */
void sink_find_directory(char *out, size_t size);

/*
 * Replaces %p (pid), %h (host name), %r (MPI rank, 0 without MPI), %j (job, 0 where it has no name)
 * and %% in pattern; % before another letter stays. Returns false where the name does not fit into
 * out.
 */
bool sink_expand_name(const char *pattern, char *out, size_t size);

/* The same for a path; a relative one is completed by directory. */
bool sink_make_path(const char *directory, const char *pattern, char path[SINK_PATH_BYTES]);

/* Whether a fork child's file has another name. */
bool sink_names_process(const char *pattern);

/* How long a full pipe is waited for. */
enum { SINK_PATIENCE_MS = 1000 };

/*
 * Opens for appending, created with 0644 & umask, closed on exec. A symbolic link is followed if it
 * is the user's or root's. Disks are refused. The descriptor is above 2 and, if
 * possible, at least 100, above those that programs rely on. A pipe without a reader is an error;
 * opening never waits. Returns the descriptor, or the error number negated.
 */
int sink_open(const char *path);

/*
 * Writes all of text with one write(2), with more only after a short one. Raises no signal and
 * waits at most about a second for a full pipe. Returns 0 or the error number.
 */
int sink_write(int fd, const char *text, size_t size);

/*
 * The same with another patience for each time that the pipe is full; 0 only tries. *done: what is
 * written, after an error too.
 */
int sink_write_for(int fd, const char *text, size_t size, int patience_ms, size_t *done);

/* Words for an error of these functions, in English, static. */
const char *sink_describe_error(int error);

#endif
