/* openmp_regions.c - BLAS calls inside OpenMP regions, with products that are exact */
/* SPDX-License-Identifier: Apache-2.0 */
#include <omp.h>
#include <stdio.h>

/* SMALL is below the threshold of suites.sh, LARGE is above it. */
enum { TEAM = 4, ROUNDS = 25, SMALL = 8, LARGE = 24, WIDE = TEAM * LARGE };

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);
void dsyrk_(const char *uplo, const char *trans, const int *n, const int *k, const double *alpha,
            const double *a, const int *lda, const double *beta, double *c, const int *ldc);
void dtrsm_(const char *side, const char *uplo, const char *transa, const char *diag, const int *m,
            const int *n, const double *alpha, const double *a, const int *lda, double *b,
            const int *ldb);

static const double one = 1, minus = -1, zero = 0;

static void fill(double *matrix, int count, int seed)
{
	for (int i = 0; i < count; i++)
		matrix[i] = (i * 7 + i / LARGE + seed) % 5 - 2;
}

static double sum(const double *matrix, int count)
{
	double total = 0;
	for (int i = 0; i < count; i++)
		total += matrix[i] * (i % 17 + 1);
	return total;
}

/* Each thread has its own matrices: small and large calls of three routines in turn. */
static double work_alone(int thread)
{
	double a[LARGE * LARGE], b[LARGE * LARGE], c[LARGE * LARGE], total = 0;
	for (int round = 0; round < ROUNDS; round++) {
		const int n = round % 2 == 0 ? LARGE : SMALL;
		fill(a, LARGE * LARGE, thread);
		fill(b, LARGE * LARGE, round);
		fill(c, LARGE * LARGE, 3);
		dgemm_("N", "T", &n, &n, &n, &one, a, &n, b, &n, &minus, c, &n);
		dsyrk_("U", "N", &n, &n, &one, b, &n, &one, c, &n);
		a[1] = 1;
		for (int i = 2; i < n * n; i++)
			a[i] = 0;
		dtrsm_("L", "L", "N", "U", &n, &n, &minus, a, &n, c, &n);
		total += sum(c, n * n);
	}
	return total;
}

/* Threads write neighbouring columns of one matrix. */
static double work_together(void)
{
	double a[LARGE * LARGE], b[LARGE * WIDE], c[LARGE * WIDE];
	const int n = LARGE;
	fill(a, LARGE * LARGE, 1);
	fill(b, LARGE * WIDE, 2);
#pragma omp parallel for num_threads(TEAM) schedule(static, 1)
	for (int block = 0; block < TEAM; block++)
		dgemm_("N", "N", &n, &n, &n, &one, a, &n, b + block * LARGE * LARGE, &n, &zero,
		       c + block * LARGE * LARGE, &n);
	return sum(c, LARGE * WIDE);
}

/* Nested regions: a team within each of two threads. */
static double work_nested(void)
{
	double total = 0;
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) reduction(+ : total)
	total += work_together();
	return total;
}

int main(void)
{
	double total[TEAM];
	int team = 0;
#pragma omp parallel num_threads(TEAM)
	{
		total[omp_get_thread_num()] = work_alone(omp_get_thread_num());
#pragma omp single
		team = omp_get_num_threads();
	}
	for (int i = 0; i < team; i++)
		printf("thread %d: %.17g\n", i, total[i]);
	printf("of %d together: %.17g\n", team, work_together());
	printf("nested: %.17g\n", work_nested());
	printf("alone: %.17g\n", work_alone(0));
	return team == TEAM ? 0 : 1;
}
