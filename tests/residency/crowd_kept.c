/* crowd_kept.c - threads multiply with one matrix, while the program forks and closes files */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kept.h"

enum { KEPT_CROWD_THREADS = 6, KEPT_CROWD_ROUNDS = 8, KEPT_CROWD_CALLS = 3 };
/*
 * Of a matrix that begins and ends within pages: it stays as it is for some rounds, so that calls
 * take it for unchanged, then its first or last number is another one.
 */
enum { KEPT_CROWD_LONG = 80, KEPT_CROWD_SAME = 4, KEPT_CROWD_SKIP = 66 };

static double *shared;
static struct kept kept[KEPT_CROWD_THREADS];
static pthread_barrier_t barrier;
static atomic_bool goes_on;
static const char *way;
static int rounds = KEPT_CROWD_ROUNDS;

/* Nobody writes the shared matrix between the two barriers of a round. */
static void *multiply_rounds(void *self)
{
	for (int round = 0; round < rounds; round++) {
		pthread_barrier_wait(&barrier);
		for (int i = 0; i < KEPT_CROWD_CALLS; i++)
			kept_call(self);
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

/* A child that computes, too, as far as it can. */
static void fork_and_multiply(void)
{
	const pid_t child = fork();
	int status = -1;
	if (child == 0) {
		struct kept own;
		kept_begin(&own, "child", NULL);
		kept_call(&own);
		_exit(own.wrong);
	}
	waitpid(child, &status, 0);
	if (status != 0)
		printf("%s: a child ended with %x\n", way, (unsigned)status);
	kept[0].wrong += status != 0;
}

static void *disturb(void *unused)
{
	(void)unused;
	while (atomic_load(&goes_on)) {
		if (strcmp(way, "fork") == 0)
			fork_and_multiply();
		else if (strcmp(way, "close") == 0)
			syscall(SYS_close_range, 3, ~0U, 0);
		usleep(1000);
	}
	return NULL;
}

static void change(int round)
{
	if (rounds == KEPT_CROWD_ROUNDS)
		kept_change(&kept[0], (unsigned)round);
	else if (round % KEPT_CROWD_SAME == 0)
		shared[round / KEPT_CROWD_SAME % 2 == 0 ? 0 : KEPT_COUNT - 1] += 1;
}

/* usage: crowd_kept threads|fork|close|ends */
int main(int argc, char **argv)
{
	pthread_t thread[KEPT_CROWD_THREADS], other;
	int wrong = 0, changes = 0;
	way = argc == 2 ? argv[1] : "threads";
	shared = kept_map(KEPT_BYTES + KEPT_CROWD_SKIP * sizeof *shared);
	if (strcmp(way, "ends") == 0) {
		rounds = KEPT_CROWD_LONG;
		shared += KEPT_CROWD_SKIP;
	}
	pthread_barrier_init(&barrier, NULL, KEPT_CROWD_THREADS + 1);
	for (int i = 0; i < KEPT_CROWD_THREADS; i++) {
		kept_begin(&kept[i], way, shared);
		pthread_create(&thread[i], NULL, multiply_rounds, &kept[i]);
	}
	goes_on = true;
	pthread_create(&other, NULL, disturb, NULL);
	for (int round = 0; round < rounds; round++) {
		pthread_barrier_wait(&barrier);
		pthread_barrier_wait(&barrier);
		change(round);
	}
	for (int i = 0; i < KEPT_CROWD_THREADS; i++)
		pthread_join(thread[i], NULL);
	goes_on = false;
	pthread_join(other, NULL);
	for (int i = 0; i < KEPT_CROWD_THREADS; i++) {
		wrong += kept[i].wrong;
		changes += kept[i].changes;
	}
	printf("%s: %d wrong, %d changes were seen\n", way, wrong, changes);
	return wrong > 0 || changes < KEPT_CROWD_THREADS;
}
