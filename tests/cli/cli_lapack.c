/* cli_lapack.c - solves a system of equations, or finds eigenvalues, by a shared LAPACK */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <stdio.h>

enum { LAPACK_ORDER = 200, LAPACK_WORK = 64 * LAPACK_ORDER };

static double lapack_a[LAPACK_ORDER * LAPACK_ORDER], lapack_b[LAPACK_ORDER];

void dgesv_(const int *n, const int *nrhs, double *a, const int *lda, int *pivots, double *b,
            const int *ldb, int *info);
void dsyev_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
            double *work, const int *lwork, int *info, size_t jobz_length, size_t uplo_length);

static int lapack_compute(void)
{
	const int n = LAPACK_ORDER;
	int info = 0;
#ifdef LAPACK_SOLVES
	static int pivots[LAPACK_ORDER];
	const int one = 1;
	dgesv_(&n, &one, lapack_a, &n, pivots, lapack_b, &n, &info);
#else
	static double work[LAPACK_WORK];
	const int size = LAPACK_WORK;
	dsyev_("V", "U", &n, lapack_a, &n, lapack_b, work, &size, &info, 1, 1);
#endif
	return info;
}

int main(void)
{
	for (int i = 0; i < LAPACK_ORDER; i++)
		for (int j = 0; j < LAPACK_ORDER; j++)
			lapack_a[i * LAPACK_ORDER + j] = i == j ? LAPACK_ORDER : 1.0 / (1 + i + j);
	const int info = lapack_compute();
	printf("info %d\n", info);
	return info;
}
