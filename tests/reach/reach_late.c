/* reach_late.c - calls a weak dgemm_, opens the library of its argument, and calls again */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <stdio.h>

__attribute__((weak)) void dgemm_(const char *transa, const char *transb, const int *m,
                                  const int *n, const int *k, const double *alpha, const double *a,
                                  const int *lda, const double *b, const int *ldb,
                                  const double *beta, double *c, const int *ldc);

static void call(const char *when)
{
	const int n = 2;
	const double one = 1, zero = 0, a[4] = {1, 0, 0, 1};
	double c[4] = {0};
	if (dgemm_ == NULL)
		return;
	dgemm_("N", "N", &n, &n, &n, &one, a, &n, a, &n, &zero, c, &n);
	printf("%s: %.0f\n", when, c[0]);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	call("without a library");
	if (argc != 2 || dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL) == NULL)
		return 3;
	for (int i = 0; i < 2; i++)
		call("with one");
	printf("end\n");
	return 0;
}
