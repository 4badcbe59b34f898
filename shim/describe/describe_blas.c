/* describe_blas.c - BLAS arguments -> struct call, all but the batches */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/describe/describe_blas.h"

#include <stddef.h>
#include <string.h>

#include "policy/call/argument.h"
#include "shim/describe/describe_problem.h"

static int64_t describe_blas_integer(const void *address, bool wide)
{
	return argument_read_integer(address, 0, wide);
}

static enum transpose describe_blas_transpose(const char *letter)
{
	return (enum transpose)argument_read_transpose_letter(letter);
}

void describe_f77_GEMM(struct call *call, bool wide, const char *transa, const char *transb,
                       const void *m, const void *n, const void *k, const void *alpha,
                       const void *a, const void *lda, const void *b, const void *ldb,
                       const void *beta, void *c, const void *ldc)
{
	call->blas = (struct blas_call){
		.transa = describe_blas_transpose(transa),
		.transb = describe_blas_transpose(transb),
		.m = describe_blas_integer(m, wide),
		.n = describe_blas_integer(n, wide),
		.k = describe_blas_integer(k, wide),
		.lda = describe_blas_integer(lda, wide),
		.ldb = describe_blas_integer(ldb, wide),
		.ldc = describe_blas_integer(ldc, wide),
		.a = a,
		.b = b,
		.c = c,
	};
	describe_problem_end(call, alpha, beta);
}

void describe_f77_GEMMT(struct call *call, bool wide, const char *uplo, const char *transa,
                        const char *transb, const void *n, const void *k, const void *alpha,
                        const void *a, const void *lda, const void *b, const void *ldb,
                        const void *beta, void *c, const void *ldc)
{
	call->blas = (struct blas_call){
		.uplo = (enum uplo)argument_read_letter(uplo, "UL"),
		.transa = describe_blas_transpose(transa),
		.transb = describe_blas_transpose(transb),
		.m = describe_blas_integer(n, wide),
		.n = describe_blas_integer(n, wide),
		.k = describe_blas_integer(k, wide),
		.lda = describe_blas_integer(lda, wide),
		.ldb = describe_blas_integer(ldb, wide),
		.ldc = describe_blas_integer(ldc, wide),
		.a = a,
		.b = b,
		.c = c,
	};
	describe_problem_end(call, alpha, beta);
}

void describe_f77_SYMM(struct call *call, bool wide, const char *side, const char *uplo,
                       const void *m, const void *n, const void *alpha, const void *a,
                       const void *lda, const void *b, const void *ldb, const void *beta, void *c,
                       const void *ldc)
{
	struct blas_call *blas = &call->blas;
	*blas = (struct blas_call){
		.side = (enum side)argument_read_letter(side, "LR"),
		.uplo = (enum uplo)argument_read_letter(uplo, "UL"),
		.m = describe_blas_integer(m, wide),
		.n = describe_blas_integer(n, wide),
		.lda = describe_blas_integer(lda, wide),
		.ldb = describe_blas_integer(ldb, wide),
		.ldc = describe_blas_integer(ldc, wide),
		.a = a,
		.b = b,
		.c = c,
	};
	blas->k = blas->side == SIDE_LEFT ? blas->m : blas->n;
	describe_problem_end(call, alpha, beta);
}

void describe_f77_SYRK(struct call *call, bool wide, const char *uplo, const char *trans,
                       const void *n, const void *k, const void *alpha, const void *a,
                       const void *lda, const void *beta, void *c, const void *ldc)
{
	call->blas = (struct blas_call){
		.uplo = (enum uplo)argument_read_letter(uplo, "UL"),
		.transa = describe_blas_transpose(trans),
		.m = describe_blas_integer(n, wide),
		.n = describe_blas_integer(n, wide),
		.k = describe_blas_integer(k, wide),
		.lda = describe_blas_integer(lda, wide),
		.ldc = describe_blas_integer(ldc, wide),
		.a = a,
		.c = c,
	};
	describe_problem_end(call, alpha, beta);
}

