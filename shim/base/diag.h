/* diag.h - messages for people, on stderr */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_BASE_DIAG_H
#define GPUSHIM_SHIM_BASE_DIAG_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * A message has at most DIAG_LINE_BYTES without the indentation of its lines, a process writes at
 * most DIAG_MESSAGES_MAX.
 */
enum { DIAG_LINE_BYTES = 512, DIAG_MESSAGES_MAX = 16 };

/*
 * Write to stderr, by one write, "gpushim: warn: ..." or "gpushim: note: ...", broken between words
 * into lines of 80 columns; those after the first begin with nine blanks. Words are lower case,
 * without a newline: what happened; the system's own words; the consequence or next step. The
 * function that first sees the cause calls them; its callers are silent. From any thread at any
 * time: no lock, no allocation; errno and pending signals are kept; nothing happens where stderr is
 * closed or the same thread is inside one already. Conversions: d u x lu zu and s only.
 */
void diag_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
void diag_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * For tools: from now on messages, each one line with its newline, go to receive instead of stderr,
 * and do not count; with NULL they go to stderr again.
 */
void diag_divert(void (*receive)(const char *line, size_t length));

/* From now on lines have so many columns. For the tool, before it has threads. */
void diag_break_lines(int columns);

/* True for the first caller with this flag (initialize it with ATOMIC_FLAG_INIT). */
static inline bool diag_once(atomic_flag *said)
{
	return !atomic_flag_test_and_set(said);
}

#endif
