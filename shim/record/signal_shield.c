/* signal_shield.c - blocks signals and cancellation around writes and locks */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/signal_shield.h"

#include <pthread.h>
#include <time.h>

static void signal_shield_fill(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGXFSZ);
	sigaddset(set, SIGPIPE);
}

void signal_shield_begin(struct signal_shield *signal_shield)
{
	sigset_t set, pending;
	signal_shield_fill(&set);
	signal_shield->waited = false;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &signal_shield->cancel_state);
	pthread_sigmask(SIG_BLOCK, &set, &signal_shield->mask);
	/*
	 * Only a program that blocks them itself can have one waiting, which is then not ours to
	 * take away.
	 */
	if (sigismember(&signal_shield->mask, SIGXFSZ) == 0 &&
	    sigismember(&signal_shield->mask, SIGPIPE) == 0)
		return;
	sigpending(&pending);
	signal_shield->waited =
		sigismember(&pending, SIGXFSZ) == 1 || sigismember(&pending, SIGPIPE) == 1;
}

void signal_shield_end(const struct signal_shield *signal_shield, bool failed)
{
	static const struct timespec at_once = {0, 0};
	sigset_t set;
	signal_shield_fill(&set);
	if (failed && !signal_shield->waited)
		while (sigtimedwait(&set, NULL, &at_once) > 0)
			;
	signal_shield_restore(signal_shield);
}

void signal_shield_all(struct signal_shield *signal_shield)
{
	sigset_t set;
	sigfillset(&set);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &signal_shield->cancel_state);
	pthread_sigmask(SIG_SETMASK, &set, &signal_shield->mask);
}

void signal_shield_restore(const struct signal_shield *signal_shield)
{
	pthread_sigmask(SIG_SETMASK, &signal_shield->mask, NULL);
	pthread_setcancelstate(signal_shield->cancel_state, NULL);
}
