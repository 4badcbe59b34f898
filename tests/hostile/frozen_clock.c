/* frozen_clock.c - preloaded: for the program no time passes, no sleep lasts, and no wait waits */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* As libfaketime with a fixed time. */
static const struct timespec moment = {.tv_sec = 1000000000};

int clock_gettime(clockid_t id, struct timespec *now)
{
	(void)id;
	*now = moment;
	return 0;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
	(void)zone;
	*now = (struct timeval){moment.tv_sec, 0};
	return 0;
}

time_t time(time_t *now)
{
	if (now != NULL)
		*now = moment.tv_sec;
	return moment.tv_sec;
}

int nanosleep(const struct timespec *wanted, struct timespec *left)
{
	(void)wanted;
	(void)left;
	return 0;
}

int clock_nanosleep(clockid_t id, int flags, const struct timespec *wanted, struct timespec *left)
{
	(void)id;
	(void)flags;
	(void)wanted;
	(void)left;
	return 0;
}

int usleep(useconds_t wanted)
{
	(void)wanted;
	return 0;
}

int sched_yield(void)
{
	return 0;
}

/* What is meant to end at a time ends at once, or as if something had happened. */
int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict lock,
                           const struct timespec *restrict end)
{
	(void)end;
	(void)condition;
	pthread_mutex_unlock(lock);
	pthread_mutex_lock(lock);
	return 0;
}

int pthread_mutex_timedlock(pthread_mutex_t *restrict lock, const struct timespec *restrict end)
{
	(void)lock;
	(void)end;
	return ETIMEDOUT;
}

int poll(struct pollfd *files, nfds_t count, int patience_ms)
{
	(void)files;
	(void)count;
	(void)patience_ms;
	return 0;
}
