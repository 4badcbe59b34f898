/* describe_blas.c - BLAS arguments -> struct call, all but the batches */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/describe/describe_blas.h"

#include <stddef.h>

#include "policy/argument.h"
#include "shim/describe/describe_problem.h"

static int64_t describe_value(blas_wide value, bool wide)
{
	return wide ? value : (int32_t)value;
}

static int64_t describe_integer(const void *address, bool wide)
{
	return argument_read_integer(address, 0, wide);
}

static enum transpose describe_transpose(const char *letter)
{
	return (enum transpose)argument_read_transpose_letter(letter);
}

/* The numbers of CBLAS. flip: the row-major call means the other one of the column-major. */
static enum uplo describe_uplo_flag(int flag, bool flip)
{
	const int uplo = argument_read_flag(flag, 121, 2);
	return (enum uplo)(uplo == ARGUMENT_ILLEGAL ? uplo : uplo ^ (int)flip);
}

static enum side describe_side_flag(int flag, bool flip)
{
	const int side = argument_read_flag(flag, 141, 2);
	return (enum side)(side == ARGUMENT_ILLEGAL ? side : side ^ (int)flip);
}

/*
 * A row-major update of A A' is the column-major one of A' A. other is the transposition that the family has beside
 * none; a real one has both and they are the same.
 */
static enum transpose describe_update_flag(const struct call *call, int flag, bool flip)
{
	const int trans = argument_read_transpose_flag(flag);
	const bool hermitian = call->family == FAMILY_HERK || call->family == FAMILY_HER2K;
	const enum transpose other = hermitian ? TRANSPOSE_C : TRANSPOSE_T;
	if (!flip || trans == ARGUMENT_ILLEGAL)
		return (enum transpose)trans;
	if (trans == TRANSPOSE_N)
		return other;
	return trans == (int)other || !element_is_complex(call->element) ? TRANSPOSE_N : (enum transpose)trans;
}

/* An illegal order makes the call illegal, whatever else it says. */
static void describe_order(struct call *call, int order)
{
	if (order != ORDER_ROW && order != ORDER_COLUMN)
		call->blas.m = -1;
}

void describe_f77_GEMM(struct call *call, bool wide, const char *transa, const char *transb, const void *m,
                       const void *n, const void *k, const void *alpha, const void *a, const void *lda, const void *b,
                       const void *ldb, const void *beta, void *c, const void *ldc)
{
	call->blas = (struct blas_call){
		.transa = describe_transpose(transa),
		.transb = describe_transpose(transb),
		.m = describe_integer(m, wide),
		.n = describe_integer(n, wide),
		.k = describe_integer(k, wide),
		.lda = describe_integer(lda, wide),
		.ldb = describe_integer(ldb, wide),
		.ldc = describe_integer(ldc, wide),
		.a = a,
		.b = b,
		.c = c,
	};
	describe_problem_end(call, alpha, beta);
}

void describe_cblas_GEMM(struct call *call, bool wide, int order, int transa, int transb, blas_wide m, blas_wide n,
                         blas_wide k, const void *alpha, const void *a, blas_wide lda, const void *b, blas_wide ldb,
                         const void *beta, void *c, blas_wide ldc)
{
	/* C' = B' A' is the same product: a row-major call is the column-major one with the operands exchanged. */
	const bool row = order == ORDER_ROW;
	call->blas = (struct blas_call){
		.transa = (enum transpose)argument_read_transpose_flag(row ? transb : transa),
		.transb = (enum transpose)argument_read_transpose_flag(row ? transa : transb),
		.m = describe_value(row ? n : m, wide),
		.n = describe_value(row ? m : n, wide),
		.k = describe_value(k, wide),
		.lda = describe_value(row ? ldb : lda, wide),
		.ldb = describe_value(row ? lda : ldb, wide),
		.ldc = describe_value(ldc, wide),
		.a = row ? b : a,
		.b = row ? a : b,
		.c = c,
	};
	describe_order(call, order);
	describe_problem_end(call, alpha, beta);
}

