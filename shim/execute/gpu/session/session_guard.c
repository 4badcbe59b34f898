/* session_guard.c - serialises the library calls of CUDA's start with fork and exit */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/session/session_guard.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

/*
 * Longer than any library call takes. Exit goes on afterwards, for example where the loader's lock
 * is held by the exiting thread.
 */
enum { SESSION_GUARD_STOP_SECONDS = 30 };

static pthread_mutex_t session_guard_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t session_guard_changed = PTHREAD_COND_INITIALIZER;
static bool session_guard_running, session_guard_stopped;
static int session_guard_forks;
static int
	/*
	 * calls under way; may be 2: the waking thread may still be in pthread_create beside the
	 * new thread
	 */
	session_guard_inside;
static pthread_t session_guard_owner; /* the thread that starts CUDA, while running is true */

void session_guard_begin(void)
{
	pthread_mutex_lock(&session_guard_mutex);
	session_guard_running = true;
	session_guard_owner = pthread_self();
	pthread_mutex_unlock(&session_guard_mutex);
}

void session_guard_end(void)
{
	pthread_mutex_lock(&session_guard_mutex);
	session_guard_running = false;
	pthread_cond_broadcast(&session_guard_changed);
	pthread_mutex_unlock(&session_guard_mutex);
}

bool session_guard_enter(void)
{
	pthread_mutex_lock(&session_guard_mutex);
	while (session_guard_forks > 0 && !session_guard_stopped)
		pthread_cond_wait(&session_guard_changed, &session_guard_mutex);
	const bool open = !session_guard_stopped;
	session_guard_inside += open;
	pthread_mutex_unlock(&session_guard_mutex);
	return open;
}

void session_guard_leave(void)
{
	pthread_mutex_lock(&session_guard_mutex);
	session_guard_inside--;
	pthread_cond_broadcast(&session_guard_changed);
	pthread_mutex_unlock(&session_guard_mutex);
}

/*
 * CUDA itself may fork inside a call, and a library's exit handler may run in the starting thread.
 */
static bool session_guard_is_own(void)
{
	return session_guard_running && pthread_equal(session_guard_owner, pthread_self()) != 0;
}

void session_guard_wait(bool (*waiting)(void))
{
	pthread_mutex_lock(&session_guard_mutex);
	while (waiting() && !session_guard_is_own())
		pthread_cond_wait(&session_guard_changed, &session_guard_mutex);
	pthread_mutex_unlock(&session_guard_mutex);
}

void session_guard_stop(void)
{
	struct timespec deadline;
	clock_gettime(CLOCK_REALTIME, &deadline);
	deadline.tv_sec += SESSION_GUARD_STOP_SECONDS;
	pthread_mutex_lock(&session_guard_mutex);
	session_guard_stopped = true;
	pthread_cond_broadcast(&session_guard_changed);
	while (session_guard_running && !session_guard_is_own())
		if (pthread_cond_timedwait(&session_guard_changed, &session_guard_mutex,
		                           &deadline) == ETIMEDOUT)
			break;
	pthread_mutex_unlock(&session_guard_mutex);
}

void session_guard_before_fork(void)
{
	pthread_mutex_lock(&session_guard_mutex);
	session_guard_forks++;
	while (session_guard_inside > 0 && !session_guard_is_own())
		pthread_cond_wait(&session_guard_changed, &session_guard_mutex);
}

void session_guard_after_fork_parent(void)
{
	session_guard_forks--;
	pthread_cond_broadcast(&session_guard_changed);
	pthread_mutex_unlock(&session_guard_mutex);
}

/* A new condition: threads that waited on the parent's do not exist here. */
void session_guard_after_fork_child(void)
{
	static const pthread_cond_t fresh = PTHREAD_COND_INITIALIZER;
	session_guard_forks = 0;
	session_guard_inside = 0;
	session_guard_running = false;
	session_guard_changed = fresh;
	pthread_mutex_unlock(&session_guard_mutex);
}
