/* fft_lazy_life.c - fftw_planning = lazy: alignment, fork, cleanup, split arrays, no leak */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fftw3.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fft_tone.h"

enum { N = 48, RUNS = 6, ROUNDS = 60, WARM_ROUNDS = 20, LEAK_BYTES = 4096 };

static fftw_complex *in, *out;

static bool run(fftw_plan plan, fftw_complex *from, fftw_complex *to, int peak)
{
	tone_fill(from, N, 5);
	fftw_execute_dft(plan, from, to);
	return tone_is_peak((const fftw_complex *)to, N, peak, N);
}

static bool run_often(fftw_plan plan, int runs)
{
	bool right = true;
	for (int i = 0; i < runs; i++)
		right = run(plan, in, out, 5) && right;
	return right;
}

static fftw_plan make_plan(unsigned flags)
{
	return fftw_plan_dft_1d(N, in, out, FFTW_FORWARD, FFTW_MEASURE | flags);
}

/*
 * The better plan may require the alignment of the arrays that it was made for: on other arrays the
 * program's own plan runs.
 */
static void change_alignment(bool aligned_first)
{
	fftw_plan plan = make_plan(FFTW_UNALIGNED);
	fftw_complex *odd_in = fftw_malloc((N + 1) * sizeof *odd_in),
		     *odd_out = fftw_malloc((N + 1) * sizeof *odd_out);
	bool right = true;
	for (int i = 0; i < 2 * RUNS; i++) {
		const bool aligned = (i < RUNS) == aligned_first;
		const int shift = aligned ? 0 : 1;
		right = run(plan, (fftw_complex *)((double *)odd_in + shift),
		            (fftw_complex *)((double *)odd_out + shift), 5) &&
		        right;
		right = run(plan, (fftw_complex *)((double *)odd_in + 1 - shift), out, 5) && right;
	}
	tone_tell(aligned_first ? "aligned, then not" : "not aligned, then aligned", right);
	fftw_destroy_plan(plan);
	fftw_free(odd_in);
	fftw_free(odd_out);
}

/*
 * A plan of interleaved arrays, executed by the split function on real and imaginary parts: for a
 * backward plan the two parts are swapped.
 */
static void split_arrays(void)
{
	fftw_plan forward = make_plan(0),
		  backward = fftw_plan_dft_1d(N, in, out, FFTW_BACKWARD, FFTW_MEASURE);
	double *from = *in, *to = *out;
	bool right = true;
	for (int i = 0; i < RUNS; i++) {
		tone_fill(in, N, 5);
		fftw_execute_split_dft(forward, from, from + 1, to, to + 1);
		right = tone_is_peak((const fftw_complex *)out, N, 5, N) && right;
		tone_fill(in, N, 5);
		fftw_execute_split_dft(backward, from + 1, from, to + 1, to);
		right = tone_is_peak((const fftw_complex *)out, N, N - 5, N) && right;
	}
	right = right && run(forward, in, out, 5) && run(backward, in, out, N - 5);
	tone_tell("split arrays of interleaved plans", right);
	fftw_destroy_plan(forward);
	fftw_destroy_plan(backward);
}

static bool child_runs(fftw_plan plan, int runs)
{
	int status = -1;
	fflush(stdout);
	const pid_t child = fork();
	if (child == 0) {
		bool right = run_often(plan, runs);
		fftw_plan own = fftw_plan_dft_1d(N, in, out, FFTW_BACKWARD, FFTW_MEASURE);
		right = run(own, in, out, N - 5) && right;
		fftw_destroy_plan(own);
		fftw_destroy_plan(plan);
		_exit(right ? 0 : 1);
	}
	waitpid(child, &status, 0);
	return status == 0;
}

/* The child is forked before the better plan exists, once it exists, and before any execution. */
static void fork_between(void)
{
	fftw_plan fresh = make_plan(0), plan = make_plan(0);
	tone_tell("a child before all runs", child_runs(fresh, RUNS));
	tone_tell("runs", run_often(plan, 3));
	tone_tell("a child before there is a better plan", child_runs(plan, RUNS));
	tone_tell("more runs", run_often(plan, 3));
	tone_tell("a child with the better plan", child_runs(plan, RUNS));
	tone_tell("its parent", run_often(plan, RUNS) && run_often(fresh, RUNS));
	fftw_destroy_plan(fresh);
	fftw_destroy_plan(plan);
}

/* fftw_cleanup frees what plans consist of: the better plans must be destroyed before it. */
static void clean_up(void)
{
	fftw_plan plan = make_plan(0);
	bool right = run_often(plan, RUNS);
	fftw_cleanup();
	right = run_often(plan, RUNS) && right;
	fftw_destroy_plan(plan);
	plan = make_plan(0);
	right = run_often(plan, RUNS) && right;
	fftw_destroy_plan(plan);
	fftw_cleanup();
	tone_tell("cleanup", right);
}

static size_t count_used_bytes(void)
{
	const struct mallinfo2 info = mallinfo2();
	return info.uordblks + info.hblkhd;
}

static bool make_better_plans(int count)
{
	bool right = true;
	for (int i = 0; i < count; i++) {
		fftw_plan plan = make_plan(0);
		right = run_often(plan, RUNS) && right;
		fftw_destroy_plan(plan);
	}
	return right;
}

/*
 * Each round makes a better plan. A leak of the plan would add ROUNDS blocks in each half of the
 * run; memory that another thread allocates once for itself appears in one half only.
 */
static void leave_nothing(void)
{
	bool right = make_better_plans(WARM_ROUNDS);
	size_t used[3];
	for (int i = 0; i < 3; i++) {
		right = (i == 0 || make_better_plans(ROUNDS)) && right;
		used[i] = count_used_bytes();
	}
	const bool grows = used[1] >= used[0] + LEAK_BYTES && used[2] >= used[1] + LEAK_BYTES;
	tone_tell("nothing left behind", right && !grows);
	if (grows)
		printf("%zu and %zu bytes more after %d plans each\n", used[1] - used[0],
		       used[2] - used[1], ROUNDS);
}

/* A measured plan exists after the last run only if planning is lazy and runs are on the CPU. */
static void tell_effort(void)
{
	fftw_forget_wisdom();
	fftw_plan plan = make_plan(0);
	run_often(plan, 3);
	fftw_plan early = make_plan(FFTW_WISDOM_ONLY);
	run_often(plan, 1);
	fftw_plan late = make_plan(FFTW_WISDOM_ONLY);
	printf("measured early %d, late %d\n", early != NULL, late != NULL);
	fftw_destroy_plan(early);
	fftw_destroy_plan(late);
	fftw_destroy_plan(plan);
}

int main(void)
{
	in = fftw_alloc_complex(N);
	out = fftw_alloc_complex(N);
	tell_effort();
	change_alignment(true);
	change_alignment(false);
	split_arrays();
	fork_between();
	clean_up();
	leave_nothing();
	fftw_free(in);
	fftw_free(out);
	return tone_failures != 0;
}