void describe_f77_SYR2K(struct call *call, bool wide, const char *uplo, const char *trans,
                        const void *n, const void *k, const void *alpha, const void *a,
                        const void *lda, const void *b, const void *ldb, const void *beta, void *c,
                        const void *ldc)
{
	call->blas = (struct blas_call){
		.uplo = (enum uplo)argument_read_letter(uplo, "UL"),
		.transa = describe_blas_transpose(trans),
		.transb = describe_blas_transpose(trans),
		.m = describe_blas_integer(n, wide),
		.n = describe_blas_integer(n, wide),
		.k = describe_blas_integer(k, wide),
		.lda = describe_blas_integer(lda, wide),
		.ldb = describe_blas_integer(ldb, wide),
		.ldc = describe_blas_integer(ldc, wide),
		.a = a,
		.b = b,
		.c = c,
	};
	describe_problem_end(call, alpha, beta);
}

void describe_f77_TRMM(struct call *call, bool wide, const char *side, const char *uplo,
                       const char *transa, const char *diag, const void *m, const void *n,
                       const void *alpha, const void *a, const void *lda, void *b, const void *ldb)
{
	struct blas_call *blas = &call->blas;
	*blas = (struct blas_call){
		.side = (enum side)argument_read_letter(side, "LR"),
		.uplo = (enum uplo)argument_read_letter(uplo, "UL"),
		.transa = describe_blas_transpose(transa),
		.diag = (enum diag)argument_read_letter(diag, "NU"),
		.m = describe_blas_integer(m, wide),
		.n = describe_blas_integer(n, wide),
		.lda = describe_blas_integer(lda, wide),
		.ldc = describe_blas_integer(ldb, wide),
		.a = a,
		.c = b,
	};
	blas->k = blas->side == SIDE_LEFT ? blas->m : blas->n;
	describe_problem_end(call, alpha, NULL);
}

/*
 * A CBLAS call is the Fortran call that it equals: numbers become letters, and what is row-major is
 * seen column by column, where all matrices are their transposes. An order that is none makes every
 * letter an illegal one.
 */
static const char *describe_blas_letter(int order, int flag, int first, const char *letters)
{
	const int index = argument_read_flag(flag, first, (int)strlen(letters));
	const bool known = order == ORDER_ROW || order == ORDER_COLUMN;
	return known && index != ARGUMENT_ILLEGAL ? letters + index : "?";
}

static const char *describe_blas_trans_flag(int order, int flag)
{
	return describe_blas_letter(order, flag, 111, "NTC");
}

static const char *describe_blas_uplo_flag(int order, int flag)
{
	return describe_blas_letter(order, flag, 121, order == ORDER_ROW ? "LU" : "UL");
}

static const char *describe_blas_side_flag(int order, int flag)
{
	return describe_blas_letter(order, flag, 141, order == ORDER_ROW ? "RL" : "LR");
}

/*
 * By rows an update of A A' is the one of A' A by columns. A real family has both transpositions
 * beside none, and they are the same; a complex one has one of them, and the other stays what it
 * is: illegal.
 */
static const char *describe_blas_update_flag(const struct call *call, int order, int flag)
{
	const bool hermitian = family_has_hermitian_result(call->family);
	const char *turned = hermitian ? "CTN" : element_is_complex(call->element) ? "TNC" : "TNN";
	return describe_blas_letter(order, flag, 111, order == ORDER_ROW ? turned : "NTC");
}

/* An integer that came by value, at an address and with 64 bits, whatever the caller's wide is. */
#define INTEGER(value) (&(const int64_t){wide ? (value) : (int32_t)(value)})

