/* operands_call.c - calls the Fortran routines of level 3 whose A or C is a triangle */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "tests/hostile/operands.h"

const char *const operands_names[KIND_COUNT] = {"symm", "hemm", "trmm",  "trsm",
                                                "syrk", "herk", "syr2k", "her2k"};

/* Scalars are passed by address: their types do not matter to a prototype. */
#define SYMM(name)                                                                                 \
	void name(const char *, const char *, const int *, const int *, const void *,              \
	          const void *, const int *, const void *, const int *, const void *, void *,      \
	          const int *);
#define TRIANGLE(name)                                                                             \
	void name(const char *, const char *, const char *, const char *, const int *,             \
	          const int *, const void *, const void *, const int *, void *, const int *);
#define RANK_K(name)                                                                               \
	void name(const char *, const char *, const int *, const int *, const void *,              \
	          const void *, const int *, const void *, void *, const int *);
#define RANK_2K(name)                                                                              \
	void name(const char *, const char *, const int *, const int *, const void *,              \
	          const void *, const int *, const void *, const int *, const void *, void *,      \
	          const int *);
#define ALL(KIND, routine) KIND(s##routine) KIND(d##routine) KIND(c##routine) KIND(z##routine)
#define BOTH(KIND, routine) KIND(c##routine) KIND(z##routine)

ALL(SYMM, symm_)
BOTH(SYMM, hemm_)
ALL(TRIANGLE, trmm_)
ALL(TRIANGLE, trsm_)
ALL(RANK_K, syrk_)
BOTH(RANK_K, herk_)
ALL(RANK_2K, syr2k_)
BOTH(RANK_2K, her2k_)

#define NAMES(routine)                                                                             \
	{                                                                                          \
		s##routine, d##routine, c##routine, z##routine                                     \
	}

typedef void symm_function(const char *, const char *, const int *, const int *, const void *,
                           const void *, const int *, const void *, const int *, const void *,
                           void *, const int *);
typedef void triangle_function(const char *, const char *, const char *, const char *, const int *,
                               const int *, const void *, const void *, const int *, void *,
                               const int *);
typedef void rank_k_function(const char *, const char *, const int *, const int *, const void *,
                             const void *, const int *, const void *, void *, const int *);

static symm_function *const symm[][4] = {NAMES(symm_), {NULL, NULL, chemm_, zhemm_}};
static triangle_function *const triangle[][4] = {NAMES(trmm_), NAMES(trsm_)};
static rank_k_function *const rank_k[][4] = {NAMES(syrk_), {NULL, NULL, cherk_, zherk_}};
static symm_function *const rank_2k[][4] = {NAMES(syr2k_), {NULL, NULL, cher2k_, zher2k_}};

/* A scalar in each element; the real ones of herk and her2k have the real type. */
union scalar {
	float s;
	double d;
	float complex c;
	wide z;
};

static union scalar make_scalar(enum element element, bool real, wide value)
{
	union scalar scalar = {.z = value};
	const bool single = element == ELEMENT_S || element == ELEMENT_C;
	if (real || element <= ELEMENT_D) {
		if (single)
			scalar.s = (float)creal(value);
		else
			scalar.d = creal(value);
	} else if (single) {
		scalar.c = (float complex)value;
	}
	return scalar;
}

void operands_call(const struct run *run, const struct arguments *x)
{
	const enum element e = run->element;
	const bool herk = run->kind == KIND_HERK, her2k = run->kind == KIND_HER2K;
	const union scalar alpha = make_scalar(e, herk, run->alpha),
			   beta = make_scalar(e, herk || her2k, run->beta);
	switch (run->kind) {
	case KIND_SYMM:
	case KIND_HEMM:
		symm[run->kind - KIND_SYMM][e](&run->side, &run->uplo, &x->m, &x->n, &alpha, x->a,
		                               &x->lda, x->b, &x->ldb, &beta, x->c, &x->ldc);
		return;
	case KIND_TRMM:
	case KIND_TRSM:
		triangle[run->kind - KIND_TRMM][e](&run->side, &run->uplo, &run->trans, &run->diag,
		                                   &x->m, &x->n, &alpha, x->a, &x->lda, x->c,
		                                   &x->ldc);
		return;
	case KIND_SYRK:
	case KIND_HERK:
		rank_k[run->kind - KIND_SYRK][e](&run->uplo, &run->trans, &x->n, &x->k, &alpha,
		                                 x->a, &x->lda, &beta, x->c, &x->ldc);
		return;
	case KIND_SYR2K:
	case KIND_HER2K:
		rank_2k[run->kind - KIND_SYR2K][e](&run->uplo, &run->trans, &x->n, &x->k, &alpha,
		                                   x->a, &x->lda, x->b, &x->ldb, &beta, x->c,
		                                   &x->ldc);
		return;
	default: abort();
	}
}
