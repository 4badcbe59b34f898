/* sink.h - files that text is appended to: their names, opening, whole writes */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_SINK_H
#define GPUSHIM_SHIM_RECORD_SINK_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The longest path of the kernel and the longest option: what is put together of them is never cut.
 */
enum { SINK_PATH_BYTES = 4096 + 2048 };

/*
 * The present working directory with a / at its end, or "" where it cannot be named. size is at
 * least 4096.
 */
void sink_find_directory(char *out, size_t size);

/*
 * Replaces %p (process), %h (host name), %r (MPI rank, 0 without MPI) and %% in pattern. Another
 * letter after % stays as it is. Returns false where the name does not fit into out.
 */
bool sink_expand_name(const char *pattern, char *out, size_t size);

/* The same of a path: where the pattern's is relative, it is one below directory. */
bool sink_make_path(const char *directory, const char *pattern, char path[SINK_PATH_BYTES]);

/* Whether the name of a fork child's file differs. */
bool sink_names_process(const char *pattern);

/*
 * Opens for appending, made with 0644 & umask where missing, closed on exec; the number is above 2
 * and, if possible, above those that programs count on. A pipe without a reader is an error, not a
 * wait. Returns the descriptor, or the error number negated.
 */
int sink_open(const char *path);

/*
 * Writes all of text with one write(2), and with more only where that one came back short. Raises
 * no signal and waits at most about a second for a full pipe. Returns 0 or the error number.
 */
int sink_write(int fd, const char *text, size_t size);

/* The system's words for an error number, in English, static. */
const char *sink_describe_error(int error);

#endif
