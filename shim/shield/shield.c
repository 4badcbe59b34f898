/* shield.c - blocks signals and cancellation of the calling thread */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/shield/shield.h"

#include <pthread.h>
#include <stddef.h>

/* Stale after a jump out of a section, until the next one: only sections read it. */
static _Thread_local struct shield *shield_innermost;

void shield_fill(sigset_t *set)
{
	static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
	sigfillset(set);
	for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
		sigdelset(set, own[i]);
}

void shield_begin(struct shield *shield)
{
	sigset_t set;
	shield_fill(&set);
	cancellation_hold(&shield->cancellation);
	pthread_sigmask(SIG_BLOCK, &set, &shield->mask);
	shield->outer = shield_innermost;
	shield_innermost = shield;
}

void shield_end(const struct shield *shield)
{
	shield_innermost = shield->outer;
	pthread_sigmask(SIG_SETMASK, &shield->mask, NULL);
	cancellation_release(&shield->cancellation);
}

bool shield_is_asked(void)
{
	const struct shield *shield = shield_innermost;
	sigset_t pending;
	if (shield == NULL || sigpending(&pending) != 0)
		return false;
	for (int number = 1; number < NSIG; number++)
		if (sigismember(&pending, number) == 1 && sigismember(&shield->mask, number) == 0)
			return true;
	return false;
}

bool shield_is_in_force(void)
{
	sigset_t set, now;
	shield_fill(&set);
	if (pthread_sigmask(SIG_BLOCK, NULL, &now) != 0)
		return false;
	for (int number = 1; number < NSIG; number++)
		if (sigismember(&set, number) == 1 && sigismember(&now, number) == 0 &&
		    number != SIGKILL && number != SIGSTOP)
			return false;
	return true;
}

/* A handler that calls begins with no section around it. */
void shield_open(void)
{
	struct shield *shield = shield_innermost;
	if (shield == NULL)
		return;
	cancellation_release(&shield->cancellation);
	pthread_sigmask(SIG_SETMASK, &shield->mask, NULL);
}

void shield_close(void)
{
	struct shield *shield = shield_innermost;
	sigset_t set;
	if (shield == NULL)
		return;
	shield_fill(&set);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	cancellation_hold(&shield->cancellation);
}
