/* gemm_shapes.c - gemm of every type, spelling, order and transposition, with exact sums */
/* SPDX-License-Identifier: Apache-2.0 */
#include <cblas.h>
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Operands are small whole numbers: every product and sum is exact, so CPU and GPU give the same
 * bits. The checksum covers the whole array of C, with the gap below each column and the elements
 * after the last one.
 */
enum { DIM_MAX = 40, LD_EXTRA = 5, ARRAY_MAX = (DIM_MAX + LD_EXTRA) * (DIM_MAX + LD_EXTRA) };

struct shape {
	int m, n, k;
};
static const struct shape shapes[] = {{1, 1, 1},   {2, 3, 4},    {5, 1, 7},  {1, 6, 3},
                                      {17, 9, 33}, {40, 40, 40}, {33, 40, 1}};

static unsigned long state = 1;

static int draw(void)
{
	state = state * 6364136223846793005ul + 1442695040888963407ul;
	return (int)(state >> 33) % 9 - 4;
}

static long calls[8];
enum call_name { F77_S, F77_D, F77_C, F77_Z, CBLAS_S, CBLAS_D, CBLAS_C, CBLAS_Z };
static const char *const call_names[8] = {"sgemm_",      "dgemm_",      "cgemm_",
                                          "zgemm_",      "cblas_sgemm", "cblas_dgemm",
                                          "cblas_cgemm", "cblas_zgemm"};

#define F77(name, type)                                                                            \
	void name(const char *ta, const char *tb, const int *m, const int *n, const int *k,        \
	          const type *alpha, const type *a, const int *lda, const type *b, const int *ldb, \
	          const type *beta, type *c, const int *ldc);
F77(sgemm_, float)
F77(dgemm_, double)
F77(cgemm_, float complex)
F77(zgemm_, double complex)

static const char letters[2][3] = {{'N', 'T', 'C'}, {'n', 't', 'c'}};

static void show(const char *name, const struct shape *s, int variant, double complex sum)
{
	printf("%s %d %d %d %d: %.17g %.17g\n", name, s->m, s->n, s->k, variant, creal(sum),
	       cimag(sum));
}

/*
 * One of 9 transpositions and 3 orders of calling: 0 Fortran, 1 CBLAS by columns, 2 CBLAS by rows.
 */
struct variant {
	int ta, tb, order, lda, ldb, ldc;
};

static struct variant variant_make(const struct shape *s, int number)
{
	struct variant v = {number % 3, number / 3 % 3, number / 9, 0, 0, 0};
	const int row = v.order == 2, extra = number % 4 == 3 ? LD_EXTRA : number % 2;
	v.lda = (v.ta == 0) != row ? s->m : s->k;
	v.ldb = (v.tb == 0) != row ? s->k : s->n;
	v.ldc = row ? s->n : s->m;
	v.lda += extra;
	v.ldb += extra;
	v.ldc += number % 5;
	return v;
}

#define CBLAS_FLAGS(v) (v).order == 2 ? CblasRowMajor : CblasColMajor, flags[(v).ta], flags[(v).tb]
static const enum CBLAS_TRANSPOSE flags[3] = {CblasNoTrans, CblasTrans, CblasConjTrans};

#define RUN(type, element, f77, cblas, address, imaginary)                                         \
	static void run_##element(const struct shape *s, int number, type alpha, type beta)        \
	{                                                                                          \
		static type a[ARRAY_MAX], b[ARRAY_MAX], c[ARRAY_MAX];                              \
		const struct variant v = variant_make(s, number);                                  \
		for (int i = 0; i < ARRAY_MAX; i++) {                                              \
			a[i] = (type)(draw() + (imaginary)*draw());                                \
			b[i] = (type)(draw() + (imaginary)*draw());                                \
			c[i] = (type)(draw() + (imaginary)*draw());                                \
		}                                                                                  \
		CALL_##element(f77, cblas, address) sum_##element(s, number, c);                   \
	}
#define CALL_ANY(f77, cblas, alpha_value, beta_value, row)                                         \
	if (v.order == 0)                                                                          \
		f77(&letters[number % 2][v.ta], &letters[number % 2][v.tb], &s->m, &s->n, &s->k,   \
		    &alpha, a, &v.lda, b, &v.ldb, &beta, c, &v.ldc);                               \
	else                                                                                       \
		cblas(CBLAS_FLAGS(v), s->m, s->n, s->k, alpha_value, a, v.lda, b, v.ldb,           \
		      beta_value, c, v.ldc);                                                       \
	calls[v.order == 0 ? F77_##row : CBLAS_##row]++;
#define CALL_S(f77, cblas, address) CALL_ANY(f77, cblas, alpha, beta, S)
#define CALL_D(f77, cblas, address) CALL_ANY(f77, cblas, alpha, beta, D)
#define CALL_C(f77, cblas, address) CALL_ANY(f77, cblas, &alpha, &beta, C)
#define CALL_Z(f77, cblas, address) CALL_ANY(f77, cblas, &alpha, &beta, Z)
#define SUM(type, element, name)                                                                   \
	static void sum_##element(const struct shape *s, int number, const type *c)                \
	{                                                                                          \
		double complex sum = 0;                                                            \
		for (int i = 0; i < ARRAY_MAX; i++)                                                \
			sum += (double complex)c[i] * (1 + i % 11);                                \
		show(name, s, number, sum);                                                        \
	}
SUM(float, S, "s")
SUM(double, D, "d")
SUM(float complex, C, "c")
SUM(double complex, Z, "z")
RUN(float, S, sgemm_, cblas_sgemm, , 0)
RUN(double, D, dgemm_, cblas_dgemm, , 0)
RUN(float complex, C, cgemm_, cblas_cgemm, &, I)
RUN(double complex, Z, zgemm_, cblas_zgemm, &, I)

static void run_shape(const struct shape *s)
{
	static const int alphas[] = {1, 2, -1}, betas[] = {0, 1, -2};
	for (int number = 0; number < 27; number++) {
		const int alpha = alphas[number % 3], beta = betas[number / 2 % 3];
		run_S(s, number, (float)alpha, (float)beta);
		run_D(s, number, alpha, beta);
		run_C(s, number, (float)alpha + 2 * I, (float)beta - (beta != 0) * I);
		run_Z(s, number, alpha - I, beta + (beta != 0) * 3 * I);
	}
}

int main(void)
{
	for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
		run_shape(&shapes[i]);
	for (int i = 0; i < 8; i++)
		printf("call %s %ld\n", call_names[i], calls[i]);
	return 0;
}
