/* matrix_endings.c - every way in which a program ends */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "matrix.h"

static int end_return(void)
{
	matrix_work();
	matrix_say("returns");
	return 5;
}

static int end_exit(void)
{
	matrix_work();
	matrix_say("exits");
	exit(6);
}

static int end_at_once(void)
{
	matrix_work();
	matrix_say("ends at once");
	_exit(7);
}

static int end_by_kernel(void)
{
	matrix_work();
	matrix_say("asks the kernel");
	syscall(SYS_exit_group, 8);
	return 3;
}

static void work_at_exit(void)
{
	matrix_work();
	matrix_say("handler of exit");
}

static int end_with_handler(void)
{
	atexit(work_at_exit);
	matrix_work();
	return 9;
}

/* The first call of all comes after main. */
static int end_with_first_call(void)
{
	atexit(work_at_exit);
	return 10;
}

static int end_quickly(void)
{
	at_quick_exit(work_at_exit);
	matrix_work();
	quick_exit(11);
}

static void *exit_there(void *unused)
{
	(void)unused;
	matrix_work();
	exit(12);
}

static int end_in_thread(void)
{
	pthread_t thread;
	matrix_work();
	if (pthread_create(&thread, NULL, exit_there, NULL) != 0)
		return 3;
	while (pause() != 0)
		;
	return 3;
}

static void *work_on(void *unused)
{
	matrix_work();
	matrix_say("last thread");
	return unused;
}

/* The process ends with its last thread, with 0. */
static int end_main_thread(void)
{
	pthread_t thread;
	matrix_work();
	if (pthread_create(&thread, NULL, work_on, NULL) == 0)
		pthread_exit(NULL);
	return 3;
}

static int end_by(int number)
{
	const struct rlimit no_core = {0, 0};
	setrlimit(RLIMIT_CORE, &no_core);
	matrix_work();
	matrix_say("gets a signal");
	kill(getpid(), number);
	while (pause() != 0)
		;
	return 3;
}

static int end_aborted(void)
{
	return end_by(SIGABRT);
}

static int end_terminated(void)
{
	return end_by(SIGTERM);
}

static int end_killed(void)
{
	return end_by(SIGKILL);
}

static int end_faulty(void)
{
	return end_by(SIGBUS);
}

static int end_interrupted(void)
{
	return end_by(SIGINT);
}

const struct situation matrix_endings[] = {
	{"return", end_return, "the status, the output and the log are complete"},
	{"exit", end_exit, "the same"},
	{"end-at-once", end_at_once, "`_exit`: nothing waits; nothing stays behind"},
	{"exit-group", end_by_kernel, "the same by the system call"},
	{"atexit", end_with_handler, "calls in handlers of exit run on the CPU"},
	{"first-at-exit", end_with_first_call, "the same if they are the first of all"},
	{"quick-exit", end_quickly, "the same for `quick_exit`"},
	{"exit-in-thread", end_in_thread, "the process ends with that status"},
	{"pthread-exit-main", end_main_thread, "the process ends when its last own thread ends"},
	{"aborted", end_aborted, "the signal ends the process as without the shim"},
	{"terminated", end_terminated, "the same"},
	{"killed", end_killed, "the same; nothing stays behind"},
	{"faulty", end_faulty, "the same"},
	{"interrupted", end_interrupted, "the same"},
	{NULL, NULL, NULL}};
