/* cli_lapack.c - solves triangular equations, or finds a Schur form, by a shared LAPACK */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <stdio.h>

enum { LAPACK_ORDER = 200, LAPACK_WORK = 64 * LAPACK_ORDER };

static double lapack_a[LAPACK_ORDER * LAPACK_ORDER], lapack_b[LAPACK_ORDER];

/* Two routines that the shim does not take. */
void dtrtrs_(const char *uplo, const char *trans, const char *diag, const int *n, const int *nrhs,
             const double *a, const int *lda, double *b, const int *ldb, int *info,
             size_t uplo_length, size_t trans_length, size_t diag_length);
void dgees_(const char *jobvs, const char *sort, void *select, const int *n, double *a,
            const int *lda, int *sdim, double *wr, double *wi, double *vs, const int *ldvs,
            double *work, const int *lwork, int *bwork, int *info, size_t jobvs_length,
            size_t sort_length);

static int lapack_compute(void)
{
	const int n = LAPACK_ORDER;
	int info = 0;
#ifdef LAPACK_SOLVES
	const int one = 1;
	dtrtrs_("U", "N", "N", &n, &one, lapack_a, &n, lapack_b, &n, &info, 1, 1, 1);
#else
	static double work[LAPACK_WORK], imaginary[LAPACK_ORDER];
	const int size = LAPACK_WORK;
	int sorted = 0, unused = 0;
	dgees_("N", "N", NULL, &n, lapack_a, &n, &sorted, lapack_b, imaginary, NULL, &n, work,
	       &size, &unused, &info, 1, 1);
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
