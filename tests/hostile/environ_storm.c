/* environ_storm.c - first calls while other threads change the environment */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hostile_work.h"

enum { PROCESSES = 60, AT_ONCE = 4, STORMS = 2, NAMES = 64 };

static pthread_barrier_t start;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* the storms spare each other */
static atomic_int over;

/* The list that environ points to moves; what it was in is written over, and released. */
static void move_list(char ***kept)
{
	char **old = environ;
	size_t count = 0;
	while (old[count] != NULL)
		count++;
	char **moved = malloc((count + 1) * sizeof *moved);
	if (moved == NULL)
		return;
	memcpy(moved, old, (count + 1) * sizeof *moved);
	environ = moved;
	if (*kept == old) {
		memset(old, 0xa5, count * sizeof *old);
		free(old);
	}
	*kept = moved;
}

static void *storm(void *number)
{
	char name[32];
	static char **kept;
	pthread_barrier_wait(&start);
	for (unsigned i = 0; !over; i++) {
		pthread_mutex_lock(&lock);
		snprintf(name, sizeof name, "STORM_%ld_%u", (long)number, i % NAMES);
		setenv(name, "some value that takes a few bytes more", 1);
		snprintf(name, sizeof name, "STORM_%ld_%u", (long)number, i * 7 % NAMES);
		unsetenv(name);
		move_list(&kept);
		move_list(&kept);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static int run_process(void)
{
	pthread_t threads[STORMS];
	pthread_barrier_init(&start, NULL, STORMS + 1);
	for (long i = 0; i < STORMS; i++)
		if (pthread_create(&threads[i], NULL, storm, (void *)i) != 0)
			return 3;
	pthread_barrier_wait(&start);
	const int wrong = work_dgemm(20);
	over = 1;
	for (int i = 0; i < STORMS; i++)
		pthread_join(threads[i], NULL);
	return wrong;
}

int main(void)
{
	int fine = 0, status;
	setenv("EPOCHLY_GPU_POLICY", "never", 1); /* set in time */
	for (int i = 0; i < PROCESSES + AT_ONCE; i++) {
		if (i >= AT_ONCE && wait(&status) > 0)
			fine += status == 0;
		if (i < PROCESSES && fork() == 0)
			exit(run_process());
	}
	printf("%d of %d processes are fine\n", fine, PROCESSES);
	return fine != PROCESSES;
}
