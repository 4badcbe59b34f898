/* fft_lazy.c - fftw_planning = lazy: FFTW_ESTIMATE first, better plans once the CPU runs them */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fftw3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fft_tone.h"

enum { N = 24, HALF = N / 2 + 1, STRIDE_MAX = 3, BLOCK = 2 * N * STRIDE_MAX, RUNS = 7, TONE = 7 };
enum kind { C2C, R2C, C2R };

static const double canary = -777.25;

/* Strides of both sides, in elements; a negative stride runs from the array's end to its start. */
struct shape {
	const char *name;
	enum kind kind;
	int stride, sign;
	bool in_place;
};

static const struct shape shapes[] = {
	{"c2c", C2C, 1, -1, false},
	{"c2c backward in place", C2C, 1, +1, true},
	{"c2c from the end", C2C, -2, -1, false},
	{"c2c in place from the end", C2C, -3, +1, true},
	{"r2c", R2C, 1, 0, false},
	{"r2c in place", R2C, 1, 0, true},
	{"r2c from the end", R2C, -3, 0, false},
	{"c2r", C2R, 1, 0, false},
	{"c2r in place", C2R, 1, 0, true},
	{"c2r from the end", C2R, -2, 0, false},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* in and out are the first elements, in blocks of BLOCK doubles. */
struct arrays {
	double *in_block, *out_block, *in, *out;
};

static double *find_first(const struct shape *s, double *block, bool real, int count)
{
	return s->stride > 0 ? block : block + (long)(count - 1) * -s->stride * (real ? 1 : 2);
}

static void arrays_take(const struct shape *s, struct arrays *a)
{
	a->in_block = fftw_alloc_real(BLOCK);
	a->out_block = s->in_place ? a->in_block : fftw_alloc_real(BLOCK);
	a->in = find_first(s, a->in_block, s->kind == R2C, s->kind == C2R ? HALF : N);
	a->out = find_first(s, a->out_block, s->kind == C2R, s->kind == R2C ? HALF : N);
}

static void arrays_give(const struct shape *s, struct arrays *a)
{
	if (!s->in_place)
		fftw_free(a->out_block);
	fftw_free(a->in_block);
}

static void cover(const struct arrays *a)
{
	for (int i = 0; i < BLOCK; i++)
		a->in_block[i] = a->out_block[i] = canary;
}

static int count_covered(const double *block)
{
	int covered = 0;
	for (int i = 0; i < BLOCK; i++)
		covered += block[i] == canary;
	return covered;
}

static bool is_covered(const struct arrays *a)
{
	return count_covered(a->in_block) == BLOCK && count_covered(a->out_block) == BLOCK;
}

static fftw_plan plan_shape(const struct shape *s, const struct arrays *a, unsigned flags)
{
	const fftw_iodim dim = {N, s->stride, s->stride};
	fftw_complex *in = (fftw_complex *)a->in, *out = (fftw_complex *)a->out;
	switch (s->kind) {
	case C2C: return fftw_plan_guru_dft(1, &dim, 0, NULL, in, out, s->sign, flags);
	case R2C: return fftw_plan_guru_dft_r2c(1, &dim, 0, NULL, a->in, out, flags);
	default: return fftw_plan_guru_dft_c2r(1, &dim, 0, NULL, in, a->out, flags);
	}
}

static void execute_shape(const struct shape *s, fftw_plan plan, const struct arrays *a)
{
	switch (s->kind) {
	case C2C: fftw_execute_dft(plan, (fftw_complex *)a->in, (fftw_complex *)a->out); break;
	case R2C: fftw_execute_dft_r2c(plan, a->in, (fftw_complex *)a->out); break;
	case C2R: fftw_execute_dft_c2r(plan, (fftw_complex *)a->in, a->out); break;
	}
}

static void fill(const struct shape *s, const struct arrays *a)
{
	fftw_complex tone[N];
	tone_fill(tone, N, TONE);
	cover(a);
	for (int k = 0; k < (s->kind == C2R ? HALF : N); k++) {
		if (s->kind == R2C) {
			a->in[k * s->stride] = tone[k][0];
			continue;
		}
		a->in[2 * k * s->stride] = s->kind == C2C ? tone[k][0] : k == TONE;
		a->in[2 * k * s->stride + 1] = s->kind == C2C ? tone[k][1] : 0;
	}
}

static bool is_right(const struct shape *s, const struct arrays *a)
{
	fftw_complex spectrum[N];
	double real[N];
	for (int k = 0; k < (s->kind == R2C ? HALF : N); k++) {
		real[k] = a->out[k * s->stride];
		if (s->kind != C2R)
			memcpy(spectrum[k], &a->out[2 * k * s->stride], sizeof spectrum[k]);
	}
	/* Neither FFTW nor the shim may write between the elements of the result. */
	const int written = s->kind == C2R ? N : s->kind == R2C ? 2 * HALF : 2 * N;
	if (!s->in_place && count_covered(a->out_block) != BLOCK - written)
		return false;
	switch (s->kind) {
	case C2C:
		return tone_is_peak((const fftw_complex *)spectrum, N,
		                    s->sign < 0 ? TONE : N - TONE, N);
	case R2C: return tone_is_peak((const fftw_complex *)spectrum, HALF, TONE, N / 2.0);
	default: return tone_is_real(real, N, TONE, 2);
	}
}

/* Whether FFTW's wisdom has this transform, measured with these planner flags. */
static bool is_measured(const struct shape *s, const struct arrays *a, unsigned flags)
{
	fftw_plan plan = plan_shape(s, a, FFTW_WISDOM_ONLY | flags);
	fftw_destroy_plan(plan);
	return plan != NULL;
}

/*
 * FFTW_MEASURE is wasted on a plan that runs on the GPU: cuFFTW ignores planner flags, and a
 * measured plan costs seconds, which executions on the GPU do not regain.
 */
static void tell_planning(const struct shape *s, unsigned flags, const char *word)
{
	struct arrays a;
	arrays_take(s, &a);
	fftw_forget_wisdom();
	fftw_plan estimated = plan_shape(s, &a, FFTW_ESTIMATE);
	char *expected = fftw_sprint_plan(estimated);
	fftw_destroy_plan(estimated);
	cover(&a);
	fftw_plan plan = plan_shape(s, &a, flags);
	char *words = fftw_sprint_plan(plan);
	const bool kept = is_covered(&a), same = strcmp(words, expected) == 0,
		   measured = is_measured(s, &a, flags);
	printf("%s, %s: %s\n", s->name, word,
	       kept && same && !measured ? "estimated"
	       : !kept && measured       ? "measured"
	                                 : "neither");
	fftw_destroy_plan(plan);
	free(words);
	free(expected);
	arrays_give(s, &a);
}

/* One shape. Its plan is made before the GPU fails for the first time. */
struct trial {
	fftw_plan plan;
	struct arrays own, other;
	int measured_after; /* number of runs; -1: never measured */
	bool right;
};

static void trial_open(struct trial *t, const struct shape *s)
{
	arrays_take(s, &t->own);
	arrays_take(s, &t->other);
	t->plan = plan_shape(s, &t->own, FFTW_MEASURE);
	t->right = t->plan != NULL;
	t->measured_after = is_measured(s, &t->own, FFTW_MEASURE) ? 0 : -1;
}

/*
 * Runs alternate between the plan's own arrays and others. The arrays that a run does not use must
 * stay unchanged.
 */
static void trial_run(struct trial *t, const struct shape *s, int run)
{
	const bool fresh = run % 2 == 0;
	const struct arrays *used = fresh ? &t->other : &t->own,
			    *idle = fresh ? &t->own : &t->other;
	cover(idle);
	fill(s, used);
	if (fresh)
		execute_shape(s, t->plan, used);
	else
		fftw_execute(t->plan);
	t->right = t->right && is_right(s, used) && is_covered(idle);
	if (t->measured_after < 0 && is_measured(s, &t->own, FFTW_MEASURE))
		t->measured_after = run;
}

static void run_trials(void)
{
	static struct trial trials[SHAPES];
	fftw_forget_wisdom();
	for (int i = 0; i < SHAPES; i++)
		trial_open(&trials[i], &shapes[i]);
	for (int i = 0; i < SHAPES; i++) {
		for (int run = 1; run <= RUNS; run++)
			trial_run(&trials[i], &shapes[i], run);
		printf("%s: %s, measured after %d runs\n", shapes[i].name,
		       trials[i].right ? "right" : "WRONG", trials[i].measured_after);
		tone_failures += !trials[i].right;
	}
	for (int i = 0; i < SHAPES; i++) {
		fftw_destroy_plan(trials[i].plan);
		arrays_give(&shapes[i], &trials[i].own);
		arrays_give(&shapes[i], &trials[i].other);
	}
}

/* usage: fft_lazy planning|runs */
int main(int count, char **arguments)
{
	if (count != 2)
		return 2;
	if (strcmp(arguments[1], "runs") == 0) {
		run_trials();
		return tone_failures != 0;
	}
	for (int i = 0; i < SHAPES; i++)
		tell_planning(&shapes[i], FFTW_MEASURE, "MEASURE");
	tell_planning(&shapes[0], FFTW_PATIENT | FFTW_DESTROY_INPUT, "PATIENT");
	tell_planning(&shapes[7], FFTW_EXHAUSTIVE, "EXHAUSTIVE");
	return 0;
}
