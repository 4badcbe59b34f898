/* readme_program.c - stands for a reader's program: products and transforms of sizes that are decided */
/* SPDX-License-Identifier: Apache-2.0 */
#include <complex.h>

#include <cblas.h>
#include <fftw3.h>
#include <stdio.h>

enum { ORDER = 500, POINTS = 1 << 18 };

static double a[ORDER * ORDER], b[ORDER * ORDER], c[ORDER * ORDER];

static double multiply(void)
{
	for (int i = 0; i < ORDER * ORDER; i++) {
		a[i] = i % 7;
		b[i] = i % 5;
	}
	cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, ORDER, ORDER, ORDER, 1.0, a, ORDER,
	            b, ORDER, 0.0, c, ORDER);
	return c[ORDER + 1];
}

static double transform(void)
{
	fftw_complex *values = fftw_malloc(POINTS * sizeof(*values));
	fftw_plan plan = fftw_plan_dft_1d(POINTS, values, values, FFTW_FORWARD, FFTW_ESTIMATE);
	for (int i = 0; i < POINTS; i++)
		values[i] = i % 3;
	fftw_execute(plan);
	const double first = creal(values[0]);
	fftw_destroy_plan(plan);
	fftw_free(values);
	return first;
}

int main(void)
{
	for (int turn = 0; turn < 3; turn++)
		printf("%.6g %.6g\n", multiply(), transform());
	return 0;
}
