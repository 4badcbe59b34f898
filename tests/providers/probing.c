/* probing.c - a program that uses gemm_batch and gemmt if dlsym finds them, and gemm otherwise */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#ifndef BLAS_INTEGER
#define BLAS_INTEGER int
#endif
enum { SIZE = 9, COUNT = SIZE * SIZE, PROBLEMS = 4 };

void dgemm_(const char *transa, const char *transb, const BLAS_INTEGER *m, const BLAS_INTEGER *n,
            const BLAS_INTEGER *k, const double *alpha, const double *a, const BLAS_INTEGER *lda,
            const double *b, const BLAS_INTEGER *ldb, const double *beta, double *c,
            const BLAS_INTEGER *ldc);

/* Two groups; the second has smaller problems. */
static const BLAS_INTEGER groups = 2, size[] = {SIZE, SIZE - 2}, problems[] = {1, PROBLEMS - 1};
static const double ones[] = {1, 1}, minus[] = {-1, -1};

static double a[PROBLEMS][COUNT], b[PROBLEMS][COUNT], c[PROBLEMS][COUNT];

static void fill(void)
{
	for (int i = 0; i < PROBLEMS * COUNT; i++) {
		a[i / COUNT][i % COUNT] = (i * 7 + i / SIZE) % 5 - 2;
		b[i / COUNT][i % COUNT] = (i * 3 + i / SIZE) % 7 - 3;
		c[i / COUNT][i % COUNT] = i % 3;
	}
}

static void print_results(const char *label)
{
	printf("%s", label);
	for (int i = 0; i < PROBLEMS * COUNT; i++)
		printf(" %g", c[i / COUNT][i % COUNT] + 0.0);
	printf("\n");
}

static void multiply(int problem, const BLAS_INTEGER *n, double *result)
{
	dgemm_("N", "T", n, n, n, ones, a[problem], n, b[problem], n, minus, result, n);
}

static void try_batch(const char *name)
{
	void (*batch)(const char *, const char *, const BLAS_INTEGER *, const BLAS_INTEGER *,
	              const BLAS_INTEGER *, const double *, double **, const BLAS_INTEGER *,
	              double **, const BLAS_INTEGER *, const double *, double **,
	              const BLAS_INTEGER *, const BLAS_INTEGER *, const BLAS_INTEGER *);
	double *as[PROBLEMS], *bs[PROBLEMS], *cs[PROBLEMS];
	void *found = dlsym(RTLD_DEFAULT, name);
	memcpy(&batch, &found, sizeof batch);
	fill();
	for (int i = 0; i < PROBLEMS; i++) {
		as[i] = a[i];
		bs[i] = b[i];
		cs[i] = c[i];
		if (found == NULL)
			multiply(i, &size[i > 0], c[i]);
	}
	if (found != NULL)
		batch("NN", "TT", size, size, size, ones, as, size, bs, size, minus, cs, size,
		      &groups, problems);
	print_results(name);
}

static void try_triangle(const char *name)
{
	void (*triangle)(const char *, const char *, const char *, const BLAS_INTEGER *,
	                 const BLAS_INTEGER *, const double *, const double *, const BLAS_INTEGER *,
	                 const double *, const BLAS_INTEGER *, const double *, double *,
	                 const BLAS_INTEGER *);
	void *found = dlsym(RTLD_DEFAULT, name);
	double whole[COUNT];
	memcpy(&triangle, &found, sizeof triangle);
	fill();
	memcpy(whole, c[0], sizeof whole);
	if (found != NULL)
		triangle("L", "N", "T", size, size, ones, a[0], size, b[0], size, minus, c[0],
		         size);
	else
		multiply(0, size, whole);
	for (int i = 0; found == NULL && i < COUNT; i++)
		if (i % SIZE >= i / SIZE)
			c[0][i] = whole[i];
	print_results(name);
}

int main(void)
{
	try_batch("dgemm_batch_");
	try_triangle("dgemmt_");
	return 0;
}
