/* specimen_caller.c - calls the product that is named by its argument, and checks the result */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <stdio.h>

enum { ORDER = 64 };

typedef void specimen_product(const char *transa, const char *transb, const int *m, const int *n,
                              const int *k, const double *alpha, const double *a, const int *lda,
                              const double *b, const int *ldb, const double *beta, double *c,
                              const int *ldc);

int main(int argc, char **argv)
{
	static double a[ORDER * ORDER], b[ORDER * ORDER], c[ORDER * ORDER];
	const int order = ORDER;
	const double one = 1, zero = 0;
	specimen_product *product =
		argc == 2 ? (specimen_product *)dlsym(RTLD_DEFAULT, argv[1]) : NULL;
	if (product == NULL)
		return 2;
	for (int i = 0; i < ORDER * ORDER; i++) {
		a[i] = i % 5;
		b[i] = i % 7;
	}
	product("N", "N", &order, &order, &order, &one, a, &order, b, &order, &zero, c, &order);
	for (int i = 0; i < ORDER; i++)
		for (int j = 0; j < ORDER; j++) {
			double sum = 0;
			for (int p = 0; p < ORDER; p++)
				sum += a[i + p * ORDER] * b[p + j * ORDER];
			if (c[i + j * ORDER] != sum)
				return 1;
		}
	return 0;
}
