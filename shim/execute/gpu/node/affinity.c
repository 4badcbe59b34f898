/* affinity.c - asks the kernel for the processors of each thread of the process */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/node/affinity.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "policy/text/number.h"

/* A thread that has ended meanwhile adds nothing. */
static void affinity_add(pid_t thread, cpu_set_t *set)
{
	cpu_set_t own;
	if (sched_getaffinity(thread, sizeof own, &own) == 0)
		CPU_OR(set, set, &own);
}

bool affinity_of_first(cpu_set_t *set)
{
	return sched_getaffinity(getpid(), sizeof *set, set) == 0;
}

bool affinity_of_process(cpu_set_t *set)
{
	CPU_ZERO(set);
	affinity_add(0, set);
	affinity_add(getpid(), set);
	DIR *tasks = opendir("/proc/self/task");
	for (const struct dirent *entry; tasks != NULL && (entry = readdir(tasks)) != NULL;)
		if (entry->d_name[0] != '.')
			affinity_add((pid_t)number_scan_count(entry->d_name, NULL), set);
	if (tasks != NULL)
		closedir(tasks);
	return CPU_COUNT(set) > 0;
}

static bool affinity_try(size_t stack_bytes, const cpu_set_t *set, void *(*run)(void *),
                         void *argument)
{
	pthread_t thread;
	pthread_attr_t attributes;
	if (pthread_attr_init(&attributes) != 0)
		return false;
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, stack_bytes);
	const bool made =
		(set == NULL || pthread_attr_setaffinity_np(&attributes, sizeof *set, set) == 0) &&
		pthread_create(&thread, &attributes, run, argument) == 0;
	pthread_attr_destroy(&attributes);
	return made;
}

bool affinity_make_thread(size_t stack_bytes, const cpu_set_t *set, void *(*run)(void *),
                          void *argument)
{
	cpu_set_t all;
	if (set == NULL && affinity_of_process(&all))
		set = &all;
	return (set != NULL && affinity_try(stack_bytes, set, run, argument)) ||
	       affinity_try(stack_bytes, NULL, run, argument);
}

/* A new thread inherits the mask. */
bool affinity_make_silent_thread(size_t stack_bytes, void *(*run)(void *), void *argument)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	const bool made = affinity_make_thread(stack_bytes, NULL, run, argument);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return made;
}
