/* cli_small.c - small calls of LAPACK, with letters of either case, and a query */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <stdio.h>

enum { SMALL_ORDER = 20, SMALL_SIDES = 3, SMALL_WORK = 64 * SMALL_ORDER };

static double small_a[SMALL_ORDER * SMALL_ORDER], small_u[SMALL_ORDER * SMALL_ORDER],
	small_b[SMALL_ORDER * SMALL_SIDES], small_work[SMALL_WORK];
static int small_pivots[SMALL_ORDER];

void dgesv_(const int *n, const int *nrhs, double *a, const int *lda, int *ipiv, double *b,
            const int *ldb, int *info);
void dsyev_(const char *job, const char *uplo, const int *n, double *a, const int *lda, double *w,
            double *work, const int *lwork, int *info, size_t job_length, size_t uplo_length);
void dgesvd_(const char *jobu, const char *jobvt, const int *m, const int *n, double *a,
             const int *lda, double *s, double *u, const int *ldu, double *vt, const int *ldvt,
             double *work, const int *lwork, int *info, size_t jobu_length, size_t jobvt_length);

static void small_fill(void)
{
	for (int i = 0; i < SMALL_ORDER; i++)
		for (int j = 0; j < SMALL_ORDER; j++)
			small_a[i * SMALL_ORDER + j] = i == j ? SMALL_ORDER : 1.0 / (1 + i + j);
}

int main(void)
{
	const int n = SMALL_ORDER, sides = SMALL_SIDES, size = SMALL_WORK, query = -1;
	int info[4] = {0, 0, 0, 0};
	small_fill();
	dgesv_(&n, &sides, small_a, &n, small_pivots, small_b, &n, &info[0]);
	small_fill();
	dsyev_("v", "L", &n, small_a, &n, small_b, small_work, &query, &info[1], 1, 1);
	dsyev_("v", "L", &n, small_a, &n, small_b, small_work, &size, &info[2], 1, 1);
	small_fill();
	dgesvd_("s", "N", &n, &n, small_a, &n, small_b, small_u, &n, small_u, &n, small_work, &size,
	        &info[3], 1, 1);
	printf("info %d %d %d %d\n", info[0], info[1], info[2], info[3]);
	return 0;
}
