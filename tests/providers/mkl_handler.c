/* mkl_handler.c - a program's own handlers of illegal arguments, as MKL calls them */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

void xerbla_(const char *name, const int *parameter, int length);
void xerbla_(const char *name, const int *parameter, int length)
{
	printf("<%.*s, parameter %d>", length, name, *parameter);
}

/* The reference's cblas_xerbla takes the number first. */
void cblas_xerbla(const char *name, int parameter);
void cblas_xerbla(const char *name, int parameter)
{
	printf("<%s, parameter %d>", name, parameter);
}
