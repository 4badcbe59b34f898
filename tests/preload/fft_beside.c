/* fft_beside.c - FFTW calls that stay on the CPU: r2r, split, precisions, wisdom, NULL plans */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fftw3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 16 };
static fftw_complex in[N], out[N];
static double x[N], y[N], im[N], re_out[N], im_out[N];

static void fill(void)
{
	for (int i = 0; i < N; i++) {
		in[i][0] = x[i] = (i * 7 % 5) - 2;
		in[i][1] = im[i] = (i * 3 % 7) - 3;
	}
	memset(out, 0, sizeof out);
}

/* Values are rounded, so that two correct libraries print the same. */
static void show(const char *name, const double *values, int count)
{
	printf("%s", name);
	for (int i = 0; i < count; i++)
		printf(" %.6f", fabs(values[i]) < 5e-7 ? 0.0 : values[i]);
	printf("\n");
}

static void use_r2r(void)
{
	fftw_plan plan = fftw_plan_r2r_1d(N, x, y, FFTW_REDFT10, FFTW_ESTIMATE);
	fill();
	fftw_execute(plan);
	show("r2r", y, N);
	fftw_execute_r2r(plan, x, y);
	show("new-array r2r", y, N);
	fftw_destroy_plan(plan);
}

static void use_guru(void)
{
	const fftw_iodim dims[1] = {{N, 1, 1}};
	fftw_plan plan = fftw_plan_guru_dft(1, dims, 0, NULL, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
	fill();
	fftw_execute(plan);
	show("guru", &out[0][0], 2 * N);
	fill();
	fftw_execute_dft(plan, in, out);
	show("guru, new arrays", &out[0][0], 2 * N);
	fftw_destroy_plan(plan);

	plan = fftw_plan_guru_split_dft(1, dims, 0, NULL, x, im, re_out, im_out, FFTW_ESTIMATE);
	fill();
	fftw_execute(plan);
	show("split", re_out, N);
	fftw_execute_split_dft(plan, x, im, re_out, im_out);
	show("split, new arrays", im_out, N);
	fftw_destroy_plan(plan);
}

#ifdef HAVE_LONG
static void use_long(void)
{
	fftwl_complex *a = fftwl_malloc(N * sizeof *a);
	fftwl_plan plan = fftwl_plan_dft_1d(N, a, a, FFTW_FORWARD, FFTW_ESTIMATE);
	double shown[N];
	for (int i = 0; i < N; i++) {
		a[i][0] = i % 3;
		a[i][1] = 0;
	}
	fftwl_execute(plan);
	for (int i = 0; i < N; i++)
		shown[i] = (double)a[i][0];
	show("long double", shown, N);
	fftwl_destroy_plan(plan);
	fftwl_free(a);
}
#endif

static void use_null(void)
{
	int none = fftw_plan_dft_1d(0, in, out, FFTW_FORWARD, FFTW_ESTIMATE) == NULL;
	int wisdom = fftw_plan_dft_1d(13, in, out, FFTW_FORWARD, FFTW_WISDOM_ONLY | FFTW_MEASURE) ==
	             NULL;
	int c2r = fftw_plan_dft_c2r_2d(4, 4, in, x, FFTW_PRESERVE_INPUT | FFTW_ESTIMATE) == NULL;
	int howmany = fftw_plan_many_dft(1, (int[]){4}, -1, in, NULL, 1, 4, out, NULL, 1, 4, 1,
	                                 FFTW_ESTIMATE) == NULL;
	printf("NULL plans: n 0 %d, wisdom only %d, preserving c2r %d, howmany -1 %d\n", none,
	       wisdom, c2r, howmany);
}

/* The planner must accept rank 0, howmany 0 and length 1. */
static void use_odd(void)
{
	const int one = 1, sizes[4] = {2, 2, 2, 2};
	fftw_plan plan = fftw_plan_dft(0, &one, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
	fill();
	if (plan != NULL)
		fftw_execute(plan);
	show("rank 0", &out[0][0], 4);
	fftw_destroy_plan(plan);
	plan = fftw_plan_many_dft(1, sizes, 0, in, NULL, 1, 4, out, NULL, 1, 4, FFTW_FORWARD,
	                          FFTW_ESTIMATE);
	fill();
	if (plan != NULL)
		fftw_execute(plan);
	show("howmany 0", &out[0][0], 4);
	fftw_destroy_plan(plan);
	plan = fftw_plan_dft(4, sizes, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
	fill();
	fftw_execute(plan);
	show("rank 4", &out[0][0], 2 * N);
	fftw_destroy_plan(plan);
}

static void use_wisdom(void)
{
	fftw_plan plan = fftw_plan_dft_1d(N, in, out, FFTW_FORWARD, FFTW_MEASURE);
	char *wisdom = fftw_export_wisdom_to_string();
	fftw_forget_wisdom();
	printf("wisdom: exported %d, imported %d\n", wisdom != NULL && strlen(wisdom) > 0,
	       fftw_import_wisdom_from_string(wisdom));
	free(wisdom);
	fftw_plan again =
		fftw_plan_dft_1d(N, in, out, FFTW_FORWARD, FFTW_WISDOM_ONLY | FFTW_MEASURE);
	printf("wisdom only, with wisdom: %s\n", again != NULL ? "a plan" : "NULL");
	fill();
	fftw_execute(again);
	show("from wisdom", &out[0][0], 2 * N);
	fftw_destroy_plan(plan);
	fftw_destroy_plan(again);
}

/* MEASURE may overwrite the arrays while it plans, ESTIMATE may not. */
static void use_flags(void)
{
	fftw_complex *a = fftw_malloc(4096 * sizeof *a);
	for (int i = 0; i < 4096; i++)
		a[i][0] = a[i][1] = 3;
	fftw_plan plan = fftw_plan_dft_1d(4096, a, a, FFTW_FORWARD, FFTW_ESTIMATE);
	int kept = 1;
	for (int i = 0; i < 4096; i++)
		kept &= a[i][0] == 3 && a[i][1] == 3;
	printf("ESTIMATE keeps the arrays: %d\n", kept);
	fftw_destroy_plan(plan);
	fftw_forget_wisdom();
	plan = fftw_plan_dft_1d(4096, a, a, FFTW_FORWARD, FFTW_MEASURE);
	kept = 1;
	for (int i = 0; i < 4096; i++)
		kept &= a[i][0] == 3 && a[i][1] == 3;
	printf("MEASURE keeps the arrays: %d\n", kept);
	fftw_destroy_plan(plan);
	fftw_free(a);
}

/* Functions that inspect a plan must receive FFTW's own plan. */
static void use_plan_reader(void)
{
	double add, mul, fma;
	fftw_plan plan = fftw_plan_dft_1d(N, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
	char *text = fftw_sprint_plan(plan);
	fftw_flops(plan, &add, &mul, &fma);
	printf("plan: %s, flops %d, cost %d, alignment %d\n", text, add + mul + fma > 0,
	       fftw_estimate_cost(plan) > 0,
	       fftw_alignment_of((double *)in + 1) - fftw_alignment_of((double *)in));
	free(text);
	fftw_destroy_plan(plan);
}

int main(void)
{
	use_r2r();
	use_guru();
#ifdef HAVE_LONG
	use_long();
#endif
	use_null();
	use_odd();
	use_wisdom();
	use_flags();
	use_plan_reader();
	return 0;
}
