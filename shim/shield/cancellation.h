/* cancellation.h - a thread is not cancelled while the shim works */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_SHIELD_CANCELLATION_H
#define GPUSHIM_SHIM_SHIELD_CANCELLATION_H

#include <pthread.h>

struct cancellation {
	int state, type;
};

/*
 * The type too: pthread_cancel of glibc before 2.37 looks at the state, and sends a signal; should
 * the state change in between, the signal ends a thread whose type is asynchronous.
 */
static inline void cancellation_hold(struct cancellation *before)
{
	pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &before->type);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before->state);
}

/* Ends the thread where it was cancelled meanwhile, if its type was asynchronous. */
static inline void cancellation_release(const struct cancellation *before)
{
	int unused;
	pthread_setcanceltype(before->type, &unused);
	pthread_setcancelstate(before->state, &unused);
}

#endif
