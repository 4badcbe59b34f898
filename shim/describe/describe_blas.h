/* describe_blas.h - BLAS arguments -> struct call */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_DESCRIBE_DESCRIBE_BLAS_H
#define GPUSHIM_SHIM_DESCRIBE_DESCRIBE_BLAS_H

#include <stdbool.h>

#include "policy/call.h"
#include "shim/table/shapes.h"

/*
 * Fill everything of *call but symbol, family and element, which must be set. wide: the integers have 64 bits. Illegal,
 * empty and overlapping calls are described too, by call->defect; then only the sizes are meant to be used. Operands
 * are never read, and alpha and beta only when the sizes are legal and not zero.
 */
void describe_f77_GEMM(struct call *call, bool wide, const char *transa, const char *transb, const void *m,
                       const void *n, const void *k, const void *alpha, const void *a, const void *lda, const void *b,
                       const void *ldb, const void *beta, void *c, const void *ldc);

void describe_cblas_GEMM(struct call *call, bool wide, int order, int transa, int transb, blas_wide m, blas_wide n,
                         blas_wide k, const void *alpha, const void *a, blas_wide lda, const void *b, blas_wide ldb,
                         const void *beta, void *c, blas_wide ldc);

#endif
