/* value_blas.c - a BLAS whose bare names take their arguments by value, as ACML's do */
/* SPDX-License-Identifier: Apache-2.0 */
double value_sum(void);
void dgemm(char transa, char transb, int m, int n, int k, double alpha, double *a, int lda,
           double *b, int ldb, double beta, double *c, int ldc);
double DGEMM(double a, double b, double c, double d, double e, double f, double g, double h, int i,
             int j, int k, int l, int m, int n, int o, int p, double q, double r, int s);

void dgemm(char transa, char transb, int m, int n, int k, double alpha, double *a, int lda,
           double *b, int ldb, double beta, double *c, int ldc)
{
	c[0] = (transa == 'N') + 2 * (transb == 'T') + alpha * a[0] * b[0] + beta * c[0];
	c[1] = m + 1e3 * n + 1e6 * k;
	c[2] = lda + 1e3 * ldb + 1e6 * ldc;
}

/*
 * Not a BLAS routine: a program's own function of the same name, with so many arguments that it
 * uses all registers and the stack.
 */
double DGEMM(double a, double b, double c, double d, double e, double f, double g, double h, int i,
             int j, int k, int l, int m, int n, int o, int p, double q, double r, int s)
{
	const double x = a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h;
	return x + 9 * i + 10 * j + 11 * k + 12 * l + 13 * m + 14 * n + 15 * o + 16 * p + 17 * q +
	       18 * r + 19 * s;
}