void describe_f77_GEMMT(struct call *call, bool wide, const char *uplo, const char *transa, const char *transb,
                        const void *n, const void *k, const void *alpha, const void *a, const void *lda, const void *b,
                        const void *ldb, const void *beta, void *c, const void *ldc)
{
	call->blas = (struct blas_call){
		.uplo = (enum uplo)argument_read_letter(uplo, "UL"),
		.transa = describe_transpose(transa),
		.transb = describe_transpose(transb),
		.m = describe_integer(n, wide),
		.n = describe_integer(n, wide),
		.k = describe_integer(k, wide),
		.lda = describe_integer(lda, wide),
		.ldb = describe_integer(ldb, wide),
		.ldc = describe_integer(ldc, wide),
		.a = a,
		.b = b,
		.c = c,
	};
	describe_problem_end(call, alpha, beta);
}

void describe_cblas_GEMMT(struct call *call, bool wide, int order, int uplo, int transa, int transb, blas_wide n,
                          blas_wide k, const void *alpha, const void *a, blas_wide lda, const void *b, blas_wide ldb,
                          const void *beta, void *c, blas_wide ldc)
{
	const bool row = order == ORDER_ROW;
	call->blas = (struct blas_call){
		.uplo = describe_uplo_flag(uplo, row),
		.transa = (enum transpose)argument_read_transpose_flag(row ? transb : transa),
		.transb = (enum transpose)argument_read_transpose_flag(row ? transa : transb),
		.m = describe_value(n, wide),
		.n = describe_value(n, wide),
		.k = describe_value(k, wide),
		.lda = describe_value(row ? ldb : lda, wide),
		.ldb = describe_value(row ? lda : ldb, wide),
		.ldc = describe_value(ldc, wide),
		.a = row ? b : a,
		.b = row ? a : b,
		.c = c,
	};
	describe_order(call, order);
	describe_problem_end(call, alpha, beta);
}

void describe_f77_SYMM(struct call *call, bool wide, const char *side, const char *uplo, const void *m, const void *n,
                       const void *alpha, const void *a, const void *lda, const void *b, const void *ldb,
                       const void *beta, void *c, const void *ldc)
{
	struct blas_call *blas = &call->blas;
	*blas = (struct blas_call){
		.side = (enum side)argument_read_letter(side, "LR"),
		.uplo = (enum uplo)argument_read_letter(uplo, "UL"),
		.m = describe_integer(m, wide),
		.n = describe_integer(n, wide),
		.lda = describe_integer(lda, wide),
		.ldb = describe_integer(ldb, wide),
		.ldc = describe_integer(ldc, wide),
		.a = a,
		.b = b,
		.c = c,
	};
	blas->k = blas->side == SIDE_LEFT ? blas->m : blas->n;
	describe_problem_end(call, alpha, beta);
}

/* Seen column by column, all matrices are their transposes, and the product's factors change places. */
void describe_cblas_SYMM(struct call *call, bool wide, int order, int side, int uplo, blas_wide m, blas_wide n,
                         const void *alpha, const void *a, blas_wide lda, const void *b, blas_wide ldb,
                         const void *beta, void *c, blas_wide ldc)
{
	const bool row = order == ORDER_ROW;
	struct blas_call *blas = &call->blas;
	*blas = (struct blas_call){
		.side = describe_side_flag(side, row),
		.uplo = describe_uplo_flag(uplo, row),
		.m = describe_value(row ? n : m, wide),
		.n = describe_value(row ? m : n, wide),
		.lda = describe_value(lda, wide),
		.ldb = describe_value(ldb, wide),
		.ldc = describe_value(ldc, wide),
		.a = a,
		.b = b,
		.c = c,
	};
	blas->k = blas->side == SIDE_LEFT ? blas->m : blas->n;
	describe_order(call, order);
	describe_problem_end(call, alpha, beta);
}

void describe_f77_SYRK(struct call *call, bool wide, const char *uplo, const char *trans, const void *n, const void *k,
                       const void *alpha, const void *a, const void *lda, const void *beta, void *c, const void *ldc)
{
	call->blas = (struct blas_call){
		.uplo = (enum uplo)argument_read_letter(uplo, "UL"),
		.transa = describe_transpose(trans),
		.m = describe_integer(n, wide),
		.n = describe_integer(n, wide),
		.k = describe_integer(k, wide),
		.lda = describe_integer(lda, wide),
		.ldc = describe_integer(ldc, wide),
		.a = a,
		.c = c,
	};
	describe_problem_end(call, alpha, beta);
}

