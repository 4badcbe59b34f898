/* soak_work.c - random products and transforms, checked by sums of the tests' own */
/* SPDX-License-Identifier: Apache-2.0 */
#include "soak_work.h"

#include <complex.h>
#include <fftw3.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, size_t length1, size_t length2);

enum { SIZE_MOST = 160, GAP_MOST = 5, LENGTH_MOST = 6000, PROBED = 4 };

static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

/* xorshift64: Marsaglia, "Xorshift RNGs", 2003. */
static unsigned long draw(unsigned long *random, unsigned long below)
{
	unsigned long word = *random * 2 + 1;
	word ^= word << 13;
	word ^= word >> 7;
	word ^= word << 17;
	*random = word;
	return (word >> 11) % below;
}

static double draw_real(unsigned long *random)
{
	return (double)draw(random, 2000001) / 1e6 - 1;
}

/* rows x columns numbers in columns of ld; the gaps hold a mark. */
struct block {
	int rows, columns, ld;
	double *at;
};

static const double mark = 12345.5;

static struct block make_block(unsigned long *random, int rows, int columns)
{
	struct block block = {rows, columns, rows + (int)draw(random, GAP_MOST), NULL};
	block.at = malloc((size_t)block.ld * (size_t)columns * sizeof(double));
	if (block.at == NULL)
		abort();
	for (int j = 0; j < columns; j++)
		for (int i = 0; i < block.ld; i++)
			block.at[j * block.ld + i] = i < rows ? draw_real(random) : mark;
	return block;
}

static int gaps_hold(const struct block *block)
{
	for (int j = 0; j < block->columns; j++)
		for (int i = block->rows; i < block->ld; i++)
			if (block->at[j * block->ld + i] != mark)
				return 0;
	return 1;
}

/* y := op(block) x */
static void apply(const struct block *block, char trans, const double *x, double *y)
{
	const int rows = trans == 'N' ? block->rows : block->columns;
	const int columns = trans == 'N' ? block->columns : block->rows;
	for (int i = 0; i < rows; i++) {
		y[i] = 0;
		for (int j = 0; j < columns; j++)
			y[i] += x[j] * (trans == 'N' ? block->at[j * block->ld + i]
			                             : block->at[i * block->ld + j]);
	}
}

/*
 * C x = alpha op(A) (op(B) x) + beta C0 x for a random x: Freivalds, "Probabilistic machines can
 * use less running time", 1977.
 */
static int check_product(unsigned long *random, const struct block *a, const struct block *b,
                         const struct block *c, const double *before, const char trans[2],
                         const double scalar[2])
{
	double x[SIZE_MOST] = {0}, bx[SIZE_MOST], abx[SIZE_MOST], old[SIZE_MOST], got[SIZE_MOST];
	struct block first = *c;
	for (int i = 0; i < c->columns; i++)
		x[i] = draw_real(random);
	apply(b, trans[1], x, bx);
	apply(a, trans[0], bx, abx);
	first.at = (double *)before;
	apply(&first, 'N', x, old);
	apply(c, 'N', x, got);
	for (int i = 0; i < c->rows; i++)
		if (!(fabs(got[i] - scalar[0] * abx[i] - scalar[1] * old[i]) < 1e-8))
			return 1;
	return !gaps_hold(c);
}

static int draw_size(unsigned long *random)
{
	return 1 + (int)draw(random, SIZE_MOST);
}

int soak_product(unsigned long *random)
{
	const char trans[2] = {"NT"[draw(random, 2)], "NT"[draw(random, 2)]};
	const double scalar[2] = {draw_real(random), draw(random, 2) == 0 ? 0 : draw_real(random)};
	const int m = draw_size(random), n = draw_size(random), k = draw_size(random);
	const int turned_a = trans[0] == 'T', turned_b = trans[1] == 'T';
	struct block a = make_block(random, turned_a ? k : m, turned_a ? m : k);
	struct block b = make_block(random, turned_b ? n : k, turned_b ? k : n);
	struct block c = make_block(random, m, n);
	const size_t bytes = (size_t)c.ld * (size_t)n * sizeof(double);
	double *before = malloc(bytes);
	if (before == NULL)
		abort();
	memcpy(before, c.at, bytes);
	dgemm_(&trans[0], &trans[1], &m, &n, &k, &scalar[0], a.at, &a.ld, b.at, &b.ld, &scalar[1],
	       c.at, &c.ld, 1, 1);
	const int failed = check_product(random, &a, &b, &c, before, trans, scalar);
	free(a.at);
	free(b.at);
	free(c.at);
	free(before);
	return failed;
}

/* Some coefficients by their definition. */
static int check_transform(unsigned long *random, const double complex *in,
                           const double complex *out, int n)
{
	for (int probe = 0; probe < PROBED; probe++) {
		const int k = (int)draw(random, (unsigned long)n);
		double complex sum = 0;
		for (int j = 0; j < n; j++)
			sum += in[j] * cexp(-2 * M_PI * I * (double)((long)j * k % n) / n);
		if (!(cabs(sum - out[k]) < 1e-7))
			return 1;
	}
	return 0;
}

static int work_transform(unsigned long *random)
{
	const int n = 1 + (int)draw(random, LENGTH_MOST);
	double complex *in = fftw_malloc(sizeof *in * (size_t)n);
	double complex *out = fftw_malloc(sizeof *out * (size_t)n);
	pthread_mutex_lock(&planner);
	fftw_plan plan = fftw_plan_dft_1d(n, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
	pthread_mutex_unlock(&planner);
	for (int i = 0; i < n; i++)
		in[i] = draw_real(random) + I * draw_real(random);
	fftw_execute(plan);
	const int failed = check_transform(random, in, out, n);
	pthread_mutex_lock(&planner);
	fftw_destroy_plan(plan);
	pthread_mutex_unlock(&planner);
	fftw_free(in);
	fftw_free(out);
	return failed;
}

int soak_work(unsigned long *random)
{
	return draw(random, 3) == 0 ? work_transform(random) : soak_product(random);
}
