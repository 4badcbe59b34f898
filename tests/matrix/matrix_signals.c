/* matrix_signals.c - calls in handlers, jumps out of handlers, storms, cancellation, stops */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "matrix.h"

static sigjmp_buf back;
static volatile sig_atomic_t taken;

static void handle(int number, void (*handler)(int), int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
	sigaction(number, &action, NULL);
}

static void on_work(int number)
{
	(void)number;
	matrix_work();
}

static int run_in_handler(void)
{
	handle(SIGUSR1, on_work, 0);
	raise(SIGUSR1);
	matrix_work();
	raise(SIGUSR1);
	matrix_say("main");
	return 0;
}

static void on_jump(int number)
{
	(void)number;
	matrix_products();
	siglongjmp(back, 1);
}

static int run_jump(void)
{
	handle(SIGUSR1, on_jump, 0);
	for (volatile int i = 0; i < 20; i++) {
		if (sigsetjmp(back, 1) == 0)
			raise(SIGUSR1);
		matrix_work();
	}
	matrix_say("main");
	return 0;
}

static void on_alarm(int number)
{
	(void)number;
	taken++;
}

/* Without SA_RESTART: system calls are interrupted all the time. */
static int run_storm(void)
{
	const struct itimerval often = {{0, 300}, {0, 300}}, never = {{0, 0}, {0, 0}};
	handle(SIGALRM, on_alarm, 0);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; i < 30 || taken < 10; i++)
		matrix_work();
	setitimer(ITIMER_REAL, &never, NULL);
	matrix_say("main");
	return 0;
}

static void *work_for_ever(void *started)
{
	for (;;) {
		matrix_work();
		atomic_store((atomic_int *)started, 1);
		pthread_testcancel();
	}
	return NULL;
}

static int run_cancelled(void)
{
	for (int i = 0; i < 6; i++) {
		atomic_int started = 0;
		pthread_t thread;
		if (pthread_create(&thread, NULL, work_for_ever, &started) != 0)
			return 3;
		while (!atomic_load(&started))
			sched_yield();
		pthread_cancel(thread);
		pthread_join(thread, NULL);
		matrix_work();
	}
	matrix_say("main");
	return 0;
}

/* All signals blocked, as in threads that leave them to another one. */
static int run_blocked(void)
{
	sigset_t all, before, after;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	matrix_work();
	sigprocmask(SIG_SETMASK, &before, &after);
	for (int number = 1; number < NSIG; number++)
		if (number != SIGKILL && number != SIGSTOP && sigismember(&after, number) == 0)
			matrix_say("a signal was unblocked");
	matrix_say("main");
	return 0;
}

/* A child that is stopped at any point and continued. */
static int run_stopped(void)
{
	const pid_t child = fork();
	if (child == 0) {
		for (int i = 0; i < 60; i++)
			matrix_products();
		matrix_end_child();
	}
	for (int i = 0; i < 20; i++) {
		kill(child, SIGSTOP);
		kill(child, SIGCONT);
		matrix_products();
	}
	matrix_wait(child);
	matrix_work();
	matrix_say("main");
	return 0;
}

/* No child of ours shows up in the program's wait. */
static int run_no_children(void)
{
	matrix_work();
	if (waitpid(-1, NULL, WNOHANG) != -1)
		matrix_say("there is a child");
	matrix_say("main");
	return 0;
}

const struct situation matrix_signals[] = {
	{"handler", run_in_handler,
         "a handler of a thread at rest calls BLAS, as its first call too"},
	{"siglongjmp", run_jump, "jumps out of such handlers"},
	{"storm", run_storm, "system calls are interrupted all the time"},
	{"cancelled", run_cancelled, "threads that are cancelled between calls"},
	{"blocked", run_blocked, "no signal's mask is changed"},
	{"stopped", run_stopped, "a child that is stopped and continued at any point"},
	{"no-children", run_no_children, "the program's wait sees no child of the shim's"},
	{NULL, NULL, NULL}};