void describe_cblas_GEMM(struct call *call, bool wide, int order, int transa, int transb,
                         blas_wide m, blas_wide n, blas_wide k, const void *alpha, const void *a,
                         blas_wide lda, const void *b, blas_wide ldb, const void *beta, void *c,
                         blas_wide ldc)
{
	/* C' = B' A' is the same product: the operands change places. */
	const bool row = order == ORDER_ROW;
	describe_f77_GEMM(call, true, describe_blas_trans_flag(order, row ? transb : transa),
	                  describe_blas_trans_flag(order, row ? transa : transb),
	                  INTEGER(row ? n : m), INTEGER(row ? m : n), INTEGER(k), alpha,
	                  row ? b : a, INTEGER(row ? ldb : lda), row ? a : b,
	                  INTEGER(row ? lda : ldb), beta, c, INTEGER(ldc));
}

void describe_cblas_GEMMT(struct call *call, bool wide, int order, int uplo, int transa, int transb,
                          blas_wide n, blas_wide k, const void *alpha, const void *a, blas_wide lda,
                          const void *b, blas_wide ldb, const void *beta, void *c, blas_wide ldc)
{
	const bool row = order == ORDER_ROW;
	describe_f77_GEMMT(call, true, describe_blas_uplo_flag(order, uplo),
	                   describe_blas_trans_flag(order, row ? transb : transa),
	                   describe_blas_trans_flag(order, row ? transa : transb), INTEGER(n),
	                   INTEGER(k), alpha, row ? b : a, INTEGER(row ? ldb : lda), row ? a : b,
	                   INTEGER(row ? lda : ldb), beta, c, INTEGER(ldc));
}

void describe_cblas_SYMM(struct call *call, bool wide, int order, int side, int uplo, blas_wide m,
                         blas_wide n, const void *alpha, const void *a, blas_wide lda,
                         const void *b, blas_wide ldb, const void *beta, void *c, blas_wide ldc)
{
	const bool row = order == ORDER_ROW;
	describe_f77_SYMM(call, true, describe_blas_side_flag(order, side),
	                  describe_blas_uplo_flag(order, uplo), INTEGER(row ? n : m),
	                  INTEGER(row ? m : n), alpha, a, INTEGER(lda), b, INTEGER(ldb), beta, c,
	                  INTEGER(ldc));
}

void describe_cblas_SYRK(struct call *call, bool wide, int order, int uplo, int trans, blas_wide n,
                         blas_wide k, const void *alpha, const void *a, blas_wide lda,
                         const void *beta, void *c, blas_wide ldc)
{
	describe_f77_SYRK(call, true, describe_blas_uplo_flag(order, uplo),
	                  describe_blas_update_flag(call, order, trans), INTEGER(n), INTEGER(k),
	                  alpha, a, INTEGER(lda), beta, c, INTEGER(ldc));
}

void describe_cblas_SYR2K(struct call *call, bool wide, int order, int uplo, int trans, blas_wide n,
                          blas_wide k, const void *alpha, const void *a, blas_wide lda,
                          const void *b, blas_wide ldb, const void *beta, void *c, blas_wide ldc)
{
	describe_f77_SYR2K(call, true, describe_blas_uplo_flag(order, uplo),
	                   describe_blas_update_flag(call, order, trans), INTEGER(n), INTEGER(k),
	                   alpha, a, INTEGER(lda), b, INTEGER(ldb), beta, c, INTEGER(ldc));
	/* By rows the conjugate of alpha belongs to the other product. */
	if (order == ORDER_ROW && call->family == FAMILY_HER2K)
		call->blas.alpha[1] = -call->blas.alpha[1];
}

void describe_cblas_TRMM(struct call *call, bool wide, int order, int side, int uplo, int transa,
                         int diag, blas_wide m, blas_wide n, const void *alpha, const void *a,
                         blas_wide lda, void *b, blas_wide ldb)
{
	const bool row = order == ORDER_ROW;
	describe_f77_TRMM(call, true, describe_blas_side_flag(order, side),
	                  describe_blas_uplo_flag(order, uplo),
	                  describe_blas_trans_flag(order, transa),
	                  describe_blas_letter(order, diag, 131, "NU"), INTEGER(row ? n : m),
	                  INTEGER(row ? m : n), alpha, a, INTEGER(lda), b, INTEGER(ldb));
}
