/* openmp_watch.c - a thread that looks at all others of the program, again and again */
/* SPDX-License-Identifier: Apache-2.0 */
#include "openmp_watch.h"

#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { THREADS = 1 << 16 };

static atomic_bool over;
static int looks, crowded, most;
static int seen[THREADS]; /* by number: looks at which it had the program's name */
static pid_t watcher;
static pthread_t watching;

/*
 * The nanoseconds that it ran are the first word of schedstat. On a busy machine a new thread may
 * wait for its first run through many looks, with its maker's name.
 */
static bool has_run(const char *number)
{
	char path[64];
	unsigned long long run_ns = 1;
	snprintf(path, sizeof path, "/proc/self/task/%.16s/schedstat", number);
	FILE *file = fopen(path, "r");
	if (file == NULL)
		return true;
	const bool read = fscanf(file, "%llu", &run_ns) == 1;
	fclose(file);
	return !read || run_ns > 0;
}

/*
 * Of the fields behind the name: state, five others, the kernel's flags of the thread. One that ends
 * has the state of one that runs until it is gone.
 */
static bool is_running(const char *fields)
{
	enum { EXITING = 4 };
	char state;
	unsigned flags;
	return sscanf(fields, " %c %*s %*s %*s %*s %*s %u", &state, &flags) == 2 && state == 'R' &&
	       (flags & EXITING) == 0;
}

/* A line of /proc/self/task/NUMBER/stat: number (name) state ... Whether it runs. */
static bool look_at(const char *number)
{
	char path[64], line[512], *name, *end;
	const int thread = atoi(number);
	if (number[0] == '.' || thread == watcher)
		return false;
	snprintf(path, sizeof path, "/proc/self/task/%.16s/stat", number);
	FILE *file = fopen(path, "r");
	if (file == NULL)
		return false;
	const bool read = fgets(line, sizeof line, file) != NULL;
	fclose(file);
	if (!read || (name = strchr(line, '(')) == NULL || (end = strrchr(line, ')')) == NULL)
		return false;
	const bool runs = is_running(end + 1);
	*end = '\0';
	name++;
	if (strncmp(name, "cuda-", 5) == 0 || !has_run(number))
		return false;
	if (strncmp(name, "gpushim", 7) != 0)
		seen[thread % THREADS]++;
	return runs;
}

/* Threads that run, but for the calling one. */
static int count_running(void)
{
	int running = 0;
	DIR *tasks = opendir("/proc/self/task");
	for (const struct dirent *one; tasks != NULL && (one = readdir(tasks)) != NULL;)
		running += look_at(one->d_name);
	if (tasks != NULL)
		closedir(tasks);
	return running;
}

static void *watch(void *unused)
{
	watcher = (pid_t)syscall(SYS_gettid);
	for (; !atomic_load(&over); looks++)
		crowded += count_running() > most;
	return unused;
}

/*
 * Threads of OpenBLAS look for work for some 30 ms after a call, with the shim and without: they
 * would count as running in a region whose calls do not use them.
 */
static void watch_await_sleep(void)
{
	watcher = (pid_t)syscall(SYS_gettid);
	while (count_running() > 0)
		sched_yield();
	memset(seen, 0, sizeof seen);
}

/* Those that were seen at more than so many looks. */
static int count_seen(int least)
{
	int count = 0;
	for (int i = 0; i < THREADS; i++)
		count += seen[i] > least;
	return count;
}

void watch_begin(int limit)
{
	most = limit;
	watch_await_sleep();
	if (pthread_create(&watching, NULL, watch, NULL) != 0)
		exit(1);
}

void watch_end(void)
{
	atomic_store(&over, true);
	pthread_join(watching, NULL);
	fprintf(stderr, "looks %d %d %d %d\n", looks, crowded, count_seen(looks / 3),
	        count_seen(0));
}
