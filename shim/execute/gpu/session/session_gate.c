/* session_gate.c - a turnstile: the warm-up passes it, fork and exit close it */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/session/session_gate.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

/*
 * Longer than any library call takes; after it the process ends anyway, as when the loader's lock
 * is held by exit.
 */
enum { GATE_STOP_SECONDS = 30 };

static pthread_mutex_t gate_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t gate_changed = PTHREAD_COND_INITIALIZER;
static bool gate_running, gate_stopped;
static int gate_forks;
static int
	gate_inside; /* calls under way: the waking thread may still be in pthread_create beside the new one */
static pthread_t gate_owner; /* the warm-up's thread, while gate_running */

void session_gate_begin(void)
{
	pthread_mutex_lock(&gate_mutex);
	gate_running = true;
	gate_owner = pthread_self();
	pthread_mutex_unlock(&gate_mutex);
}

void session_gate_end(void)
{
	pthread_mutex_lock(&gate_mutex);
	gate_running = false;
	pthread_cond_broadcast(&gate_changed);
	pthread_mutex_unlock(&gate_mutex);
}

bool session_gate_enter(void)
{
	pthread_mutex_lock(&gate_mutex);
	while (gate_forks > 0 && !gate_stopped)
		pthread_cond_wait(&gate_changed, &gate_mutex);
	const bool open = !gate_stopped;
	gate_inside += open;
	pthread_mutex_unlock(&gate_mutex);
	return open;
}

void session_gate_leave(void)
{
	pthread_mutex_lock(&gate_mutex);
	gate_inside--;
	pthread_cond_broadcast(&gate_changed);
	pthread_mutex_unlock(&gate_mutex);
}

/*
 * CUDA itself may fork inside a call, and a library's exit handler may run in the warm-up's thread.
 */
static bool session_gate_is_own(void)
{
	return gate_running && pthread_equal(gate_owner, pthread_self()) != 0;
}

void session_gate_wait(bool (*waiting)(void))
{
	pthread_mutex_lock(&gate_mutex);
	while (waiting() && !session_gate_is_own())
		pthread_cond_wait(&gate_changed, &gate_mutex);
	pthread_mutex_unlock(&gate_mutex);
}

void session_gate_stop(void)
{
	struct timespec deadline;
	clock_gettime(CLOCK_REALTIME, &deadline);
	deadline.tv_sec += GATE_STOP_SECONDS;
	pthread_mutex_lock(&gate_mutex);
	gate_stopped = true;
	pthread_cond_broadcast(&gate_changed);
	while (gate_running && !session_gate_is_own())
		if (pthread_cond_timedwait(&gate_changed, &gate_mutex, &deadline) == ETIMEDOUT)
			break;
	pthread_mutex_unlock(&gate_mutex);
}

void session_gate_before_fork(void)
{
	pthread_mutex_lock(&gate_mutex);
	gate_forks++;
	while (gate_inside > 0 && !session_gate_is_own())
		pthread_cond_wait(&gate_changed, &gate_mutex);
}

void session_gate_after_fork_parent(void)
{
	gate_forks--;
	pthread_cond_broadcast(&gate_changed);
	pthread_mutex_unlock(&gate_mutex);
}

/* Waiters of the parent are not here: the condition is a new one. */
void session_gate_after_fork_child(void)
{
	static const pthread_cond_t fresh = PTHREAD_COND_INITIALIZER;
	gate_forks = 0;
	gate_inside = 0;
	gate_running = false;
	gate_changed = fresh;
	pthread_mutex_unlock(&gate_mutex);
}
