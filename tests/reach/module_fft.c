/* module_fft.c - a module that loads FFTW for itself only (RTLD_LOCAL) */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fftw3.h>

void module_call(double *result, long size);

/* The transform of a constant: the sum first, then zeros. */
void module_call(double *result, long size)
{
	const int n = size > 2 ? 4096 : 8;
	fftw_complex *x = fftw_malloc(sizeof *x * (size_t)n);
	fftw_plan plan = fftw_plan_dft_1d(n, x, x, FFTW_FORWARD, FFTW_ESTIMATE);
	for (int i = 0; i < n; i++) {
		x[i][0] = 1;
		x[i][1] = 0;
	}
	fftw_execute(plan);
	fftw_destroy_plan(plan);
	result[0] = x[0][0];
	result[1] = x[0][1] * x[0][1];
	result[2] = x[1][0] * x[1][0];
	fftw_free(x);
}
