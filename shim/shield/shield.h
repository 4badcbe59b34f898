/* shield.h - keeps the program's signal handlers, and its cancellation, out of a section */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_SHIELD_SHIELD_H
#define GPUSHIM_SHIM_SHIELD_SHIELD_H

#include <signal.h>
#include <stdbool.h>

#include "shim/shield/cancellation.h"

/*
 * The thread's state before a section, on the section's stack: a handler that jumps away would
 * leave locks held and work half done. Signals of the thread's own doing (SIGSEGV, SIGBUS, SIGFPE,
 * SIGILL, SIGTRAP, SIGSYS) stay unblocked: the program's handler may repair what a copy of its
 * memory met. Sections nest.
 */
struct shield {
	sigset_t mask;
	struct cancellation cancellation;
	struct shield *outer;
};

/* The signals that a section blocks. */
void shield_fill(sigset_t *set);

void shield_begin(struct shield *shield);
void shield_end(const struct shield *shield);

/*
 * For long sections, where nothing is held that a jump would lose: whether a signal of the program
 * waits for the thread's innermost section; and a gap in that section, in which handlers run.
 * Outside of sections false, and nothing happens.
 */
bool shield_is_asked(void);
void shield_open(void);
void shield_close(void);

/*
 * Whether the calling thread blocks all signals that a section blocks. A thread that has jumped out
 * of a section does not, if the jump restored its mask.
 */
bool shield_is_in_force(void);

#endif
