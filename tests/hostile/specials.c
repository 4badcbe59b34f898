/* specials.c - infinities and NaN in operands: flags and traps after each call: specials WAY */
/* SPDX-License-Identifier: Apache-2.0 */
#include <complex.h>
#include <fenv.h>
#include <fftw3.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef double complex wide;

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);
void sgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const float *alpha, const float *a, const int *lda, const float *b, const int *ldb,
            const float *beta, float *c, const int *ldc);
void zgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const wide *alpha, const wide *a, const int *lda, const wide *b, const int *ldb,
            const wide *beta, wide *c, const int *ldc);
void dsyrk_(const char *uplo, const char *trans, const int *n, const int *k, const double *alpha,
            const double *a, const int *lda, const double *beta, double *c, const int *ldc);
void dsymm_(const char *side, const char *uplo, const int *m, const int *n, const double *alpha,
            const double *a, const int *lda, const double *b, const int *ldb, const double *beta,
            double *c, const int *ldc);
void dtrsm_(const char *side, const char *uplo, const char *trans, const char *diag, const int *m,
            const int *n, const double *alpha, const double *a, const int *lda, double *b,
            const int *ldb);
void dtrmm_(const char *side, const char *uplo, const char *trans, const char *diag, const int *m,
            const int *n, const double *alpha, const double *a, const int *lda, double *b,
            const int *ldb);

enum { ORDER = 90, SQUARE = ORDER * ORDER, LENGTH = 360 };

static double a[SQUARE], b[SQUARE], c[SQUARE];
static float as[SQUARE], bs[SQUARE], cs[SQUARE];
static wide az[SQUARE], bz[SQUARE], cz[SQUARE], x[LENGTH], y[LENGTH];
static fftw_plan plan;
static double beta;

/* -- operands -- */

static void fill(void)
{
	for (int i = 0; i < SQUARE; i++) {
		a[i] = (i * 7919 % 1000) / 1000.0 + 0.3;
		b[i] = (i * 104729 % 1000) / 1000.0 + 0.7;
		c[i] = (i % 17) / 16.1;
	}
	beta = 0;
	for (int i = 0; i < LENGTH; i++)
		x[i] = a[i] - b[i] * (wide)I;
}

static void fill_plainly(void)
{
	fill();
}

static void fill_nan(void)
{
	fill();
	a[5] = NAN;
	b[7 * ORDER + 3] = NAN;
	x[11] = NAN;
}

/* An infinite number meets a zero. */
static void fill_invalid(void)
{
	fill();
	a[5 + 6 * ORDER] = INFINITY;
	b[6 + 17 * ORDER] = 0;
	a[6 * ORDER + 6] = 0;
	x[11] = INFINITY;
}

/* Infinite results without any invalid operation, in products. */
static void fill_infinite(void)
{
	fill();
	a[5 + 6 * ORDER] = INFINITY;
}

static void fill_large(void)
{
	fill();
	a[5 + 6 * ORDER] = 1e300;
	b[6 + 17 * ORDER] = 1e300;
	a[6 + 17 * ORDER] = 1e300;
	for (int i = 0; i < LENGTH; i++)
		x[i] = 1.7e308;
}

/* Overflow to both infinities, whose sum is invalid. */
static void fill_larger(void)
{
	fill_large();
	a[5 + 8 * ORDER] = -1e300;
	b[8 + 17 * ORDER] = 1e300;
}

/* Rows and columns that hand a NaN on, and one invalid element elsewhere. */
static void fill_both(void)
{
	fill_nan();
	a[15 + 6 * ORDER] = INFINITY;
	b[6 + 27 * ORDER] = 0;
}

static void fill_old(void)
{
	fill();
	beta = 0.7;
	c[4] = NAN;
	c[5] = INFINITY;
}

static void convert(void)
{
	for (int i = 0; i < SQUARE; i++) {
		as[i] = (float)(fabs(a[i]) > 1e30 && isfinite(a[i]) ? copysign(1e30, a[i]) : a[i]);
		bs[i] = (float)(fabs(b[i]) > 1e30 && isfinite(b[i]) ? copysign(1e30, b[i]) : b[i]);
		cs[i] = (float)c[i];
		az[i] = a[i];
		bz[i] = b[i];
		cz[i] = c[i];
	}
}

/* -- calls -- */

static const int n = ORDER;
static const double one = 1.1;

static void call_dgemm(void)
{
	dgemm_("N", "N", &n, &n, &n, &one, a, &n, b, &n, &beta, c, &n);
}

