/* hush.h - signals kept away from the program while the record room works */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_HUSH_H
#define GPUSHIM_SHIM_RECORD_HUSH_H

#include <signal.h>
#include <stdbool.h>

/* The calling thread's mask as it was, and which of the two signals waited already. */
struct hush {
	sigset_t mask;
	bool waited;
};

/*
 * Between begin and end a write beyond the file size limit, or into a pipe without a reader, is an error and not the
 * signal (SIGXFSZ, SIGPIPE) that would end the program. failed: whether it came to such an error.
 */
void hush_begin(struct hush *hush);
void hush_end(const struct hush *hush, bool failed);

/* Blocks every signal, so that no handler runs in the thread while it holds a lock of the record room. */
void hush_all(sigset_t *mask);
void hush_restore(const sigset_t *mask);

#endif
