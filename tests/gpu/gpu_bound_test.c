/* gpu_bound_test.c - the thread that calls is bound to a processor, the shim's threads are not */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_check_lapack.h"
#include "shim/execute/gpu/copy/copiers.h"

enum { ORDER = 256, COPIERS = 2 };

static sem_t over;

/* A thread of the program that is not bound, as the others of a team are bound elsewhere. */
static void *wait_for_end(void *unused)
{
	sem_wait(&over);
	return unused;
}

/* As OpenMP does with OMP_PROC_BIND. false: there is one processor only. */
static bool bind_to_first(void)
{
	cpu_set_t own, first;
	size_t number = 0;
	if (sched_getaffinity(0, sizeof own, &own) != 0 || CPU_COUNT(&own) < 2)
		return false;
	while (!CPU_ISSET(number, &own))
		number++;
	CPU_ZERO(&first);
	CPU_SET(number, &first);
	return sched_setaffinity(0, sizeof first, &first) == 0;
}

/* Its copies are made by copy threads, and cuSOLVER is called by the lane's thread. */
static void solve(int device)
{
	const struct gpu_check_lapack wanted = {
		.family = FAMILY_GESV, .element = ELEMENT_D, .m = ORDER, .n = ORDER, .nrhs = ORDER};
	EXPECT(gpu_check_run_lapack(&wanted, device) == REASON_NONE, "a solve");
}

static bool is_named(const char *number, const char *name)
{
	char path[64], own[32] = "";
	snprintf(path, sizeof path, "/proc/self/task/%.16s/comm", number);
	FILE *file = fopen(path, "r");
	if (file == NULL)
		return false;
	const bool read = fgets(own, sizeof own, file) != NULL;
	fclose(file);
	return read && strncmp(own, name, strlen(name)) == 0;
}

/* Threads of the name, of which none is bound to one processor. */
static int count_free(const char *name)
{
	int count = 0;
	DIR *tasks = opendir("/proc/self/task");
	for (const struct dirent *one; tasks != NULL && (one = readdir(tasks)) != NULL;) {
		cpu_set_t own;
		if (!is_named(one->d_name, name) ||
		    sched_getaffinity(atoi(one->d_name), sizeof own, &own) != 0)
			continue;
		EXPECT(CPU_COUNT(&own) > 1, "%s is bound as the thread that calls", name);
		count++;
	}
	if (tasks != NULL)
		closedir(tasks);
	return count;
}

/* Threads without work end after a quarter of a second: on a busy machine they may be gone. */
static bool sees_threads(int device)
{
	solve(device);
	const int copiers = count_free("gpushim-copy"), solvers = count_free("gpushim-solve");
	return copiers > 0 && solvers > 0;
}

int main(void)
{
	enum { SKIPPED = 77, TRIES = 20 };
	pthread_t other;
	sem_init(&over, 0, 0);
	EXPECT(pthread_create(&other, NULL, wait_for_end, NULL) == 0, "no thread");
	if (!bind_to_first()) {
		printf("gpu_bound: skipped, one processor only\n");
		return SKIPPED;
	}
	const int device = gpu_check_start(0);
	copiers_set_count(COPIERS);
	bool seen = false;
	for (int i = 0; i < TRIES && !seen; i++)
		seen = sees_threads(device);
	EXPECT(seen, "no copy thread, or no thread of the lane's");
	sem_post(&over);
	pthread_join(other, NULL);
	return gpu_check_end("gpu_bound");
}
