/* plan_rates.c - a product large enough for panels; prints whether it took several kernels */
/* SPDX-License-Identifier: Apache-2.0 */
#include <cblas.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 768 };

/* Asks the simulated CUDA, which the shim has loaded by now. */
static unsigned long count_kernels(void)
{
	char path[4096];
	const char *folder = getenv("EPOCHLY_GPU_CUDA_PATH");
	if (folder == NULL)
		return 0;
	snprintf(path, sizeof path, "%s/libcudart.so.13", folder);
	void *library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
	void *symbol = library == NULL ? NULL : dlsym(library, "simcuda_count");
	unsigned long (*count)(const char *name);
	memcpy(&count, &symbol, sizeof symbol);
	return count == NULL ? 0 : count("kernel");
}

int main(void)
{
	double *a = calloc((size_t)N * N, sizeof *a), *b = calloc((size_t)N * N, sizeof *b);
	double *c = calloc((size_t)N * N, sizeof *c);
	if (a == NULL || b == NULL || c == NULL)
		return 1;
	for (int i = 0; i < N; i++)
		a[i + i * N] = b[i + i * N] = i;
	cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, N, N, N, 1, a, N, b, N, 0, c, N);
	bool right = true;
	for (int i = 0; i < N; i++)
		right = right && c[i + i * N] == (double)i * i;
	const unsigned long kernels = count_kernels();
	printf("%s, kernels: %s\n", right ? "right" : "wrong",
	       kernels > 1    ? "several"
	       : kernels == 1 ? "one"
	                      : "none");
	free(a);
	free(b);
	free(c);
	return 0;
}
