/* signals.c - handlers that call, handlers that jump, cancelled threads; usage: signals WAY */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "interrupted.h"

enum { SMALL = 4, MIDDLE = 48, LARGE = 200, PATIENCE_S = 20 };

static struct operands in_main, in_handler;
static atomic_long wrong, handled;
static sigjmp_buf back;
static atomic_bool may_jump;

static void note(bool right)
{
	if (!right)
		wrong++;
}

static void on(int number, void (*handler)(int), int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
	sigemptyset(&action.sa_mask);
	if (sigaction(number, &action, NULL) != 0)
		exit(3);
}

/* One signal after so many microseconds; 0: none any more. */
static void alarm_once(int us)
{
	const struct itimerval once = {{0, 0}, {0, us}};
	setitimer(ITIMER_REAL, &once, NULL);
}

static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* All that follows an interruption: this thread's calls, and those of two others. */
static void *work_after(void *argument)
{
	const struct operands own =
		argument != NULL ? *(struct operands *)argument : operands_make(LARGE);
	for (int i = 0; i < 2; i++)
		note(multiply(&own, SMALL) & multiply(&own, MIDDLE) & multiply(&own, LARGE) &
		     multiply_cblas(&own, MIDDLE) & multiply_complex(&own, MIDDLE));
	if (argument == NULL)
		free(own.a);
	return NULL;
}

static void work_on(const char *part)
{
	pthread_t thread[2];
	watch_part(part);
	work_after(&in_main);
	for (int i = 0; i < 2; i++)
		if (pthread_create(&thread[i], NULL, work_after, NULL) != 0)
			exit(3);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
}

/* -- handlers that call ------------------------------------------------------------------------ */

/* The pause after a handler, so that the program goes on, however long handlers take. */
static volatile int pause_us;

static void call_within(int number)
{
	(void)number;
	note(multiply(&in_handler, MIDDLE) & multiply_complex(&in_handler, MIDDLE));
	handled++;
	alarm_once(pause_us);
}

static void call_small_within(int number)
{
	(void)number;
	note(multiply(&in_handler, SMALL) & multiply_cblas(&in_handler, SMALL));
	handled++;
	alarm_once(pause_us);
}

static void work_under(void (*handler)(int), int us, double until_s, int flags)
{
	const double end = seconds() + until_s;
	pause_us = us;
	on(SIGALRM, handler, flags);
	alarm_once(us);
	while (seconds() < end || handled == 0)
		note(multiply(&in_main, LARGE) & multiply_cblas(&in_main, MIDDLE) &
		     multiply_complex(&in_main, MIDDLE) & multiply(&in_main, SMALL));
	pause_us = 0;
	alarm_once(0);
	printf("handlers ran\n");
}

static void nested(void)
{
	watch_part("a handler that calls");
	work_under(call_within, 3000, 0.2, SA_RESTART);
	work_on("after the handlers");
}

static void storm(void)
{
	watch_part("a storm of handlers");
	work_under(call_small_within, 100, 0.2, SA_RESTART);
	work_on("after the storm");
}

/* The first call of the process, and so CUDA's start, is interrupted too. */
static void on_stack(void)
{
	static char room[1 << 18];
	const stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
	if (sigaltstack(&stack, NULL) != 0)
		exit(3);
	watch_part("a handler on a stack of its own");
	work_under(call_within, 3000, 0.2, SA_RESTART | SA_ONSTACK);
	work_on("after the handlers");
}

/* -- handlers that jump ------------------------------------------------------------------------ */

static void jump(int number)
{
	handled++;
	if (atomic_exchange(&may_jump, false))
		siglongjmp(back, number);
}

static void leave_once(int us)
{
	if (sigsetjmp(back, 1) == 0) {
		may_jump = true;
		alarm_once(us);
		for (;;)
			note(multiply(&in_main, LARGE) & multiply_cblas(&in_main, MIDDLE) &
			     multiply(&in_main, SMALL));
	}
}

static __attribute__((noinline)) void leave_deeper(int us, int depth)
{
	volatile char room[512];
	room[0] = 0;
	if (depth == 0)
		leave_once(us);
	else
		leave_deeper(us, depth - 1);
	room[1] = room[0];
}

static void jumps(int flags)
{
	on(SIGALRM, jump, flags);
	for (int i = 0; i < 16; i++) {
		watch_part("calls that are left");
		leave_deeper(500 + 1777 * i, i % 7);
		watch_part("the next call");
		note(multiply(&in_main, LARGE) & multiply(&in_main, SMALL));
	}
	work_on("after the jumps");
}

static void jump_away(void)
{
	jumps(0);
}

