/* signal_shield.h - blocks signals and cancellation while the record room writes or holds a lock */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_SIGNAL_SHIELD_H
#define GPUSHIM_SHIM_RECORD_SIGNAL_SHIELD_H

#include <signal.h>
#include <stdbool.h>

#include "shim/base/fp_environment.h"
#include "shim/shield/cancellation.h"

/*
 * The calling thread's state before: signal mask, cancel state, whether SIGXFSZ or SIGPIPE was
 * pending, and the floating-point environment.
 */
struct signal_shield {
	sigset_t mask;
	struct cancellation cancellation;
	bool waited;
	struct fp_environment program;
};

/*
 * Between begin and end a write beyond the file size limit, or into a pipe without a reader, is an
 * error and not a signal (SIGXFSZ, SIGPIPE) that ends the program, and the thread cannot be
 * cancelled: BLAS and FFTW calls are no cancellation points. Its floating-point environment is the
 * default one. failed: there was such an error.
 */
void signal_shield_begin(struct signal_shield *shield);
void signal_shield_end(const struct signal_shield *shield, bool failed);

/*
 * Blocks all signals and cancellation: no handler runs in a thread that holds a lock of the record
 * room. The floating-point environment is the default one here too.
 */
void signal_shield_all(struct signal_shield *shield);
void signal_shield_restore(const struct signal_shield *shield);

#endif
