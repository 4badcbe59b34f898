/* coverage_clock.c - a program that takes the time of its calls, to be compared with coverage's */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/coverage/coverage_slow.h"
#include "tests/driver/acts.h"

enum {
	CLOCK_THREADS = 64,
	CLOCK_MS = 60,
	CLOCK_PAUSE_MS = 90,
	CLOCK_COMPUTE_MS = 300,
	CLOCK_PROFILE_US = 5000
};

/* What coverage is to say: a name of its figures, and the time by the clock. */
static void clock_tell(const char *name, int64_t since_ns)
{
	printf("%s %lld\n", name, (long long)(slow_now_ns() - since_ns));
	fflush(stdout);
}

static void clock_multiply(int ms)
{
	const double zero = 0;
	double c = 0;
	dgemm_("N", "N", &ms, &ms, &ms, &zero, &c, &ms, &c, &ms, &zero, &c, &ms);
}

/* Each kind of routine alone, with pauses between them. */
static int clock_each(void)
{
	const int ms = CLOCK_MS, one = 1, query = -1;
	int info = 1, integer = 1;
	double x = 0;
	int64_t start_ns = slow_now_ns();
	clock_multiply(CLOCK_MS);
	clock_tell("dgemm_", start_ns);
	slow_wait(CLOCK_PAUSE_MS);
	start_ns = slow_now_ns();
	ddot_(&ms, &x, &one, &x, &one);
	clock_tell("level-1", start_ns);
	dsyevd_("V", "L", &ms, &x, &ms, &x, &x, &query, &integer, &query, &info, 1, 1);
	start_ns = slow_now_ns();
	dsyevd_("V", "L", &ms, &x, &ms, &x, &x, &ms, &integer, &ms, &info, 1, 1);
	clock_tell("dsyevd_", start_ns);
	start_ns = slow_now_ns();
	dqrls_(&x, &ms, &one);
	clock_tell("LINPACK", start_ns);
	start_ns = slow_now_ns();
	_gfortran_matmul_r8(&x, &ms, &one);
	clock_tell("matmul", start_ns);
	return info;
}

/* dgecon_ and dgemm_ have half of the time each, and the whole is not counted twice. */
static int clock_nested(void)
{
	const int ms = 2 * CLOCK_MS;
	int info = 1, pivots[1];
	double x = 0;
	const int64_t start_ns = slow_now_ns();
	dgecon_(&ms, &ms, &x, &ms, pivots, &info);
	clock_tell("calls", start_ns);
	printf("dgecon_ %lld\ndgemm_ %lld\n", CLOCK_MS * 1000000LL, CLOCK_MS * 1000000LL);
	return info;
}

/* Of each thread: the call from outside, and the routine within it. */
static struct slow_span clock_outer[CLOCK_THREADS], clock_inner[CLOCK_THREADS];

static void *clock_run_thread(void *argument)
{
	struct slow_span *outer = argument;
	outer->start_ns = slow_now_ns();
	clock_multiply(CLOCK_MS);
	outer->end_ns = slow_now_ns();
	clock_inner[outer - clock_outer] = slow_span;
	return NULL;
}

static int clock_compare_spans(const void *a, const void *b)
{
	const struct slow_span *left = a, *right = b;
	return (left->start_ns > right->start_ns) - (left->start_ns < right->start_ns);
}

/* While at least one thread was in its call; *sum_ns: the sum over the threads. */
static int64_t clock_unite(struct slow_span *spans, int64_t *sum_ns)
{
	int64_t wall_ns = 0, end_ns = 0;
	*sum_ns = 0;
	qsort(spans, CLOCK_THREADS, sizeof spans[0], clock_compare_spans);
	for (int i = 0; i < CLOCK_THREADS; i++) {
		const int64_t start_ns = spans[i].start_ns > end_ns ? spans[i].start_ns : end_ns;
		*sum_ns += spans[i].end_ns - spans[i].start_ns;
		wall_ns += spans[i].end_ns > start_ns ? spans[i].end_ns - start_ns : 0;
		end_ns = spans[i].end_ns > end_ns ? spans[i].end_ns : end_ns;
	}
	return wall_ns;
}

/* A busy machine lets threads wait in front of the call, too: coverage is between the two. */
static void clock_tell_spans(void)
{
	int64_t low_sum_ns = 0, high_sum_ns = 0;
	const int64_t low_ns = clock_unite(clock_inner, &low_sum_ns);
	const int64_t high_ns = clock_unite(clock_outer, &high_sum_ns);
	printf("dgemm_ %lld %lld\n", (long long)low_ns, (long long)high_ns);
	printf("threads %lld %lld\n", (long long)low_sum_ns, (long long)high_sum_ns);
}

/* Beside each other: the wall time of all is about that of one. */
static int clock_threads(void)
{
	pthread_t threads[CLOCK_THREADS];
	for (int i = 0; i < CLOCK_THREADS; i++)
		if (pthread_create(&threads[i], NULL, clock_run_thread, &clock_outer[i]) != 0)
			return 94;
	for (int i = 0; i < CLOCK_THREADS; i++)
		pthread_join(threads[i], NULL);
	clock_tell_spans();
	return 0;
}

static jmp_buf clock_escape;

static void clock_leave(int ms)
{
	(void)ms;
	longjmp(clock_escape, 1);
}

