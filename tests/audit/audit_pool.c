/* audit_pool.c - binds more names than the shim has bindings; the rest reach the library as is */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "shim/table/symbol.h"

typedef void gemm_function(const char *, const char *, const int *, const int *, const int *,
                           const double *, const double *, const int *, const double *, const int *,
                           const double *, double *, const int *);

static const char *const names[SYMBOL_COUNT] = {
#define BLAS(symbol, family, element, shape, abi, width) #symbol,
#include "shim/table/blas_symbols.def"
#define FFTW(symbol, role, family, element, shape) #symbol,
#include "shim/table/fftw_symbols.def"
};

static bool lies_in_shim(void *code)
{
	Dl_info info;
	return dladdr(code, &info) != 0 && strstr(info.dli_fname, "libgpushim.so") != NULL;
}

static void call_gemm(void *library, const char *name, const int *last, int symbol)
{
	const int two = 2;
	const double one = 1, a[4] = {1, 0, 0, 1};
	double c[4] = {0};
	gemm_function *gemm = (gemm_function *)dlsym(library, name);
	gemm("N", "N", &two, &two, &two, &one, a, &two, a, &two, &one, c, &two);
	printf("%s: %s\n", name, *last == symbol ? "reached" : "not reached");
}

/* usage: audit_pool LIBRARY */
int main(int argc, char **argv)
{
	void *library = dlopen(argc > 1 ? argv[1] : "", RTLD_NOW | RTLD_LOCAL),
	     *first[SYMBOL_COUNT];
	const int *last = library != NULL ? dlsym(library, "audit_many_last") : NULL;
	int redirected = 0, other = 0, lost = 0;
	if (last == NULL) {
		fprintf(stderr, "%s\n", dlerror());
		return 3;
	}
	for (int i = 0; i < SYMBOL_COUNT; i++) {
		first[i] = dlsym(library, names[i]);
		redirected += lies_in_shim(first[i]);
	}
	for (int i = 0; i < SYMBOL_COUNT; i++)
		other += dlsym(library, names[i]) != first[i];
	for (int i = 0; i < SYMBOL_COUNT; i++) {
		if (lies_in_shim(first[i]))
			continue;
		((void (*)(void))first[i])();
		lost += *last != i;
	}
	printf("redirected %d\nbound otherwise the second time %d\nnot redirected and not reached %d\n",
	       redirected, other, lost);
	call_gemm(library, "sgemm_", last, SYMBOL_sgemm_);
	call_gemm(library, "dgemm_", last, SYMBOL_dgemm_);
	return 0;
}
