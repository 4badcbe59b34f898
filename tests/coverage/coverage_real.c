/* coverage_real.c - OpenBLAS and FFTW themselves, for the tests of `gpushim coverage` */
/* SPDX-License-Identifier: Apache-2.0 */
#include <complex.h>
#include <stdio.h>

#include <fftw3.h>

enum { REAL_N = 96, REAL_PLANE = 32 };

void cblas_dgemm(int order, int transa, int transb, int m, int n, int k, double alpha,
                 const double *a, int lda, const double *b, int ldb, double beta, double *c,
                 int ldc);
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *pivots, int *info);
void dtrtrs_(const char *uplo, const char *trans, const char *diag, const int *n, const int *sides,
             const double *a, const int *lda, double *b, const int *ldb, int *info,
             size_t uplo_length, size_t trans_length, size_t diag_length);
void dgecon_(const char *norm, const int *n, const double *a, const int *lda, const double *anorm,
             double *rcond, double *work, int *integers, int *info, size_t norm_length);
void dsyev_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
            double *work, const int *lwork, int *info, size_t jobz_length, size_t uplo_length);

static double real_a[REAL_N * REAL_N], real_c[REAL_N * REAL_N], real_w[REAL_N],
	real_work[64 * REAL_N];
static int real_pivots[REAL_N];
static fftw_complex real_plane[REAL_PLANE * REAL_PLANE];

static void real_fill(void)
{
	for (int i = 0; i < REAL_N; i++)
		for (int j = 0; j < REAL_N; j++)
			real_a[i * REAL_N + j] = i == j ? REAL_N : 1.0 / (1 + i + j);
}

/* Routines of LAPACK that the shim does not take, on the factors in real_c. */
static void real_solve(void)
{
	const int n = REAL_N, sides = 1;
	const double norm = 1;
	double reciprocal;
	int solved = -1, estimated = -1;
	dtrtrs_("U", "N", "N", &n, &sides, real_c, &n, real_w, &n, &solved, 1, 1, 1);
	dgecon_("1", &n, real_c, &n, &norm, &reciprocal, real_work, real_pivots, &estimated, 1);
	printf("solution %d, condition %d\n", solved, estimated);
}

/* Plans that the GPU has no form for, executed by names that the shim takes. */
static void real_transform_oddly(void)
{
	enum { LOOPS = 9 };
	static double parts[4][16];
	static fftw_complex from[1 << LOOPS], to[1 << LOOPS];
	const fftw_iodim length = {16, 1, 1}, two = {2, 1 << (LOOPS - 1), 1 << (LOOPS - 1)};
	fftw_iodim loop[LOOPS];
	for (int i = 0; i < LOOPS; i++)
		loop[i] = (fftw_iodim){i < LOOPS - 1 ? 2 : 1, 1 << i, 1 << i};
	fftw_plan split = fftw_plan_guru_split_dft(1, &length, 0, NULL, parts[0], parts[1],
	                                           parts[2], parts[3], FFTW_ESTIMATE);
	fftw_plan looped =
		fftw_plan_guru_dft(1, &two, LOOPS, loop, from, to, FFTW_FORWARD, FFTW_ESTIMATE);
	parts[0][0] = 1;
	from[0] = 1;
	fftw_execute(split);
	fftw_execute(looped);
	printf("split %.9g, loops %.9g\n", parts[2][15], creal(to[1 << (LOOPS - 1)]));
	fftw_destroy_plan(split);
	fftw_destroy_plan(looped);
}

int main(void)
{
	const int n = REAL_N, workspace = 64 * REAL_N;
	int info = -1;
	double trace = 0;
	real_fill();
	for (int i = 0; i < 4; i++)
		cblas_dgemm(102, 111, 112, n, n, n, 0.5, real_a, n, real_a, n, 0, real_c, n);
	dgetrf_(&n, &n, real_c, &n, real_pivots, &info);
	printf("product and LU %.9g, info %d\n", real_c[n * n - 1], info);
	real_solve();
	for (int i = 0; i < n; i++)
		trace += real_a[i * n + i];
	dsyev_("V", "U", &n, real_a, &n, real_w, real_work, &workspace, &info, 1, 1);
	for (int i = 0; i < n; i++)
		trace -= real_w[i];
	printf("eigenvalues %d, info %d\n", trace < 1e-6 && trace > -1e-6, info);
	fftw_plan plan = fftw_plan_dft_2d(REAL_PLANE, REAL_PLANE, real_plane, real_plane,
	                                  FFTW_FORWARD, FFTW_ESTIMATE);
	real_plane[0] = real_plane[1] = 1;
	fftw_execute(plan);
	fftw_execute(plan);
	printf("transform %.9g\n", creal(real_plane[0]));
	fftw_destroy_plan(plan);
	real_transform_oddly();
	return 0;
}
