/* hush.c - blocks signals and cancellation around writes and locks */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/hush.h"

#include <pthread.h>
#include <time.h>

static void hush_fill(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGXFSZ);
	sigaddset(set, SIGPIPE);
}

void hush_begin(struct hush *hush)
{
	sigset_t set, pending;
	hush_fill(&set);
	hush->waited = false;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &hush->cancel_state);
	pthread_sigmask(SIG_BLOCK, &set, &hush->mask);
	/* Only a program that blocks them itself can have one waiting, which is then not ours to take away. */
	if (sigismember(&hush->mask, SIGXFSZ) == 0 && sigismember(&hush->mask, SIGPIPE) == 0)
		return;
	sigpending(&pending);
	hush->waited = sigismember(&pending, SIGXFSZ) == 1 || sigismember(&pending, SIGPIPE) == 1;
}

void hush_end(const struct hush *hush, bool failed)
{
	static const struct timespec at_once = {0, 0};
	sigset_t set;
	hush_fill(&set);
	if (failed && !hush->waited)
		while (sigtimedwait(&set, NULL, &at_once) > 0)
			;
	hush_restore(hush);
}

void hush_all(struct hush *hush)
{
	sigset_t set;
	sigfillset(&set);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &hush->cancel_state);
	pthread_sigmask(SIG_SETMASK, &set, &hush->mask);
}

void hush_restore(const struct hush *hush)
{
	pthread_sigmask(SIG_SETMASK, &hush->mask, NULL);
	pthread_setcancelstate(hush->cancel_state, NULL);
}
