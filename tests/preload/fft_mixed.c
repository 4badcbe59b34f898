/* fft_mixed.c - one case for each program on which other interposers of FFTW fail */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fftw3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fft_tone.h"

enum { N = 32, HALF = N / 2 + 1, MANY = 60 };

/* The legacy interface of Fortran, as a Fortran program calls it. */
void dfftw_plan_dft_1d_(fftw_plan *plan, const int *n, fftw_complex *in, fftw_complex *out,
                        const int *sign, const int *flags);
void dfftw_plan_dft_r2c_1d_(fftw_plan *plan, const int *n, double *in, fftw_complex *out,
                            const int *flags);
void dfftw_execute_(const fftw_plan *plan);
void dfftw_execute_dft_(const fftw_plan *plan, fftw_complex *in, fftw_complex *out);
void dfftw_execute_dft_r2c_(const fftw_plan *plan, double *in, fftw_complex *out);
void dfftw_destroy_plan_(const fftw_plan *plan);

static fftw_complex *in, *out, *other_in, *other_out;
static double *real, *other_real, *parts[4];

static bool execute_tone(fftw_plan plan, int tone)
{
	tone_fill(in, N, tone);
	memset(out, 0x7f, N * sizeof *out);
	fftw_execute(plan);
	return tone_is_peak((const fftw_complex *)out, N, tone, N);
}

/* In a transform of ones, of any kind, the first element is their sum. */
static bool execute_ones(fftw_plan plan, double *ones, const double *result, double sum)
{
	for (int k = 0; k < N; k++)
		ones[k] = 1;
	fftw_execute(plan);
	return fabs(result[0] - sum) < 1e-12;
}

/*
 * cuFFTW has no r2r planner, so such a plan is made by FFTW; cuFFTW's fftw_execute crashes on it.
 */
static void mix_kinds(void)
{
	const fftw_iodim dim = {N, 1, 1};
	fftw_plan r2r = fftw_plan_r2r_1d(N, real, other_real, FFTW_REDFT10, FFTW_ESTIMATE);
	fftw_plan c2c = fftw_plan_dft_1d(N, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
	fftw_plan split = fftw_plan_guru_split_dft(1, &dim, 0, NULL, parts[0], parts[1], parts[2],
	                                           parts[3], FFTW_ESTIMATE);
	memset(parts[1], 0, N * sizeof *parts[1]);
	bool right = true;
	for (int round = 0; round < 3; round++)
		right = right && execute_ones(r2r, real, other_real, 2 * N) &&
		        execute_tone(c2c, 3 + round) && execute_ones(split, parts[0], parts[2], N);
	tone_tell("kinds by turns", right);
	fftw_destroy_plan(split);
	fftw_destroy_plan(c2c);
	fftw_destroy_plan(r2r);
}

/*
 * Without a GPU cuFFTW's planners return NULL and its fftw_execute does nothing: the result is
 * wrong, and no error is reported.
 */
static void get_plans(void)
{
	const int n[3] = {4, 4, 4};
	const fftw_iodim dim = {N, 1, 1};
	fftw_plan plans[] = {
		fftw_plan_dft_1d(N, in, out, FFTW_FORWARD, FFTW_ESTIMATE),
		fftw_plan_dft_2d(4, 8, in, out, FFTW_FORWARD, FFTW_ESTIMATE),
		fftw_plan_dft_3d(2, 4, 4, in, out, FFTW_FORWARD, FFTW_ESTIMATE),
		fftw_plan_dft(2, n, in, out, FFTW_BACKWARD, FFTW_ESTIMATE),
		fftw_plan_many_dft(1, n, 4, in, NULL, 1, 4, out, NULL, 1, 4, FFTW_FORWARD,
	                           FFTW_ESTIMATE),
		fftw_plan_guru_dft(1, &dim, 0, NULL, in, out, FFTW_FORWARD, FFTW_ESTIMATE),
		fftw_plan_dft_r2c_1d(N, real, out, FFTW_ESTIMATE),
		fftw_plan_dft_c2r_1d(N, in, real, FFTW_ESTIMATE),
		fftw_plan_dft_c2r_2d(4, 8, in, real, FFTW_ESTIMATE),
	};
	const size_t count = sizeof plans / sizeof plans[0];
	size_t made = 0;
	for (size_t i = 0; i < count; i++)
		made += plans[i] != NULL;
	tone_tell("every planner has a plan", made == count);
	for (size_t i = 0; i < count; i++)
		fftw_destroy_plan(plans[i]);
}

/* FFTW crashes on a NULL plan. The test only requires that no wrong result comes of it. */
static void execute_null(void)
{
	int status = 0;
	fflush(stdout);
	const pid_t child = fork();
	if (child == 0) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){0});
		fftw_execute(NULL);
		_exit(0);
	}
	waitpid(child, &status, 0);
	printf("execute(NULL): signal %d, status %d\n", WIFSIGNALED(status) ? WTERMSIG(status) : 0,
	       WIFEXITED(status) ? WEXITSTATUS(status) : 0);
	fftw_destroy_plan(NULL);
}

