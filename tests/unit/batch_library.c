/* batch_library.c - a library with one routine of batches, of double precision, in plain loops */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>

int batch_library_calls;

struct problem {
	int transa, transb, m, n, k, lda, ldb, ldc;
	double alpha, beta;
};

static void run(const struct problem *p, const double *a, const double *b, double *c)
{
	for (int j = 0; j < p->n; j++)
		for (int i = 0; i < p->m; i++) {
			double sum = 0;
			for (int l = 0; l < p->k; l++)
				sum += (p->transa ? a[l + i * p->lda] : a[i + l * p->lda]) *
				       (p->transb ? b[j + l * p->ldb] : b[l + j * p->ldb]);
			double *item = &c[i + j * p->ldc];
			*item = p->alpha * sum + (p->beta == 0 ? 0 : p->beta * *item);
		}
}

void dgemm_batch_(const char *transa, const char *transb, const int32_t *m, const int32_t *n,
                  const int32_t *k, const double *alpha, const double *const *a, const int32_t *lda,
                  const double *const *b, const int32_t *ldb, const double *beta, double *const *c,
                  const int32_t *ldc, const int32_t *groups, const int32_t *sizes);
void dgemm_batch_(const char *transa, const char *transb, const int32_t *m, const int32_t *n,
                  const int32_t *k, const double *alpha, const double *const *a, const int32_t *lda,
                  const double *const *b, const int32_t *ldb, const double *beta, double *const *c,
                  const int32_t *ldc, const int32_t *groups, const int32_t *sizes)
{
	int problem = 0;
	batch_library_calls++;
	for (int g = 0; g < *groups; g++) {
		const struct problem p = {
			transa[g] != 'N', transb[g] != 'N', m[g],   n[g],     k[g],
			lda[g],           ldb[g],           ldc[g], alpha[g], beta[g]};
		for (int i = 0; i < sizes[g]; i++, problem++)
			run(&p, a[problem], b[problem], c[problem]);
	}
}
