/* matrix_processes.c - children of every kind, and exec */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "matrix.h"

extern char **environ;

static void fork_and_work(void)
{
	const pid_t child = fork();
	if (child == 0) {
		matrix_work();
		matrix_end_child();
	}
	matrix_wait(child);
}

static int fork_first(void)
{
	fork_and_work();
	matrix_work();
	matrix_say("parent");
	return 0;
}

static int fork_main(void)
{
	matrix_work();
	return fork_first();
}

static void *fork_there(void *unused)
{
	matrix_work();
	fork_and_work();
	return unused;
}

static int fork_thread(void)
{
	pthread_t thread;
	matrix_work();
	if (pthread_create(&thread, NULL, fork_there, NULL) != 0)
		return 3;
	pthread_join(thread, NULL);
	matrix_work();
	matrix_say("parent");
	return 0;
}

static void on_signal(int number)
{
	(void)number;
	fork_and_work();
}

static int fork_handler(void)
{
	const struct sigaction action = {.sa_handler = on_signal};
	matrix_work();
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	matrix_work();
	matrix_say("parent");
	return 0;
}

/* Before main; glibc gives constructors the arguments of main. */
__attribute__((constructor)) static void fork_early(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "fork-constructor") == 0)
		fork_and_work();
}

static int fork_constructor(void)
{
	matrix_work();
	matrix_say("parent");
	return 0;
}

static int fork_often(void)
{
	matrix_work();
	for (int i = 0; i < 8; i++) {
		fork_and_work();
		matrix_products();
	}
	matrix_say("parent");
	return 0;
}

static void *work_at_once(void *ready)
{
	atomic_store((atomic_int *)ready, 1);
	matrix_products();
	return NULL;
}

/* A fork at any moment of another thread's first call. */
static void fork_beside(int delay)
{
	atomic_int ready = 0;
	pthread_t thread;
	if (pthread_create(&thread, NULL, work_at_once, &ready) != 0)
		_exit(3);
	while (!atomic_load(&ready))
		;
	for (volatile int i = 0; i < delay; i++)
		;
	const pid_t child = fork();
	if (child == 0) {
		matrix_products();
		matrix_end_child();
	}
	int status = -1;
	waitpid(child, &status, 0);
	pthread_join(thread, NULL);
	matrix_products();
	_exit(status != 0);
}

static int fork_beside_first(void)
{
	for (int i = 0; i < 24; i++) {
		const pid_t child = fork();
		if (child == 0)
			fork_beside(i * 2000);
		matrix_wait(child);
	}
	matrix_work();
	matrix_say("parent");
	return 0;
}

/* Without the handlers of pthread_atfork. */
static int fork_bare(void)
{
	matrix_work();
	const pid_t child = _Fork();
	if (child == 0) {
		matrix_products();
		matrix_end_child();
	}
	matrix_wait(child);
	matrix_work();
	matrix_say("parent");
	return 0;
}

static int run_vfork(void)
{
	matrix_work();
	const pid_t child = vfork();
	if (child == 0)
		_exit(0);
	matrix_wait(child);
	matrix_work();
	matrix_say("parent");
	return 0;
}

static int run_spawned(void)
{
	char *words[] = {(char *)matrix_self, "return", NULL};
	pid_t child = -1;
	matrix_work();
	if (posix_spawn(&child, matrix_self, NULL, NULL, words, environ) != 0)
		return 3;
	matrix_wait(child);
	matrix_work();
	matrix_say("parent");
	return 0;
}

static int work_in_clone(void *unused)
{
	(void)unused;
	matrix_products();
	return 0;
}

/* A child in the parent's memory, with its thread's locals; the parent waits. */
static int run_clone(void)
{
	enum { STACK = 1 << 20 };
	char *stack = malloc(STACK);
	matrix_work();
	if (stack == NULL)
		return 3;
	matrix_wait(clone(work_in_clone, stack + STACK, CLONE_VM | CLONE_VFORK | SIGCHLD, NULL));
	matrix_work();
	matrix_say("parent");
	free(stack);
	return 0;
}

static int run_exec(void)
{
	char *words[] = {(char *)matrix_self, "return", NULL};
	matrix_work();
	matrix_say("before");
	execv(matrix_self, words);
	return 3;
}

/* As daemons do: a child of a child, in a session of its own. */
static int run_daemon(void)
{
	matrix_work();
	const pid_t child = fork();
	if (child == 0) {
		setsid();
		fork_and_work();
		matrix_work();
		matrix_end_child();
	}
	matrix_wait(child);
	matrix_say("parent");
	return 0;
}

const struct situation matrix_processes[] = {
	{"fork-first", fork_first, "a child before any call is a program of its own"},
	{"fork-main", fork_main,
         "the child's calls run on the CPU; its counters and lines are its own"},
	{"fork-thread", fork_thread, "the same for a fork in another thread"},
	{"fork-handler", fork_handler, "the same for a fork in a signal handler"},
	{"fork-constructor", fork_constructor, "the same for a fork before main"},
	{"fork-often", fork_often, "many children, also while CUDA starts"},
	{"fork-beside-first", fork_beside_first,
         "a child does not inherit a lock that another thread's first call holds"},
	{"fork-bare", fork_bare, "`_Fork`, which runs no handlers: as for a fork"},
	{"vfork", run_vfork, "nothing of the shim runs in the child"},
	{"posix-spawn", run_spawned, "the new program starts afresh"},
	{"clone-vm", run_clone, "calls in the parent's memory, while it waits, are like its own"},
	{"exec", run_exec, "the new program starts afresh; nothing is left of the old one"},
	{"daemon", run_daemon, "a child of a child in a new session"},
	{NULL, NULL, NULL}};
