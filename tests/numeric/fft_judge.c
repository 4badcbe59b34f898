/* fft_judge.c - whether a result is as accurate as the error analysis of fast transforms says */
/* SPDX-License-Identifier: Apache-2.0 */
#include "fft_judge.h"

#include <math.h>

#include "fft_reference.h"

/*
 * The bound, after N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition,
 * theorem 24.2: a fast transform of N = 2^t points has a relative error in the 2-norm of at most t
 * eta / (1 - t eta), where eta = mu + gamma_4 (sqrt(2) + mu) and mu bounds the error of the roots
 * of unity: some 6 unit roundoffs, 3 epsilons, per level. Errors do not all add up, and what is
 * seen is a tenth of it; lengths that are not powers of two cost more per level (a prime is a sum
 * of its own, or two longer transforms), as do real ones that are made of others. Two epsilons are
 * allowed, and one more level for the last rounding. A wrong element is off by orders of magnitude
 * more.
 */
enum { JUDGE_FACTOR = 2 };

static double judge_bound(const struct fft_trial *t)
{
	const double levels = 1 + log2((double)fft_trial_points(t));
	return JUDGE_FACTOR * (double)fft_precisions[t->precision].epsilon * levels;
}

/* Where the points of one transform lie tight by rows; mirrored: the one of the conjugate. */
static int64_t judge_place(const struct fft_trial *t, const int64_t *at, bool mirrored)
{
	int64_t place = 0;
	for (int a = 0; a < t->rank; a++) {
		const int64_t n = t->axis[a].n;
		place = place * n + (mirrored ? (n - at[a]) % n : at[a]);
	}
	return place;
}

/* The transform whose loops are at these indices. A half spectrum is completed. */
static void judge_load(const struct fft_arena *arena, const struct fft_trial *t,
                       enum fft_arrays arrays, int64_t *at, long double complex *points)
{
	do {
		const int64_t index = fft_trial_index(t, FFT_IN, at);
		const long double complex value =
			fft_arena_read(t, FFT_IN, arrays, arena->before, index);
		if (t->kind == FFT_C2R)
			points[judge_place(t, at, true)] = conjl(value);
		points[judge_place(t, at, false)] = value;
	} while (fft_trial_step(t, FFT_IN, 0, t->rank, at));
}

static double judge_square(long double complex value)
{
	const double real = (double)creall(value), imaginary = (double)cimagl(value);
	return real * real + imaginary * imaginary;
}

/* The error of one transform relative to its norm, as a multiple of the bound. */
static double judge_ratio(const struct fft_arena *arena, const struct fft_trial *t,
                          enum fft_arrays arrays, int64_t *at, const long double complex *points)
{
	const int64_t count = fft_trial_points(t);
	double error = 0, norm = 0;
	for (int64_t i = 0; i < count; i++)
		norm += judge_square(points[i]);
	do {
		const int64_t index = fft_trial_index(t, FFT_OUT, at);
		const long double complex value =
			fft_arena_read(t, FFT_OUT, arrays, arena->used, index);
		const long double complex right = points[judge_place(t, at, false)];
		error += judge_square(value -
		                      (fft_trial_is_complex(t, FFT_OUT) ? right : creall(right)));
	} while (fft_trial_step(t, FFT_OUT, 0, t->rank, at));
	return error == 0 ? 0 : sqrt(error) / (sqrt(norm) * judge_bound(t));
}

const char *fft_judge_result(const struct fft_arena *arena, const struct fft_trial *t,
                             enum fft_arrays arrays, double *worst)
{
	static long double complex points[FFT_TRIAL_POINTS];
	int64_t at[FFT_TRIAL_AXES] = {0};
	bool more = fft_trial_howmany(t) > 0;
	for (; more; more = fft_trial_step(t, FFT_OUT, t->rank, t->rank + t->loops, at)) {
		judge_load(arena, t, arrays, at, points);
		fft_reference_run(t, points);
		const double ratio = judge_ratio(arena, t, arrays, at, points);
		if (isnan(ratio))
			return "a result that is no number";
		*worst = ratio > *worst ? ratio : *worst;
		if (ratio > 1)
			return "a wrong value";
	}
	return fft_arena_is_clean(arena, t, arrays) ? NULL : "wrote where nothing is to be written";
}