static void call_dgemm_turned(void)
{
	dgemm_("T", "N", &n, &n, &n, &one, a, &n, b, &n, &beta, c, &n);
}

static void call_sgemm(void)
{
	const float alpha = 1.1f, old = (float)beta;
	sgemm_("N", "N", &n, &n, &n, &alpha, as, &n, bs, &n, &old, cs, &n);
}

static void call_zgemm(void)
{
	const wide alpha = 1.1, old = beta;
	zgemm_("N", "N", &n, &n, &n, &alpha, az, &n, bz, &n, &old, cz, &n);
}

static void call_dsyrk(void)
{
	dsyrk_("U", "N", &n, &n, &one, a, &n, &beta, c, &n);
}

static void call_dsymm(void)
{
	dsymm_("L", "U", &n, &n, &one, a, &n, b, &n, &beta, c, &n);
}

static void call_dtrmm(void)
{
	dtrmm_("L", "U", "N", "N", &n, &n, &one, a, &n, b, &n);
}

static void call_fft(void)
{
	fftw_execute(plan);
}

/* A matrix of which solving is safe, but for one element of its diagonal. */
static void solve(double diagonal)
{
	for (int i = 0; i < ORDER; i++)
		a[i * (ORDER + 1)] = i == 40 ? diagonal : ORDER;
	feclearexcept(FE_ALL_EXCEPT);
	dtrsm_("L", "U", "N", "N", &n, &n, &one, a, &n, b, &n);
}

static void call_dtrsm(void)
{
	solve(ORDER);
}

static void call_dtrsm_singular(void)
{
	solve(0);
}

/* -- the cases -- */

static sigjmp_buf trapped;

static void jump_back(int number, siginfo_t *information, void *context)
{
	(void)number, (void)context;
	siglongjmp(trapped, information->si_code);
}

static void report(const char *call, const char *operands, int code, int traps)
{
	const int shown = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_INEXACT;
	printf("%-14s %-9s ", call, operands);
	if (traps != 0)
		printf("%s\n", code != 0 ? "trapped" : "done");
	else
		printf("flags %02x\n", (unsigned)(fetestexcept(FE_ALL_EXCEPT) & shown));
	fflush(stdout);
}

struct row {
	const char *name, *operands;
	void (*run)(void), (*prepare)(void);
};

#define ROW(call, operands)                                                                        \
	{                                                                                          \
#call, #operands, call_##call, fill_##operands                                     \
	}
#define PRODUCT(call)                                                                              \
	ROW(call, plainly), ROW(call, nan), ROW(call, invalid), ROW(call, infinite),               \
		ROW(call, large), ROW(call, larger), ROW(call, both), ROW(call, old)

static const struct row rows[] = {
	PRODUCT(dgemm),    PRODUCT(dgemm_turned), PRODUCT(sgemm),      ROW(zgemm, plainly),
	ROW(zgemm, nan),   ROW(zgemm, invalid),   ROW(zgemm, large),   ROW(dsyrk, plainly),
	ROW(dsyrk, nan),   ROW(dsyrk, invalid),   ROW(dsyrk, large),   ROW(dsymm, plainly),
	ROW(dsymm, nan),   ROW(dsymm, both),      ROW(dtrmm, plainly), ROW(dtrmm, nan),
	ROW(dtrmm, large), ROW(dtrsm, plainly),   ROW(dtrsm, nan),     ROW(dtrsm_singular, plainly),
	ROW(fft, plainly), ROW(fft, nan),         ROW(fft, invalid),   ROW(fft, large),
};

int main(int count, char **arguments)
{
	static const struct sigaction action = {.sa_sigaction = jump_back, .sa_flags = SA_SIGINFO};
	const int traps = count > 1 && strcmp(arguments[1], "traps") == 0
	                          ? FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW
	                          : 0;
	plan = fftw_plan_dft_1d(LENGTH, x, y, FFTW_FORWARD, FFTW_ESTIMATE);
	for (volatile size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		rows[i].prepare();
		convert();
		sigaction(SIGFPE, &action, NULL);
		fesetenv(FE_DFL_ENV);
		feenableexcept(traps);
		const int code = sigsetjmp(trapped, 1);
		if (code == 0)
			rows[i].run();
		report(rows[i].name, rows[i].operands, code, traps);
		fesetenv(FE_DFL_ENV);
	}
	fftw_destroy_plan(plan);
	return 0;
}