/* A call that never returns is over at the next one, whichever way the stack has grown since. */
static __attribute__((noinline)) int clock_jump_deep(int depth)
{
	volatile char room[256];
	room[0] = (char)depth;
	if (depth > 0)
		return clock_jump_deep(depth - 1) + room[0] * 0;
	clock_multiply(CLOCK_MS);
	return 0;
}

static int clock_jump(void)
{
	const int64_t jump_ns = slow_now_ns();
	slow_handler = clock_leave;
	if (setjmp(clock_escape) == 0)
		clock_multiply(1);
	slow_handler = NULL;
	const int64_t left_ns = slow_now_ns() - jump_ns;
	slow_wait(CLOCK_PAUSE_MS);
	const int64_t start_ns = slow_now_ns();
	clock_jump_deep(20);
	clock_tell("dgemm_", start_ns - left_ns);
	slow_wait(CLOCK_PAUSE_MS);
	return 0;
}

static int64_t clock_start_ns;

static void clock_die(int ms)
{
	slow_wait(ms);
	clock_tell("dgemm_", clock_start_ns);
	raise(SIGKILL);
}

/* Within a call, which then has lasted until the end. */
static int clock_killed(void)
{
	slow_handler = clock_die;
	clock_start_ns = slow_now_ns();
	clock_multiply(CLOCK_MS);
	return 0;
}

/* Both processes compute; the parent waits. */
static int clock_fork(void)
{
	int status = 1;
	const int64_t begin_ns = slow_now_ns();
	clock_multiply(CLOCK_MS);
	const int64_t first_ns = slow_now_ns() - begin_ns;
	const pid_t child = fork();
	if (child == 0) {
		const int64_t again_ns = slow_now_ns();
		clock_multiply(CLOCK_MS);
		const int64_t start_ns = slow_now_ns();
		pocketfft_compute(CLOCK_COMPUTE_MS);
		clock_tell("pocketfft", start_ns);
		clock_tell("dgemm_", slow_now_ns() - (start_ns - again_ns) - first_ns);
		_exit(0);
	}
	waitpid(child, &status, 0);
	return status;
}

static void *clock_compute(void *unused)
{
	(void)unused;
	pocketfft_compute(CLOCK_COMPUTE_MS);
	return NULL;
}

/* In a thread that the first one waits for without using its processor. */
static int clock_sampled(void)
{
	pthread_t thread;
	slow_wait(CLOCK_PAUSE_MS);
	const int64_t start_ns = slow_now_ns();
	if (pthread_create(&thread, NULL, clock_compute, NULL) != 0)
		return 94;
	pthread_join(thread, NULL);
	clock_tell("pocketfft", start_ns);
	return 0;
}

static volatile sig_atomic_t clock_signals;

static void clock_count(int signal)
{
	(void)signal;
	clock_signals++;
}

/* A profiler in the program gets its own signals, and no others. */
static int clock_profiler(void)
{
	struct sigaction action = {.sa_handler = clock_count};
	const struct itimerval interval = {{0, CLOCK_PROFILE_US}, {0, CLOCK_PROFILE_US}};
	sigaction(SIGPROF, &action, NULL);
	setitimer(ITIMER_PROF, &interval, NULL);
	const int64_t start_ns = slow_now_ns();
	pocketfft_compute(CLOCK_COMPUTE_MS);
	clock_tell("pocketfft", start_ns);
	return clock_signals > 0 ? 0 : 95;
}

/* The signal of the samples is the program's, from when it wants it. */
static int clock_signal(void)
{
	struct sigaction action = {.sa_handler = clock_count}, before;
	pocketfft_compute(50);
	if (sigaction(SIGURG, NULL, &before) != 0 || before.sa_handler != SIG_DFL ||
	    sigaction(SIGURG, &action, &before) != 0 || before.sa_handler != SIG_DFL)
		return 97;
	pocketfft_compute(50);
	if (clock_signals != 0)
		return 98;
	raise(SIGURG);
	return clock_signals == 1 ? 0 : 99;
}

/* No wait may be cut short by what samples the program. */
static int clock_interrupted(void)
{
	int interrupted = 0;
	for (int i = 0; i < 200; i++) {
		const struct timespec moment = {0, 100000};
		pocketfft_compute(1);
		interrupted += nanosleep(&moment, NULL) != 0 && errno == EINTR;
	}
	return interrupted > 0 ? 96 : 0;
}

/* Only waits: its time is in no call. */
static int clock_idle(void)
{
	slow_wait(CLOCK_COMPUTE_MS);
	puts("calls 0");
	return 0;
}

/* As short as a program may be. */
static int clock_short(void)
{
	const int64_t start_ns = slow_now_ns();
	clock_multiply(20);
	clock_tell("dgemm_", start_ns);
	return 0;
}

int main(int count, char **words)
{
	static const struct act acts[] = {
		{"each", clock_each},
		{"nested", clock_nested},
		{"threads", clock_threads},
		{"jump", clock_jump},
		{"killed", clock_killed},
		{"fork", clock_fork},
		{"sampled", clock_sampled},
		{"profiler", clock_profiler},
		{"interrupted", clock_interrupted},
		{"idle", clock_idle},
		{"signal", clock_signal},
		{"short", clock_short},
	};
	return acts_run(acts, sizeof acts / sizeof acts[0], count, words);
}
