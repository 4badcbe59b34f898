/* signal_shield.h - signals and cancellation kept away from the program while the record room works */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_SIGNAL_SHIELD_H
#define GPUSHIM_SHIM_RECORD_SIGNAL_SHIELD_H

#include <signal.h>
#include <stdbool.h>

/*
 * The calling thread as it was: its mask, whether it could be cancelled, and if one of the two
 * signals waited.
 */
struct signal_shield {
	sigset_t mask;
	int cancel_state;
	bool waited;
};

/*
 * Between begin and end a write beyond the file size limit, or into a pipe without a reader, is an
 * error and not the signal (SIGXFSZ, SIGPIPE) that would end the program, and no thread ends there:
 * a call of BLAS or FFTW is no point of cancellation. failed: whether it came to such an error.
 */
void signal_shield_begin(struct signal_shield *signal_shield);
void signal_shield_end(const struct signal_shield *signal_shield, bool failed);

/*
 * Blocks every signal, and cancellation: no handler runs in the thread while it holds a lock of the
 * record room.
 */
void signal_shield_all(struct signal_shield *signal_shield);
void signal_shield_restore(const struct signal_shield *signal_shield);

#endif
