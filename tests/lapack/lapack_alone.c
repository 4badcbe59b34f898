/* lapack_alone.c - a program linked with no LAPACK; lapack_alone WAY [FILE...] */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef void factor(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
typedef void solver(const int *n, const int *nrhs, double *a, const int *lda, int *ipiv, double *b,
                    const int *ldb, int *info);

static int own_calls;
factor dgetrf_;

/* It factors nothing; whoever looks its name up must get it. */
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info)
{
	(void)m, (void)n, (void)a, (void)lda, (void)ipiv;
	own_calls++;
	*info = 4711;
}

static int run_own(void)
{
	static double a[64 * 64];
	int ipiv[64], info = 0, sum = 0;
	const int order = 64;
	factor *const volatile direct = dgetrf_;
	for (int i = 0; i < 3; i++) {
		direct(&order, &order, a, &order, ipiv, &info);
		sum += info;
	}
	factor *found = (factor *)dlsym(RTLD_DEFAULT, "dgetrf_");
	found(&order, &order, a, &order, ipiv, &info);
	printf("%d calls, info %d, the same address: %d\n", own_calls, sum + info, found == direct);
	return 0;
}

/* A name that no library of the program has, and that a preloaded one may have. */
static int run_absent(void)
{
	double a[4] = {4, 1, 1, 3}, b[2] = {6, 7};
	int ipiv[2], info = -99;
	const int two = 2, one = 1;
	solver *solve = (solver *)dlsym(RTLD_DEFAULT, "dgesv_");
	printf("dgesv_ is %s\n", solve == NULL ? "not there" : "there");
	printf("xerbla_ is %s\n", dlsym(RTLD_DEFAULT, "xerbla_") == NULL ? "not there" : "there");
	printf("ilaenv_ is %s\n", dlsym(RTLD_DEFAULT, "ilaenv_") == NULL ? "not there" : "there");
	if (solve == NULL)
		return 0;
	solve(&two, &one, a, &two, ipiv, b, &two, &info);
	printf("info %d, %.6f %.6f\n", info, b[0], b[1]);
	return 0;
}

/* Modules with a LAPACK of their own each: module_solve returns the number by which it answers. */
static int run_modules(int count, char **files)
{
	for (int round = 0; round < 4; round++) {
		void *module[8] = {NULL};
		for (int i = 0; i < count && i < 8; i++) {
			module[i] = dlopen(files[i], RTLD_NOW | RTLD_LOCAL);
			int (*solve)(void) =
				module[i] == NULL ? NULL
						  : (int (*)(void))dlsym(module[i], "module_solve");
			if (solve == NULL) {
				fprintf(stderr, "%s\n", dlerror());
				return 3;
			}
			printf("module %d: %d, %d\n", i, solve(), solve());
		}
		for (int i = 0; i < count && round % 2; i++)
			dlclose(module[i]);
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "own") == 0)
		return run_own();
	if (argc > 1 && strcmp(argv[1], "absent") == 0)
		return run_absent();
	if (argc > 2 && strcmp(argv[1], "modules") == 0)
		return run_modules(argc - 2, argv + 2);
	return 2;
}
