/* specimen_factor.c - calls the QR factorization that is named by its argument, and checks R */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <math.h>
#include <string.h>

enum { ORDER = 40 };

typedef void specimen_factorization(const int *m, const int *n, double *a, const int *lda,
                                    double *tau, double *work, const int *lwork, int *info);

/* The element (i, j) of A'A, of whose R only the upper triangle counts. */
static double product(const double *a, int i, int j, int is_factor)
{
	double sum = 0;
	for (int p = 0; p < ORDER; p++)
		if (!is_factor || (p <= i && p <= j))
			sum += a[p + i * ORDER] * a[p + j * ORDER];
	return sum;
}

int main(int argc, char **argv)
{
	static double a[ORDER * ORDER], kept[ORDER * ORDER], tau[ORDER], work[ORDER];
	const int order = ORDER;
	int info = -99;
	specimen_factorization *factor =
		argc == 2 ? (specimen_factorization *)dlsym(RTLD_DEFAULT, argv[1]) : NULL;
	if (factor == NULL)
		return 2;
	for (int i = 0; i < ORDER * ORDER; i++)
		a[i] = i % 7 + (i % (ORDER + 1) == 0 ? 5 : 0);
	memcpy(kept, a, sizeof a);
	factor(&order, &order, a, &order, tau, work, &order, &info);
	for (int i = 0; i < ORDER; i++)
		for (int j = 0; j < ORDER; j++)
			if (fabs(product(a, i, j, 1) - product(kept, i, j, 0)) > 1e-8)
				return 1;
	return info != 0;
}
