/* signal_shield.c - blocks signals and cancellation around writes and locks */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/signal_shield.h"

#include <pthread.h>
#include <time.h>

#include "shim/shield/shield.h"

/* The signals that a write can raise in this process. */
static void signal_shield_fill(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGXFSZ);
	sigaddset(set, SIGPIPE);
}

/*
 * All signals: a handler that jumps out of a write would leave some blocked, and SIGTTOU would stop
 * a program in the background whose terminal has the flag TOSTOP.
 */
void signal_shield_begin(struct signal_shield *shield)
{
	sigset_t pending;
	signal_shield_all(shield);
	shield->waited = false;
	/*
	 * A signal can be pending only if the program blocks it itself; then it is the program's,
	 * and stays.
	 */
	if (sigismember(&shield->mask, SIGXFSZ) == 0 && sigismember(&shield->mask, SIGPIPE) == 0)
		return;
	sigpending(&pending);
	shield->waited = sigismember(&pending, SIGXFSZ) == 1 || sigismember(&pending, SIGPIPE) == 1;
}

void signal_shield_end(const struct signal_shield *shield, bool failed)
{
	static const struct timespec at_once = {0, 0};
	sigset_t set;
	signal_shield_fill(&set);
	if (failed && !shield->waited)
		while (sigtimedwait(&set, NULL, &at_once) > 0)
			;
	signal_shield_restore(shield);
}

void signal_shield_all(struct signal_shield *shield)
{
	sigset_t set;
	shield_fill(&set);
	fp_environment_enter(&shield->program);
	cancellation_hold(&shield->cancellation);
	pthread_sigmask(SIG_BLOCK, &set, &shield->mask);
}

void signal_shield_restore(const struct signal_shield *shield)
{
	pthread_sigmask(SIG_SETMASK, &shield->mask, NULL);
	cancellation_release(&shield->cancellation);
	fp_environment_leave(&shield->program);
}
