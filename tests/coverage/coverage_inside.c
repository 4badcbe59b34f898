/* coverage_inside.c - a program with a statically linked BLAS routine, beside a shared library */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "tests/coverage/coverage_fake.h"

void dgemv_(const int *n);

/* Bound within this file: the loader does not see the call. */
__attribute__((noinline)) void dgemv_(const int *n)
{
	printf("own routine, %d\n", *n);
}

int main(void)
{
	const int n = 30, one = 1;
	double x[1] = {0};
	dgemv_(&n);
	return ddot_(&n, x, &one, x, &one) == 1.5 ? 0 : 1;
}
