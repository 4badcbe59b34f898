/* hostile_work.c - checked work: multiplications and transforms whose results are known */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hostile_work.h"

#include <fftw3.h>
#include <math.h>
#include <stdlib.h>

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);
void cblas_dgemm(int order, int transa, int transb, int m, int n, int k, double alpha,
                 const double *a, int lda, const double *b, int ldb, double beta, double *c,
                 int ldc);

/* A(i,j) = i + 1, B(i,j) = j + 1, C = 5: 2 A B - C is 2 n (i + 1)(j + 1) - 5, exactly. */
static int work_gemm(int n, int cblas)
{
	const double alpha = 2, beta = -1;
	double *a = malloc(3 * sizeof *a * (size_t)n * (size_t)n), *b = a + n * n, *c = b + n * n;
	int wrong = 0;
	if (a == NULL)
		return 1;
	for (int j = 0; j < n; j++)
		for (int i = 0; i < n; i++) {
			a[i + j * n] = i + 1;
			b[i + j * n] = j + 1;
			c[i + j * n] = 5;
		}
	if (cblas)
		cblas_dgemm(102, 111, 111, n, n, n, alpha, a, n, b, n, beta, c, n);
	else
		dgemm_("N", "N", &n, &n, &n, &alpha, a, &n, b, &n, &beta, c, &n);
	for (int j = 0; j < n; j++)
		for (int i = 0; i < n; i++)
			wrong |= c[i + j * n] != 2.0 * n * (i + 1) * (j + 1) - 5;
	free(a);
	return wrong;
}

int work_dgemm(int n)
{
	return work_gemm(n, 0);
}

int work_cblas(int n)
{
	return work_gemm(n, 1);
}

int work_fft(int n)
{
	const double turn = 2 * acos(-1.0) * 3 / n;
	fftw_complex *x = fftw_malloc(2 * sizeof *x * (size_t)n), *y = x + n;
	fftw_plan plan = fftw_plan_dft_1d(n, x, y, FFTW_FORWARD, FFTW_ESTIMATE | FFTW_UNALIGNED);
	int wrong = plan == NULL;
	for (int i = 0; i < n; i++) {
		x[i][0] = cos(turn * i);
		x[i][1] = sin(turn * i);
		y[i][0] = y[i][1] = -1;
	}
	if (plan != NULL)
		fftw_execute(plan);
	for (int i = 0; i < n; i++)
		wrong |= !(fabs(y[i][0] - (i == 3 ? n : 0)) < 1e-10 && fabs(y[i][1]) < 1e-10);
	fftw_destroy_plan(plan);
	fftw_free(x);
	return wrong;
}