/* gpu_fftw copies the input when the plan is made and never transforms data stored later. */
static void fill_later(void)
{
	memset(in, 0, N * sizeof *in);
	fftw_plan plan = fftw_plan_dft_1d(N, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
	bool right = true;
	for (int tone = 0; tone < 5; tone++)
		right = right && execute_tone(plan, tone);
	tone_tell("filled after planning, and again", right);
	fftw_destroy_plan(plan);
}

/*
 * fftw_execute_dft reads gpu_fftw's own plan struct as FFTW's. It must use the arrays given to it
 * and leave the plan's arrays unchanged.
 */
static void pass_new_arrays(void)
{
	fftw_plan c2c = fftw_plan_dft_1d(N, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
	fftw_plan r2c = fftw_plan_dft_r2c_1d(N, real, out, FFTW_ESTIMATE);
	fftw_plan c2r = fftw_plan_dft_c2r_1d(N, in, real, FFTW_ESTIMATE);
	memset(out, 0, N * sizeof *out);
	tone_fill(other_in, N, 5);
	fftw_execute_dft(c2c, other_in, other_out);
	tone_tell("new arrays of c2c", tone_is_peak((const fftw_complex *)other_out, N, 5, N) &&
	                                       tone_is_peak((const fftw_complex *)out, N, 0, 0));
	tone_fill_real(other_real, N, 5);
	fftw_execute_dft_r2c(r2c, other_real, other_out);
	tone_tell("new arrays of r2c",
	          tone_is_peak((const fftw_complex *)other_out, HALF, 5, N / 2.0));
	fftw_execute_dft_c2r(c2r, other_out, other_real);
	tone_tell("new arrays of c2r", tone_is_real(other_real, N, 5, N));
	fftw_destroy_plan(c2c);
	fftw_destroy_plan(r2c);
	fftw_destroy_plan(c2r);
}

/* libfftw3's Fortran planners call cuFFTW's, but its Fortran executions do not: SIGSEGV. */
static void call_as_fortran(void)
{
	const int n = N, sign = FFTW_FORWARD, flags = FFTW_ESTIMATE;
	fftw_plan c2c, r2c;
	dfftw_plan_dft_1d_(&c2c, &n, in, out, &sign, &flags);
	dfftw_plan_dft_r2c_1d_(&r2c, &n, real, out, &flags);
	tone_fill(in, N, 7);
	dfftw_execute_(&c2c);
	tone_tell("Fortran", tone_is_peak((const fftw_complex *)out, N, 7, N));
	tone_fill(other_in, N, 9);
	dfftw_execute_dft_(&c2c, other_in, other_out);
	tone_tell("new arrays of Fortran", tone_is_peak((const fftw_complex *)other_out, N, 9, N));
	tone_fill_real(other_real, N, 9);
	dfftw_execute_dft_r2c_(&r2c, other_real, other_out);
	tone_tell("new arrays of Fortran, r2c",
	          tone_is_peak((const fftw_complex *)other_out, HALF, 9, N / 2.0));
	/* A plan made through the Fortran interface can be executed through the C interface. */
	tone_tell("a plan of Fortran executed by C", execute_tone(c2c, 11));
	dfftw_destroy_plan_(&c2c);
	fftw_destroy_plan(r2c);
}

/* cufftw.h defines other flag values, and cuFFTW may overwrite inputs that FFTW preserves. */
static void keep_inputs(void)
{
	tone_fill(in, N, 2);
	tone_fill_real(real, N, 2);
	fftw_plan c2c = fftw_plan_dft_1d(N, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
	fftw_plan r2c = fftw_plan_dft_r2c_1d(N, real, other_out, FFTW_ESTIMATE);
	fftw_plan c2r =
		fftw_plan_dft_c2r_1d(N, other_out, other_real, FFTW_ESTIMATE | FFTW_PRESERVE_INPUT);
	fftw_plan none = fftw_plan_dft_c2r_2d(4, 8, other_out, other_real,
	                                      FFTW_ESTIMATE | FFTW_PRESERVE_INPUT);
	tone_fill(other_in, N, 2);
	tone_tell("an ESTIMATE plan leaves the arrays alone",
	          memcmp(in, other_in, N * sizeof *in) == 0 && tone_is_real(real, N, 2, 1));
	fftw_execute(c2c);
	fftw_execute(r2c);
	tone_tell("c2c and r2c keep their input",
	          memcmp(in, other_in, N * sizeof *in) == 0 && tone_is_real(real, N, 2, 1));
	memcpy(other_in, other_out, HALF * sizeof *other_in);
	fftw_execute(c2r);
	tone_tell("c2r keeps its input where asked",
	          memcmp(other_in, other_out, HALF * sizeof *other_in) == 0 &&
	                  tone_is_real(other_real, N, 2, N));
	tone_tell("no c2r of two dimensions does", none == NULL);
	fftw_destroy_plan(c2c);
	fftw_destroy_plan(r2c);
	fftw_destroy_plan(c2r);
}

/* FFTW takes any sign: -1 is forward, all others are backward. cuFFT accepts two values only. */
static void pass_odd_signs(void)
{
	static const int signs[] = {-2, 0, 1, 2};
	for (int i = 0; i < 4; i++) {
		fftw_plan plan = fftw_plan_dft_1d(N, in, out, signs[i], FFTW_ESTIMATE);
		tone_fill(in, N, 3);
		fftw_execute(plan);
		printf("sign %d: peak at %d\n", signs[i],
		       tone_is_peak((const fftw_complex *)out, N, 3, N)       ? 3
		       : tone_is_peak((const fftw_complex *)out, N, N - 3, N) ? N - 3
		                                                              : -1);
		fftw_destroy_plan(plan);
	}
}

/* gpu_fftw's table is a stack: destroying any plan but the last one destroys the wrong plan. */
static void destroy_in_any_order(void)
{
	fftw_plan plans[MANY];
	bool right = true;
	for (int i = 0; i < MANY; i++)
		plans[i] = fftw_plan_dft_1d(N, in, out, i % 2 != 0 ? FFTW_BACKWARD : FFTW_FORWARD,
		                            FFTW_ESTIMATE);
	for (int i = 0; i < MANY; i += 3) {
		fftw_destroy_plan(plans[i]);
		plans[i] = NULL;
	}
	for (int i = MANY - 1; i >= 0; i--) {
		if (plans[i] == NULL)
			continue;
		tone_fill(in, N, 3);
		fftw_execute(plans[i]);
		right = right &&
		        tone_is_peak((const fftw_complex *)out, N, i % 2 != 0 ? N - 3 : 3, N);
		fftw_destroy_plan(plans[i]);
	}
	tone_tell("destroyed in any order", right);
}

/* FFTW accepts arrays at any multiple of a real, not only those aligned for its SIMD code. */
static void shift_arrays(void)
{
	fftw_complex *odd_in = (fftw_complex *)((double *)other_in + 1),
		     *odd_out = (fftw_complex *)((double *)other_out + 1);
	fftw_plan plan = fftw_plan_dft_1d(N - 1, odd_in, odd_out, FFTW_FORWARD,
	                                  FFTW_ESTIMATE | FFTW_UNALIGNED);
	tone_fill(odd_in, N - 1, 4);
	fftw_execute(plan);
	tone_tell("unaligned", tone_is_peak((const fftw_complex *)odd_out, N - 1, 4, N - 1));
	tone_fill(in, N - 1, 4);
	fftw_execute_dft(plan, in, out);
	tone_tell("an unaligned plan on aligned arrays",
	          tone_is_peak((const fftw_complex *)out, N - 1, 4, N - 1));
	fftw_destroy_plan(plan);
}

int main(void)
{
	in = fftw_alloc_complex(N);
	out = fftw_alloc_complex(N);
	other_in = fftw_alloc_complex(N);
	other_out = fftw_alloc_complex(N);
	real = fftw_alloc_real(N);
	other_real = fftw_alloc_real(N);
	for (int i = 0; i < 4; i++)
		parts[i] = fftw_alloc_real(N);
	mix_kinds();
	get_plans();
	execute_null();
	fill_later();
	pass_new_arrays();
	call_as_fortran();
	keep_inputs();
	pass_odd_signs();
	destroy_in_any_order();
	shift_arrays();
	return tone_failures != 0;
}
