/* crowd.c - many threads: at once, short-lived, small stacks, signals; usage: crowd WAY */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "hostile_work.h"

enum { CROWD = 24, ROUNDS = 12, GENERATIONS = 12 };

static pthread_barrier_t start;
static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;
static atomic_long wrong, gemms, transforms, alarms, errno_lost;

static void work(int n)
{
	errno = 77;
	wrong += work_dgemm(n);
	errno_lost += errno != 77 && errno != ENOMEM;
	pthread_mutex_lock(&planner);
	wrong += work_fft(n);
	pthread_mutex_unlock(&planner);
	gemms++;
	transforms++;
}

static void *run_at_once(void *argument)
{
	const int number = (int)(long)argument;
	pthread_barrier_wait(&start);
	for (int i = 0; i < ROUNDS; i++)
		work(8 + (number + i) % 40);
	return NULL;
}

static void run_crowd(const pthread_attr_t *attributes)
{
	pthread_t threads[CROWD];
	pthread_barrier_init(&start, NULL, CROWD);
	for (long i = 0; i < CROWD; i++)
		if (pthread_create(&threads[i], attributes, run_at_once, (void *)i) != 0)
			exit(3);
	for (int i = 0; i < CROWD; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&start);
}

static void at_once(void)
{
	run_crowd(NULL);
}

static void *run_short(void *argument)
{
	work(5 + (int)(long)argument % 30);
	return NULL;
}

/* The total number of threads exceeds the number of rows of counters. */
static void short_lived(void)
{
	for (int generation = 0; generation < GENERATIONS; generation++) {
		pthread_t threads[8];
		for (long i = 0; i < 8; i++)
			if (pthread_create(&threads[i], NULL, run_short,
			                   (void *)(i + generation)) != 0)
				exit(3);
		work(10);
		for (int i = 0; i < 8; i++)
			pthread_join(threads[i], NULL);
	}
}

static void small_stacks(void)
{
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	if (pthread_attr_setstacksize(&attributes, (size_t)PTHREAD_STACK_MIN + 65536) != 0)
		exit(3);
	run_crowd(&attributes);
	pthread_attr_destroy(&attributes);
}

static void on_alarm(int number)
{
	(void)number;
	alarms++;
}

/* Without SA_RESTART the signal interrupts system calls all the time. */
static void under_signals(void)
{
	const struct sigaction action = {.sa_handler = on_alarm};
	const struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	run_crowd(NULL);
	for (int i = 0; i < 20; i++)
		work(60);
	setitimer(ITIMER_REAL, &never, NULL);
	if (alarms == 0)
		exit(3);
}

/* No thread can be created, as for a user at the limit: a warm-up thread cannot start. */
static void cancelled(void)
{
	pthread_t thread;
	for (int i = 0; i < 10; i++) {
		if (pthread_create(&thread, NULL, run_short, NULL) != 0)
			exit(3);
		work(9);
		pthread_join(thread, NULL);
	}
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";
	if (strcmp(way, "at-once") == 0)
		at_once();
	else if (strcmp(way, "short-lived") == 0)
		short_lived();
	else if (strcmp(way, "small-stacks") == 0)
		small_stacks();
	else if (strcmp(way, "signals") == 0)
		under_signals();
	else
		cancelled();
	printf("%ld wrong results, errno lost %ld times\n", (long)wrong, (long)errno_lost);
	printf("call dgemm_ %ld\ncall fftw_execute %ld\n", (long)gemms, (long)transforms);
	return wrong != 0 || errno_lost != 0;
}
