/* fft_shared.c - batches that the CPU shares: plans' lives, threads, alignment, flags, no leak */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fftw3.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fft_tone.h"

enum {
	N = 120,
	HALF = N / 2 + 1,
	ROWS = 40,
	RUNS = 4,
	THREADS = 4,
	ROUNDS = 20,
	PLANS = 16,
	LEAK_BYTES = 4096
};

static fftw_complex *in, *out;
static const int length = N;

static fftw_complex *allocate(int rows)
{
	return fftw_alloc_complex((size_t)rows * N);
}

static fftw_complex *row_of(fftw_complex *x, int row, int n)
{
	return x + (size_t)row * (size_t)n;
}

static bool is_same(const fftw_complex *x, const fftw_complex *y, int count)
{
	bool same = true;
	for (int i = 0; i < count; i++)
		same = same && x[i][0] == y[i][0] && x[i][1] == y[i][1];
	return same;
}

static fftw_plan plan_of(int n, fftw_complex *from, fftw_complex *to, unsigned flags)
{
	return fftw_plan_many_dft(1, &n, ROWS, from, NULL, 1, n, to, NULL, 1, n, FFTW_FORWARD,
	                          flags);
}

static fftw_plan plan_on(fftw_complex *from, fftw_complex *to, unsigned flags)
{
	return plan_of(N, from, to, flags);
}

static bool run_of(int n, fftw_plan plan, fftw_complex *from, fftw_complex *to)
{
	bool right = true;
	for (int row = 0; row < ROWS; row++)
		tone_fill(row_of(from, row, n), n, row);
	fftw_execute_dft(plan, from, to);
	for (int row = 0; row < ROWS; row++)
		right = tone_is_peak((const fftw_complex *)row_of(to, row, n), n, row, n) && right;
	return right;
}

static bool run(fftw_plan plan, fftw_complex *from, fftw_complex *to)
{
	return run_of(N, plan, from, to);
}

static bool run_often(fftw_plan plan, int runs)
{
	bool right = true;
	for (int i = 0; i < runs; i++)
		right = run(plan, in, out) && right;
	return right;
}

/* -- arrays and flags -- */

static void change_arrays(void)
{
	fftw_complex *other = allocate(ROWS + 1), *odd = (fftw_complex *)((double *)other + 1);
	fftw_plan plan = plan_on(in, out, FFTW_ESTIMATE), place = plan_on(in, in, FFTW_ESTIMATE),
		  any = plan_on(in, out, FFTW_ESTIMATE | FFTW_UNALIGNED);
	tone_tell("new arrays", run(plan, other, out) && run(plan, in, other));
	tone_tell("less aligned", run(any, in, out) && run(any, odd, out) && run(any, in, odd));
	tone_tell("in place", run(place, in, in) && run(place, other, other));
	fftw_destroy_plan(plan);
	fftw_destroy_plan(place);
	fftw_destroy_plan(any);
	fftw_free(other);
}

/* A plan that keeps its input keeps all of it. */
static void keep_input(unsigned flags, bool kept)
{
	double *real = fftw_alloc_real((size_t)N * ROWS);
	const size_t size_bytes = sizeof(fftw_complex) * HALF * ROWS;
	fftw_plan plan = fftw_plan_many_dft_c2r(1, &length, ROWS, out, NULL, 1, HALF, real, NULL, 1,
	                                        N, FFTW_ESTIMATE | flags);
	memset(out, 0, size_bytes);
	for (int row = 0; row < ROWS; row++)
		out[row * HALF + 3][0] = 1;
	memcpy(in, out, size_bytes);
	fftw_execute(plan);
	bool right =
		!kept || is_same((const fftw_complex *)in, (const fftw_complex *)out, HALF * ROWS);
	for (int row = 0; row < ROWS; row++)
		right = tone_is_real(real + (size_t)row * N, N, 3, 2) && right;
	tone_tell(kept ? "an input that is kept" : "an input that may be lost", right);
	fftw_destroy_plan(plan);
	fftw_free(real);
}

/* -- plans' lives -- */

static void *destroy(void *plan)
{
	fftw_destroy_plan(plan);
	return NULL;
}

static void destroy_elsewhere(void)
{
	bool right = true;
	for (int i = 0; i < ROUNDS; i++) {
		pthread_t thread;
		fftw_plan plan = plan_on(in, out, FFTW_ESTIMATE);
		right = run(plan, in, out) && right;
		pthread_create(&thread, NULL, destroy, plan);
		pthread_join(thread, NULL);
	}
	tone_tell("destroyed by another thread", right);
}

static void clean_up(void)
{
	fftw_plan plan = plan_on(in, out, FFTW_ESTIMATE);
	bool right = run_often(plan, RUNS);
	fftw_cleanup();
	right = run_often(plan, RUNS) && right;
	fftw_destroy_plan(plan);
	plan = plan_on(in, out, FFTW_ESTIMATE);
	right = run_often(plan, RUNS) && right;
	fftw_destroy_plan(plan);
	tone_tell("cleanup", right);
}

