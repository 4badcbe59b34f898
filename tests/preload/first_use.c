/* first_use.c - equal products of two kinds: the first one of each uses new code on the GPU */
/* SPDX-License-Identifier: Apache-2.0 */
#include <cblas.h>
#include <stdio.h>

enum { N = 100, CALLS = 5 };

/* Operands are whole numbers, so that CPU and GPU give the same bits. */
int main(void)
{
	static double a[2 * N * N], b[2 * N * N], c[2 * N * N];
	static const double one[2] = {1, 0}, zero[2] = {0, 0};
	for (int i = 0; i < 2 * N * N; i++) {
		a[i] = i % 7 - 3;
		b[i] = i % 5;
	}
	cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, N, N, N, 1, a, N, b, N, 0, c, N);
	printf("%.17g %.17g\n", c[0], c[N * N - 1]);
	for (int call = 0; call < CALLS; call++) {
		cblas_zgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, N, N, N, one, a, N, b, N,
		            zero, c, N);
		printf("%.17g %.17g\n", c[call], c[2 * N * N - 1]);
	}
	return 0;
}
