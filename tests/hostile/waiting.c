/* waiting.c - signals, jumps and children while a call waits for CUDA; usage: waiting WAY */
/* SPDX-License-Identifier: Apache-2.0 */
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "hostile_work.h"

enum { ALARM_MS = 20, ALARMS_LEAST = 4, LIMIT_MS = 10000, STEP_MS = 5, STACK_BYTES = 1 << 16 };

static volatile sig_atomic_t alarms, forks;
static sigjmp_buf back;
static int wrong;
static char *self;

static void work(int rounds)
{
	for (int i = 0; i < rounds; i++)
		wrong += work_dgemm(20 + i);
}

static void pause_ms(int ms)
{
	nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL);
}

static void set_alarm(void (*handler)(int), int repeated)
{
	const struct timeval step = {0, ALARM_MS * 1000}, none = {0, 0};
	const struct itimerval timer = {repeated ? step : none, step};
	const struct sigaction action = {.sa_handler = handler};
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

static void stop_alarm(void)
{
	const struct itimerval never = {{0, 0}, {0, 0}};
	setitimer(ITIMER_REAL, &never, NULL);
}

/* The BLAS library may have threads. */
static void count_alarm(int number)
{
	(void)number;
	if (gettid() == getpid())
		alarms = alarms + 1;
}

/* A call that takes hundreds of milliseconds takes the signals of that time. */
static void take_alarms(void)
{
	set_alarm(count_alarm, 1);
	work(1);
	const int taken = alarms;
	stop_alarm();
	printf("alarms %s\n", taken >= ALARMS_LEAST ? "taken" : "held up");
}

static void jump(int number)
{
	(void)number;
	if (gettid() == getpid())
		siglongjmp(back, 1);
}

static void jump_away(void)
{
	if (sigsetjmp(back, 1) == 0) {
		set_alarm(jump, 1);
		work(1);
		puts("not interrupted");
	} else {
		stop_alarm();
		puts("jumped away");
	}
}

static void fork_once(int number)
{
	(void)number;
	if (gettid() != getpid() || forks++ > 0)
		return;
	const pid_t child = fork();
	if (child == 0)
		_exit(0);
	int status = -1;
	wrong += waitpid(child, &status, 0) != child || status != 0;
}

static void fork_in_handler(void)
{
	set_alarm(fork_once, 1);
	work(1);
	stop_alarm();
	printf("forked %d\n", forks > 0);
}

/* -- a waiting process is ended -- */

/* Whether the process has a thread that starts CUDA. */
static int starts_cuda(pid_t process)
{
	char command[120];
	snprintf(command, sizeof command, "grep -qsx gpushim-warmup /proc/%d/task/*/comm",
	         (int)process);
	return system(command) == 0;
}

static void be_terminated(void)
{
	int status = -1;
	const pid_t child = fork();
	if (child == 0) {
		work(1);
		_exit(1);
	}
	pid_t ended = 0;
	for (int i = 0; ended == 0 && !starts_cuda(child) && i < LIMIT_MS / STEP_MS; i++) {
		pause_ms(STEP_MS);
		ended = waitpid(child, &status, WNOHANG);
	}
	if (ended == 0) {
		kill(child, SIGTERM);
		waitpid(child, &status, 0);
	}
	printf("ended by signal %d\n", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
}

/* -- children of all kinds while CUDA starts in the background -- */

static void await(pid_t child, const char *kind)
{
	int status = -1;
	waitpid(child, &status, 0);
	printf("%s %x\n", kind, (unsigned)status);
	fflush(stdout);
}

static void end_working(void)
{
	alarm(20);
	work(2);
	exit(wrong);
}

static int end_at_once(void *unused)
{
	(void)unused;
	_exit(0);
}

static pid_t spawn(void)
{
	char *words[] = {self, "plain", NULL}, *none[] = {NULL};
	pid_t child = -1;
	return posix_spawn(&child, self, NULL, NULL, words, none) == 0 ? child : -1;
}

static void make_children(void)
{
	static char stack[STACK_BYTES] __attribute__((aligned(64)));
	work(1);
	fflush(stdout);
	pid_t child = (pid_t)syscall(SYS_fork);
	if (child == 0)
		end_working();
	await(child, "raw fork");
	child = fork();
	if (child == 0)
		end_working();
	await(child, "fork");
	child = vfork();
	if (child == 0)
		_exit(0);
	await(child, "vfork");
	await(spawn(), "spawn");
	await(clone(end_at_once, stack + STACK_BYTES, CLONE_VM | CLONE_VFORK | SIGCHLD, NULL),
	      "clone");
}

static const struct {
	const char *name;
	void (*run)(void);
} ways[] = {{"alarms", take_alarms},
            {"jump", jump_away},
            {"handler", fork_in_handler},
            {"terminated", be_terminated},
            {"children", make_children}};

int main(int argc, char **argv)
{
	self = argv[0];
	for (size_t i = 0; argc > 1 && i < sizeof ways / sizeof ways[0]; i++)
		if (strcmp(argv[1], ways[i].name) == 0)
			ways[i].run();
	work(3);
	if (argc > 1 && strcmp(argv[1], "plain") != 0)
		printf("%d wrong\n", wrong);
	return wrong != 0;
}
