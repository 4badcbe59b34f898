/* fake_blas.c - a BLAS library with every name of blas.def, forwarded to one with common names */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shim/table/shapes.h"

/*
 * FAKE_LIBRARY is the other one. Which names are exported, fake_map.sh decides: those of routines
 * that the other library has, and of its width.
 */

enum fake {
#define BLAS_ROUTINE(family, element, shape, x_, X_, x, X, cblas_x, ...) FAKE_##x_, FAKE_##cblas_x,
#include "shim/table/blas.def"
	FAKE_COUNT
};

static const char *const fake_names[FAKE_COUNT] = {
#define BLAS_ROUTINE(family, element, shape, x_, X_, x, X, cblas_x, ...) #x_, #cblas_x,
#include "shim/table/blas.def"
};
static void *fake_code[FAKE_COUNT];
static void *fake_isamax;

__attribute__((constructor)) static void fake_open(void)
{
	void *library = dlopen(FAKE_LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (library == NULL) {
		fprintf(stderr, "%s\n", dlerror());
		exit(3);
	}
	for (int i = 0; i < FAKE_COUNT; i++)
		fake_code[i] = dlsym(library, fake_names[i]);
	fake_isamax = dlsym(library, "isamax_");
}

/* The shim derives the width of the integers from its result. */
int64_t isamax_(const void *n, const float *x, const void *step);
int64_t isamax_(const void *n, const float *x, const void *step)
{
	int64_t (*isamax)(const void *, const float *, const void *);
	memcpy(&isamax, &fake_isamax, sizeof isamax);
	return isamax(n, x, step);
}

#define F77(name, x_, shape)                                                                       \
	void name(PARAMS_f77(shape, D));                                                           \
	void name(PARAMS_f77(shape, D))                                                            \
	{                                                                                          \
		((void (*)(PARAMS_f77(shape, D)))fake_code[FAKE_##x_])(ARGS_f77(shape));           \
	}
/* A name without underscore is Fortran's where it is the same function as the one with it. */
#define BARE(name, twin, shape) __attribute__((alias(#twin))) void name(PARAMS_f77(shape, D))
#define CBLAS(name, cblas_x, shape, element)                                                       \
	void name(PARAMS_cblas(shape, element));                                                   \
	void name(PARAMS_cblas(shape, element))                                                    \
	{                                                                                          \
		((void (*)(PARAMS_cblas(shape, element)))fake_code[FAKE_##cblas_x])(               \
			ARGS_cblas(shape));                                                        \
	}
#define F77_WIDE(x_, shape, first, second, third, fourth)                                          \
	F77(first, x_, shape);                                                                     \
	F77(second, x_, shape);                                                                    \
	F77(third, x_, shape);                                                                     \
	F77(fourth, x_, shape)
#define CBLAS_WIDE(cblas_x, shape, element, first, second, third)                                  \
	CBLAS(first, cblas_x, shape, element);                                                     \
	CBLAS(second, cblas_x, shape, element);                                                    \
	CBLAS(third, cblas_x, shape, element)
#define BLAS_ROUTINE(family, element, shape, x_, X_, x, X, cblas_x, x_64_, x_64, x64_, cblas_x_64, \
                     cblas_x64_, scipy_x_, scipy_cblas_x, scipy_x_64_, scipy_cblas_x64_)           \
	F77(x_, x_, shape);                                                                        \
	F77(X_, x_, shape);                                                                        \
	BARE(x, x_, shape);                                                                        \
	BARE(X, X_, shape);                                                                        \
	F77(scipy_x_, x_, shape);                                                                  \
	F77_WIDE(x_, shape, x_64_, x_64, x64_, scipy_x_64_);                                       \
	CBLAS(cblas_x, cblas_x, shape, element);                                                   \
	CBLAS(scipy_cblas_x, cblas_x, shape, element);                                             \
	CBLAS_WIDE(cblas_x, shape, element, cblas_x_64, cblas_x64_, scipy_cblas_x64_);
#include "shim/table/blas.def"
