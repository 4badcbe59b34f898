/* coverage_module.c - a library opened at run time: calls routines, takes an address as data */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/coverage/coverage_fake.h"

int module_multiply(void);

/* A table of routines filled in at load time, as in wrappers made by f2py. */
void *module_table[] = {(void *)dgemm_, (void *)ddot_};

int module_multiply(void)
{
	const int n = 40, one = 1;
	const double alpha = 2, beta = 3;
	double c[1] = {0};
	double (*dot)(const int *, const double *, const int *, const double *, const int *);
	dgemm_("N", "T", &n, &n, &n, &alpha, c, &n, c, &n, &beta, c, &n, 1, 1);
	*(void **)&dot = module_table[1];
	return dot(&n, c, &one, c, &one) == 1.5 ? 0 : 1;
}