static void jump_on_stack(void)
{
	static char room[1 << 16];
	const stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
	if (sigaltstack(&stack, NULL) != 0)
		exit(3);
	jumps(SA_ONSTACK);
}

/* A thread leaves a call and ends, another leaves one and never calls again. */
static void *leave_and_end(void *argument)
{
	static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
	const struct operands own = operands_make(LARGE);
	(void)argument;
	pthread_mutex_lock(&one);
	if (sigsetjmp(back, 1) == 0) {
		sigset_t set;
		sigemptyset(&set);
		sigaddset(&set, SIGUSR1);
		pthread_sigmask(SIG_UNBLOCK, &set, NULL);
		may_jump = true;
		for (;;)
			multiply(&own, LARGE);
	}
	pthread_mutex_unlock(&one);
	free(own.a);
	return NULL;
}

static void jump_and_end(void)
{
	pthread_t thread;
	on(SIGUSR1, jump, 0);
	for (int i = 0; i < 8; i++) {
		watch_part("a thread that leaves a call and ends");
		const struct timespec pause = {0, 3000000L + 500000L * i};
		if (pthread_create(&thread, NULL, leave_and_end, NULL) != 0)
			exit(3);
		nanosleep(&pause, NULL);
		while (!may_jump)
			sched_yield();
		pthread_kill(thread, SIGUSR1);
		pthread_join(thread, NULL);
	}
	work_on("after the threads");
}

/* -- memory that is not there ------------------------------------------------------------------ */

/* On one processor no thread but the caller copies, and so its own handler runs. */
static void use_one_processor(void)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(sched_getcpu(), &set);
	sched_setaffinity(0, sizeof set, &set);
}

static void fault(void)
{
	use_one_processor();
	const size_t bytes = sizeof(double) * LARGE * LARGE;
	double *hole = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (hole == MAP_FAILED)
		exit(3);
	on(SIGSEGV, jump, 0);
	for (int i = 0; i < 6; i++) {
		struct operands holed = in_main;
		multiply_fill(&in_main, LARGE);
		if (i % 3 == 0)
			holed.a = hole;
		else if (i % 3 == 1)
			holed.b = hole;
		else
			holed.c = hole;
		watch_part("a call that faults");
		may_jump = true;
		if (sigsetjmp(back, 1) == 0) {
			multiply_call(&holed, LARGE);
			wrong++;
		}
		watch_part("the call after a fault");
		note(multiply(&in_main, LARGE));
	}
	work_on("after the faults");
}

/* -- cancelled threads ------------------------------------------------------------------------- */

static void *calls_for_ever(void *argument)
{
	const struct operands *own = argument;
	for (;;)
		if (!multiply(own, LARGE) || !multiply(own, SMALL) || !multiply_cblas(own, MIDDLE))
			wrong++;
	return NULL;
}

static void *calls_asynchronously(void *argument)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	return calls_for_ever(argument);
}

static void *calls_and_asks(void *argument)
{
	const struct operands *own = argument;
	for (;;) {
		note(multiply(own, LARGE) & multiply(own, SMALL));
		pthread_testcancel();
	}
	return NULL;
}

static void cancel(int count, void *(*run)(void *))
{
	const struct operands own = operands_make(LARGE);
	for (int i = 0; i < count; i++) {
		const struct timespec pause = {0, 200000L + 37000L * (i % 97)};
		pthread_t thread;
		if (pthread_create(&thread, NULL, run, (void *)&own) != 0)
			exit(3);
		nanosleep(&pause, NULL);
		pthread_cancel(thread);
		pthread_join(thread, NULL);
	}
	free(own.a);
}

static void cancelled(void)
{
	const char *count = getenv("CANCELS");
	watch_part("cancelled threads");
	cancel(count != NULL ? atoi(count) : 5, calls_asynchronously);
	watch_part("threads cancelled between calls");
	cancel(10, calls_and_asks);
	work_on("after the threads");
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} ways[] = {{"nested", nested},
	            {"storm", storm},
	            {"on-stack", on_stack},
	            {"jump", jump_away},
	            {"jump-on-stack", jump_on_stack},
	            {"jump-and-end", jump_and_end},
	            {"fault", fault},
	            {"cancelled", cancelled}};
	const char *way = argc > 1 ? argv[1] : "";
	in_main = operands_make(LARGE);
	in_handler = operands_make(MIDDLE);
	watch_for(PATIENCE_S);
	for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
		if (strcmp(way, ways[i].name) == 0)
			ways[i].run();
	printf("%ld wrong results\n", (long)wrong);
	return wrong != 0;
}