void describe_cblas_SYRK(struct call *call, bool wide, int order, int uplo, int trans, blas_wide n, blas_wide k,
                         const void *alpha, const void *a, blas_wide lda, const void *beta, void *c, blas_wide ldc)
{
	const bool row = order == ORDER_ROW;
	call->blas = (struct blas_call){
		.uplo = describe_uplo_flag(uplo, row),
		.transa = describe_update_flag(call, trans, row),
		.m = describe_value(n, wide),
		.n = describe_value(n, wide),
		.k = describe_value(k, wide),
		.lda = describe_value(lda, wide),
		.ldc = describe_value(ldc, wide),
		.a = a,
		.c = c,
	};
	describe_order(call, order);
	describe_problem_end(call, alpha, beta);
}

void describe_f77_SYR2K(struct call *call, bool wide, const char *uplo, const char *trans, const void *n, const void *k,
                        const void *alpha, const void *a, const void *lda, const void *b, const void *ldb,
                        const void *beta, void *c, const void *ldc)
{
	call->blas = (struct blas_call){
		.uplo = (enum uplo)argument_read_letter(uplo, "UL"),
		.transa = describe_transpose(trans),
		.transb = describe_transpose(trans),
		.m = describe_integer(n, wide),
		.n = describe_integer(n, wide),
		.k = describe_integer(k, wide),
		.lda = describe_integer(lda, wide),
		.ldb = describe_integer(ldb, wide),
		.ldc = describe_integer(ldc, wide),
		.a = a,
		.b = b,
		.c = c,
	};
	describe_problem_end(call, alpha, beta);
}

/* The conjugate of alpha belongs to the other product: what is row-major in a Hermitian update has it first. */
void describe_cblas_SYR2K(struct call *call, bool wide, int order, int uplo, int trans, blas_wide n, blas_wide k,
                          const void *alpha, const void *a, blas_wide lda, const void *b, blas_wide ldb,
                          const void *beta, void *c, blas_wide ldc)
{
	const bool row = order == ORDER_ROW;
	const enum transpose transpose = describe_update_flag(call, trans, row);
	call->blas = (struct blas_call){
		.uplo = describe_uplo_flag(uplo, row),
		.transa = transpose,
		.transb = transpose,
		.m = describe_value(n, wide),
		.n = describe_value(n, wide),
		.k = describe_value(k, wide),
		.lda = describe_value(lda, wide),
		.ldb = describe_value(ldb, wide),
		.ldc = describe_value(ldc, wide),
		.a = a,
		.b = b,
		.c = c,
	};
	describe_order(call, order);
	describe_problem_end(call, alpha, beta);
	if (row && call->family == FAMILY_HER2K)
		call->blas.alpha[1] = -call->blas.alpha[1];
}

void describe_f77_TRMM(struct call *call, bool wide, const char *side, const char *uplo, const char *transa,
                       const char *diag, const void *m, const void *n, const void *alpha, const void *a,
                       const void *lda, void *b, const void *ldb)
{
	struct blas_call *blas = &call->blas;
	*blas = (struct blas_call){
		.side = (enum side)argument_read_letter(side, "LR"),
		.uplo = (enum uplo)argument_read_letter(uplo, "UL"),
		.transa = describe_transpose(transa),
		.diag = (enum diag)argument_read_letter(diag, "NU"),
		.m = describe_integer(m, wide),
		.n = describe_integer(n, wide),
		.lda = describe_integer(lda, wide),
		.ldc = describe_integer(ldb, wide),
		.a = a,
		.c = b,
	};
	blas->k = blas->side == SIDE_LEFT ? blas->m : blas->n;
	describe_problem_end(call, alpha, NULL);
}

void describe_cblas_TRMM(struct call *call, bool wide, int order, int side, int uplo, int transa, int diag, blas_wide m,
                         blas_wide n, const void *alpha, const void *a, blas_wide lda, void *b, blas_wide ldb)
{
	const bool row = order == ORDER_ROW;
	struct blas_call *blas = &call->blas;
	*blas = (struct blas_call){
		.side = describe_side_flag(side, row),
		.uplo = describe_uplo_flag(uplo, row),
		.transa = (enum transpose)argument_read_transpose_flag(transa),
		.diag = (enum diag)argument_read_flag(diag, 131, 2),
		.m = describe_value(row ? n : m, wide),
		.n = describe_value(row ? m : n, wide),
		.lda = describe_value(lda, wide),
		.ldc = describe_value(ldb, wide),
		.a = a,
		.c = b,
	};
	blas->k = blas->side == SIDE_LEFT ? blas->m : blas->n;
	describe_order(call, order);
	describe_problem_end(call, alpha, NULL);
}
