/* reach_suffixes.c - calls every suffixed name, with sizes that only 64 bits can hold as well */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdio.h>

#define FORTRAN(name)                                                                              \
	void name(const char *ta, const char *tb, const int64_t *m, const int64_t *n,              \
	          const int64_t *k, const double *alpha, const double *a, const int64_t *lda,      \
	          const double *b, const int64_t *ldb, const double *beta, double *c,              \
	          const int64_t *ldc);                                                             \
	static void call_##name(int64_t n)                                                         \
	{                                                                                          \
		const int64_t m = 3, k = 2, ld = n + 5;                                            \
		const double alpha = 2, beta = 1, a[8] = {3}, b[8] = {4};                          \
		double c[3];                                                                       \
		name("N", "N", &m, &n, &k, &alpha, a, &ld, b, &ld, &beta, c, &ld);                 \
		printf(#name " %.0f %.0f %.0f\n", c[0], c[1], c[2]);                               \
	}
#define CBLAS(name)                                                                                \
	void name(int order, int ta, int tb, int64_t m, int64_t n, int64_t k, double alpha,        \
	          const double *a, int64_t lda, const double *b, int64_t ldb, double beta,         \
	          double *c, int64_t ldc);                                                         \
	static void call_##name(int64_t n)                                                         \
	{                                                                                          \
		const double a[8] = {3}, b[8] = {4};                                               \
		double c[3];                                                                       \
		name(102, 111, 112, 3, n, 2, 2, a, n + 5, b, n + 5, 1, c, n + 5);                  \
		printf(#name " %.0f %.0f %.0f\n", c[0], c[1], c[2]);                               \
	}
#define ALL(X, Y)                                                                                  \
	X(dgemm_64_)                                                                               \
	X(dgemm_64)                                                                                \
	X(dgemm64_) X(scipy_dgemm_64_) Y(cblas_dgemm_64) Y(cblas_dgemm64_) Y(scipy_cblas_dgemm64_)
ALL(FORTRAN, CBLAS)

int main(void)
{
	const int64_t wide[] = {2, 4, ((int64_t)1 << 33) + 7, 3};
#define CALL(name) call_##name(wide[i]);
	for (int i = 0; i < 4; i++) {
		ALL(CALL, CALL)
	}
#define TELL(name) printf("call " #name " 4\n");
	ALL(TELL, TELL)
	return 0;
}
