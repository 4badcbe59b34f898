/* auto_wait.c - a few equal products, of which the first one waits for CUDA */
/* SPDX-License-Identifier: Apache-2.0 */
#include <cblas.h>
#include <stdio.h>

enum { N = 100, CALLS = 4 };

/* Operands are whole numbers, so that CPU and GPU give the same bits. */
int main(void)
{
	static double a[N * N], b[N * N], c[N * N];
	for (int i = 0; i < N * N; i++) {
		a[i] = i % 7 - 3;
		b[i] = i % 5;
	}
	for (int call = 0; call < CALLS; call++) {
		cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, N, N, N, 1, a, N, b, N, 1, c,
		            N);
		printf("%.17g %.17g\n", c[call], c[N * N - 1]);
	}
	return 0;
}
