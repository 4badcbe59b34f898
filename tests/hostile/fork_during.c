/* fork_during.c - forks while another thread makes the first call of the process */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 50, ORDER = 20, PATIENCE_MS = 10000 };
enum { CHILD_WRONG = 1, CHILD_HANGS = 2 };

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);

static double fork_delay;
static pthread_t worker;
static bool worker_is_right;

static bool multiply(void)
{
	double a[ORDER * ORDER], c[ORDER * ORDER] = {0};
	const int n = ORDER;
	const double one = 1, zero = 0;
	bool right = true;
	for (int i = 0; i < ORDER * ORDER; i++)
		a[i] = 1;
	dgemm_("N", "N", &n, &n, &n, &one, a, &n, a, &n, &zero, c, &n);
	for (int i = 0; i < ORDER * ORDER; i++)
		right = right && c[i] == ORDER;
	return right;
}

static void *work(void *begun)
{
	__atomic_store_n((int *)begun, 1, __ATOMIC_RELEASE);
	worker_is_right = multiply();
	return NULL;
}

static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/*
 * A handler of fork: those that the first call of the thread registers meanwhile do not run. The
 * delay chooses the part of that call in which the child is made.
 */
static void begin_first_call(void)
{
	static int begun;
	if (pthread_create(&worker, NULL, work, &begun) != 0)
		_exit(3);
	while (!__atomic_load_n(&begun, __ATOMIC_ACQUIRE))
		;
	const double end = seconds() + fork_delay;
	while (seconds() < end)
		;
}

/* How it ends. A child that hangs may have blocked every signal. */
static int await(pid_t child)
{
	const struct timespec pause = {.tv_nsec = 1000000};
	int status = 0;
	for (int i = 0; i < PATIENCE_MS; i++) {
		if (waitpid(child, &status, WNOHANG) == child)
			return WIFEXITED(status) ? WEXITSTATUS(status) : CHILD_WRONG;
		nanosleep(&pause, NULL);
	}
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	return CHILD_HANGS;
}

/* The child must not wait for a lock that the thread held, which it does not have. */
static int fork_beside_first(void)
{
	pthread_atfork(begin_first_call, NULL, NULL);
	const pid_t child = fork();
	if (child == 0)
		exit(multiply() ? 0 : CHILD_WRONG);
	const int end = await(child);
	pthread_join(worker, NULL);
	return worker_is_right && multiply() ? end : CHILD_WRONG;
}

/* Each time in a process that has made no call. */
int main(void)
{
	int ends[CHILD_HANGS + 1] = {0};
	for (int i = 0; i < TRIES; i++) {
		int status = 0;
		const pid_t child = fork();
		fork_delay = i * 20e-6;
		if (child == 0)
			exit(fork_beside_first());
		waitpid(child, &status, 0);
		ends[WIFEXITED(status) && WEXITSTATUS(status) <= CHILD_HANGS ? WEXITSTATUS(status)
		                                                             : CHILD_WRONG]++;
	}
	const bool right = ends[CHILD_WRONG] == 0 && ends[CHILD_HANGS] == 0;
	if (!right)
		printf("%d wrong, %d hang\n", ends[CHILD_WRONG], ends[CHILD_HANGS]);
	printf("%d tries\n", TRIES);
	return !right;
}
