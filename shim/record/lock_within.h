/* lock_within.h - takes a mutex, or gives up after a while */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_LOCK_WITHIN_H
#define GPUSHIM_SHIM_RECORD_LOCK_WITHIN_H

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

/*
 * The time is counted in sleeps of a millisecond. pthread_mutex_timedlock waits by the wall clock,
 * which may be set back meanwhile.
 */
static inline bool lock_within_ms(pthread_mutex_t *lock, int patience_ms)
{
	static const struct timespec pause = {.tv_nsec = 1000000};
	for (int i = 0; i < patience_ms; i++) {
		if (pthread_mutex_trylock(lock) == 0)
			return true;
		nanosleep(&pause, NULL);
	}
	return pthread_mutex_trylock(lock) == 0;
}

#endif
