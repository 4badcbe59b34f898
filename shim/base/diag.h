/* diag.h - messages to people, on stderr */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_BASE_DIAG_H
#define GPUSHIM_SHIM_BASE_DIAG_H

#include <stdatomic.h>
#include <stdbool.h>

/*
 * A message is cut to DIAG_LINE_BYTES with its newline; a process writes at most DIAG_MESSAGES_MAX
 * of them.
 */
enum { DIAG_LINE_BYTES = 512, DIAG_MESSAGES_MAX = 16 };

/*
 * One line on stderr, "gpushim: warn: ..." or "gpushim: note: ...", in one write. The words are
 * lower case, without a newline: what happened; the system's own words; the consequence or next
 * step. Call them where the cause is first seen, and let the callers stay silent. They may be
 * called from any thread at any time: they take no lock, allocate nothing, leave errno and pending
 * signals as they were, and do nothing where stderr is closed or where the same thread is already
 * inside one. Conversions: d u x lu zu and s only.
 */
void diag_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
void diag_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * For what is worth saying once: true for the first caller with this flag (start it with
 * ATOMIC_FLAG_INIT).
 */
static inline bool diag_once(atomic_flag *said)
{
	return !atomic_flag_test_and_set(said);
}

#endif
