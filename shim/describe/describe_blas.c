/* describe_blas.c - BLAS arguments -> struct call, all but the batches */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/describe/describe_blas.h"

#include <stddef.h>
#include <string.h>

#include "policy/call/argument.h"
#include "shim/describe/describe_problem.h"

/* All arguments that a list can have in CBLAS; NULL where a shape lacks one. */
struct cblas_arguments {
	const int *order, *side, *uplo, *trans, *transa, *transb, *diag;
	const blas_wide *m, *n, *k, *lda, *ldb, *ldc;
	const void *alpha, *beta, *a, *b;
	void *c;
};

static int64_t describe_blas_integer(const void *address, bool wide)
{
	return address != NULL ? argument_read_integer(address, 0, wide) : 0;
}

static int describe_blas_letter(const char *letter, const char *letters)
{
	return letter != NULL ? argument_read_letter(letter, letters) : 0;
}

/* Rank updates have one trans for both operands; trmm and trsm have no C but write B. */
static void describe_blas_f77(struct call *call, bool wide, const struct f77_arguments *with)
{
	struct blas_call *blas = &call->blas;
	const bool update = with->trans != NULL, in_place = with->diag != NULL;
	const char *trans2 = with->ldb != NULL ? with->trans : NULL;
	*blas = (struct blas_call){
		.side = (enum side)describe_blas_letter(with->side, "LR"),
		.uplo = (enum uplo)describe_blas_letter(with->uplo, "UL"),
		.transa = (enum transpose)describe_blas_letter(update ? with->trans : with->transa,
	                                                       "NTC"),
		.transb =
			(enum transpose)describe_blas_letter(update ? trans2 : with->transb, "NTC"),
		.diag = (enum diag)describe_blas_letter(with->diag, "NU"),
		.m = describe_blas_integer(with->m != NULL ? with->m : with->n, wide),
		.n = describe_blas_integer(with->n, wide),
		.k = describe_blas_integer(with->k, wide),
		.lda = describe_blas_integer(with->lda, wide),
		.ldb = describe_blas_integer(in_place ? NULL : with->ldb, wide),
		.ldc = describe_blas_integer(in_place ? with->ldb : with->ldc, wide),
		.a = with->a,
		.b = in_place ? NULL : with->b,
		.c = in_place ? with->b : with->c,
	};
	if (with->side != NULL)
		blas->k = blas->side == SIDE_LEFT ? blas->m : blas->n;
	describe_problem_end(call, with->alpha, with->beta);
}

/* The letter of a CBLAS number; an order that is none makes every letter an illegal one. */
static const char *describe_blas_flag(int order, const int *flag, int first, const char *letters)
{
	if (flag == NULL)
		return NULL;
	const int index = argument_read_flag(*flag, first, (int)strlen(letters));
	const bool known = order == ORDER_ROW || order == ORDER_COLUMN;
	return known && index != ARGUMENT_ILLEGAL ? letters + index : "?";
}

/*
 * By rows an update of A A' is that of A' A by columns. A real family takes both transpositions,
 * which are the same; a complex one takes one of them, and the other stays illegal.
 */
static const char *describe_blas_update_flag(const struct call *call, int order, const int *flag)
{
	const bool hermitian = family_has_hermitian_result(call->family);
	const char *turned = hermitian ? "CTN" : element_is_complex(call->element) ? "TNC" : "TNN";
	return describe_blas_flag(order, flag, 111, order == ORDER_ROW ? turned : "NTC");
}

static int64_t describe_blas_narrow(blas_wide value, bool wide)
{
	return wide ? value : (int32_t)value;
}

/* An integer that came by value, at an address and with 64 bits, whatever the caller's wide is. */
#define INTEGER(at) ((at) != NULL ? &(const int64_t){describe_blas_narrow(*(at), wide)} : NULL)

/*
 * A CBLAS call is the Fortran call that it equals: numbers become letters, and row-major matrices
 * are read by columns, which makes each its transpose. Of a product C' = B' A' the operands change
 * places; everywhere m and n, the side and the triangle do.
 */
static void describe_blas_cblas(struct call *call, bool wide, const struct cblas_arguments *with)
{
	const int order = *with->order;
	const bool row = order == ORDER_ROW && with->m != NULL;
	const bool swap = order == ORDER_ROW && with->transb != NULL;
	const struct f77_arguments f77 = {
		.side = describe_blas_flag(order, with->side, 141,
	                                   order == ORDER_ROW ? "RL" : "LR"),
		.uplo = describe_blas_flag(order, with->uplo, 121,
	                                   order == ORDER_ROW ? "LU" : "UL"),
		.trans = describe_blas_update_flag(call, order, with->trans),
		.transa = describe_blas_flag(order, swap ? with->transb : with->transa, 111, "NTC"),
		.transb = describe_blas_flag(order, swap ? with->transa : with->transb, 111, "NTC"),
		.diag = describe_blas_flag(order, with->diag, 131, "NU"),
		.m = INTEGER(row ? with->n : with->m),
		.n = INTEGER(row ? with->m : with->n),
		.k = INTEGER(with->k),
		.lda = INTEGER(swap ? with->ldb : with->lda),
		.ldb = INTEGER(swap ? with->lda : with->ldb),
		.ldc = INTEGER(with->ldc),
		.alpha = with->alpha,
		.beta = with->beta,
		.a = swap ? with->b : with->a,
		.b = (void *)(uintptr_t)(swap ? with->a : with->b),
		.c = with->c,
	};
	describe_blas_f77(call, true, &f77);
	/* By rows the conjugate of alpha belongs to the other product. */
	if (order == ORDER_ROW && call->family == FAMILY_HER2K)
		call->blas.alpha[1] = -call->blas.alpha[1];
}

#define FIELD(name) .name = (void *)(uintptr_t)name
#define FIELD_AT(name) .name = &name
#define FIELD_SCALAR(E, name) .name = name
#define FIELDS_f77(shape) LIST_f77_##shape(FIELD, FIELD, FIELD, LIST_NO_LENGTHS)
#define FIELDS_cblas(shape)                                                                        \
	LIST_cblas_##shape(D, FIELD_AT, FIELD_AT, FIELD, FIELD, FIELD_SCALAR, FIELD_SCALAR, )
#define DESCRIBE(shape)                                                                            \
	void describe_f77_##shape(struct call *call, bool wide, DESCRIBE_PARAMS_f77(shape))        \
	{                                                                                          \
		const struct f77_arguments with = {FIELDS_f77(shape)};                             \
		describe_blas_f77(call, wide, &with);                                              \
	}                                                                                          \
	void describe_cblas_##shape(struct call *call, bool wide, DESCRIBE_PARAMS_cblas(shape))    \
	{                                                                                          \
		const struct cblas_arguments with = {FIELDS_cblas(shape)};                         \
		describe_blas_cblas(call, wide, &with);                                            \
	}
DESCRIBE(GEMM)
DESCRIBE(GEMMT)
DESCRIBE(SYMM)
DESCRIBE(SYRK)
DESCRIBE(SYR2K)
DESCRIBE(TRMM)