static void run_in_child(void)
{
	int status = -1;
	fftw_plan plan = plan_on(in, out, FFTW_ESTIMATE);
	bool right = run_often(plan, RUNS);
	fflush(stdout);
	const pid_t child = fork();
	if (child == 0) {
		right = run_often(plan, RUNS);
		fftw_destroy_plan(plan);
		_exit(right ? 0 : 1);
	}
	waitpid(child, &status, 0);
	tone_tell("a child", right && status == 0 && run_often(plan, RUNS));
	fftw_destroy_plan(plan);
}

static size_t count_used_bytes(void)
{
	const struct mallinfo2 info = mallinfo2();
	return info.uordblks + info.hblkhd;
}

/* A leak grows in both halves. */
static void leave_nothing(void)
{
	bool right = true;
	size_t used[3];
	for (int half = 0; half < 3; half++) {
		for (int i = 0; i < ROUNDS; i++) {
			fftw_plan plan = plan_on(in, out, FFTW_ESTIMATE);
			right = run(plan, in, out) && right;
			fftw_destroy_plan(plan);
		}
		used[half] = count_used_bytes();
	}
	const bool grows = used[1] >= used[0] + LEAK_BYTES && used[2] >= used[1] + LEAK_BYTES;
	tone_tell("nothing left behind", right && !grows);
	if (grows)
		printf("%zu and %zu bytes more\n", used[1] - used[0], used[2] - used[1]);
}

/* -- threads -- */

static void change_threads(void)
{
	fftw_plan_with_nthreads(2);
	fftw_plan two = plan_on(in, out, FFTW_ESTIMATE);
	fftw_plan_with_nthreads(3);
	bool right = run_often(two, RUNS);
	tone_tell("a plan of other threads", right);
	printf("%d threads\n", fftw_planner_nthreads());
	fftw_plan_with_nthreads(1);
	fftw_destroy_plan(two);
}

/*
 * A loop of the program's own runs natively with the signals of its thread as they are, and is not
 * called inside a shared execution.
 */
static bool open_signals = true;

static void run_loop(void *(*work)(char *), char *data, size_t size, int jobs, void *unused)
{
	sigset_t blocked;
	(void)unused;
	sigprocmask(SIG_SETMASK, NULL, &blocked);
	open_signals = open_signals && !sigismember(&blocked, SIGUSR1);
	for (int i = 0; i < jobs; i++)
		work(data + size * (size_t)i);
}

static void run_own_loop(void)
{
	fftw_plan_with_nthreads(2);
	fftw_plan plan = plan_on(in, out, FFTW_ESTIMATE);
	fftw_threads_set_callback(run_loop, NULL);
	bool right = run_often(plan, RUNS);
	tone_tell("by a loop of the program's", right && open_signals);
	fftw_threads_set_callback(NULL, NULL);
	fftw_plan_with_nthreads(1);
	fftw_destroy_plan(plan);
}

/* The program's lock keeps its planners apart, and executions need none. */
static pthread_mutex_t planning = PTHREAD_MUTEX_INITIALIZER;
static fftw_plan everyones;
static atomic_int wrong, sizes;

static void *plan_and_run(void *unused)
{
	fftw_complex *from = allocate(2 * ROWS), *to = allocate(2 * ROWS);
	(void)unused;
	for (int i = 0; i < PLANS; i++) {
		const int n = N + atomic_fetch_add(&sizes, 1) % N;
		pthread_mutex_lock(&planning);
		fftw_plan own = plan_of(n, from, to, i % 8 == 0 ? FFTW_MEASURE : FFTW_ESTIMATE);
		pthread_mutex_unlock(&planning);
		wrong += !run_of(n, own, from, to);
		wrong += !run(everyones, from, to);
		pthread_mutex_lock(&planning);
		fftw_destroy_plan(own);
		pthread_mutex_unlock(&planning);
	}
	fftw_free(from);
	fftw_free(to);
	return NULL;
}

static void run_beside_planners(void)
{
	pthread_t threads[THREADS];
	everyones = plan_on(in, out, FFTW_ESTIMATE);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, plan_and_run, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	tone_tell("beside planners", wrong == 0);
	fftw_destroy_plan(everyones);
}

int main(void)
{
	fftw_init_threads();
	in = allocate(ROWS);
	out = allocate(ROWS);
	change_arrays();
	keep_input(FFTW_PRESERVE_INPUT, true);
	keep_input(0, false);
	destroy_elsewhere();
	clean_up();
	run_in_child();
	leave_nothing();
	change_threads();
	run_own_loop();
	run_beside_planners();
	fftw_free(in);
	fftw_free(out);
	return tone_failures != 0;
}
