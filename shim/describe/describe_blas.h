/* describe_blas.h - BLAS arguments -> struct call, one function per shape and calling convention */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_DESCRIBE_DESCRIBE_BLAS_H
#define GPUSHIM_SHIM_DESCRIBE_DESCRIBE_BLAS_H

#include <stdbool.h>

#include "policy/call/call.h"
#include "shim/table/shapes.h"

/*
 * Fill everything of *call but symbol, family and element, which must be set: they say which
 * routine of the shape it is. wide: the integers have 64 bits. Illegal, empty and overlapping calls
 * are described too, by call->defect; then only the sizes are meant to be used. Operands are never
 * read, and alpha and beta only when the sizes are legal and not zero; batches read the arrays of
 * their parameters.
 */
void describe_f77_GEMM(struct call *call, bool wide, const char *transa, const char *transb,
                       const void *m, const void *n, const void *k, const void *alpha,
                       const void *a, const void *lda, const void *b, const void *ldb,
                       const void *beta, void *c, const void *ldc);
void describe_cblas_GEMM(struct call *call, bool wide, int order, int transa, int transb,
                         blas_wide m, blas_wide n, blas_wide k, const void *alpha, const void *a,
                         blas_wide lda, const void *b, blas_wide ldb, const void *beta, void *c,
                         blas_wide ldc);

void describe_f77_GEMMT(struct call *call, bool wide, const char *uplo, const char *transa,
                        const char *transb, const void *n, const void *k, const void *alpha,
                        const void *a, const void *lda, const void *b, const void *ldb,
                        const void *beta, void *c, const void *ldc);
void describe_cblas_GEMMT(struct call *call, bool wide, int order, int uplo, int transa, int transb,
                          blas_wide n, blas_wide k, const void *alpha, const void *a, blas_wide lda,
                          const void *b, blas_wide ldb, const void *beta, void *c, blas_wide ldc);

void describe_f77_SYMM(struct call *call, bool wide, const char *side, const char *uplo,
                       const void *m, const void *n, const void *alpha, const void *a,
                       const void *lda, const void *b, const void *ldb, const void *beta, void *c,
                       const void *ldc);
void describe_cblas_SYMM(struct call *call, bool wide, int order, int side, int uplo, blas_wide m,
                         blas_wide n, const void *alpha, const void *a, blas_wide lda,
                         const void *b, blas_wide ldb, const void *beta, void *c, blas_wide ldc);

/* Symmetric and Hermitian rank updates: which of the two, the family says. */
void describe_f77_SYRK(struct call *call, bool wide, const char *uplo, const char *trans,
                       const void *n, const void *k, const void *alpha, const void *a,
                       const void *lda, const void *beta, void *c, const void *ldc);
void describe_cblas_SYRK(struct call *call, bool wide, int order, int uplo, int trans, blas_wide n,
                         blas_wide k, const void *alpha, const void *a, blas_wide lda,
                         const void *beta, void *c, blas_wide ldc);
void describe_f77_SYR2K(struct call *call, bool wide, const char *uplo, const char *trans,
                        const void *n, const void *k, const void *alpha, const void *a,
                        const void *lda, const void *b, const void *ldb, const void *beta, void *c,
                        const void *ldc);
void describe_cblas_SYR2K(struct call *call, bool wide, int order, int uplo, int trans, blas_wide n,
                          blas_wide k, const void *alpha, const void *a, blas_wide lda,
                          const void *b, blas_wide ldb, const void *beta, void *c, blas_wide ldc);
#define describe_f77_HERK describe_f77_SYRK
#define describe_cblas_HERK describe_cblas_SYRK
#define describe_f77_HER2K describe_f77_SYR2K
#define describe_cblas_HER2K describe_cblas_SYR2K

void describe_f77_TRMM(struct call *call, bool wide, const char *side, const char *uplo,
                       const char *transa, const char *diag, const void *m, const void *n,
                       const void *alpha, const void *a, const void *lda, void *b, const void *ldb);
void describe_cblas_TRMM(struct call *call, bool wide, int order, int side, int uplo, int transa,
                         int diag, blas_wide m, blas_wide n, const void *alpha, const void *a,
                         blas_wide lda, void *b, blas_wide ldb);

void describe_f77_BATCH(struct call *call, bool wide, const char *transa, const char *transb,
                        const void *m, const void *n, const void *k, const void *alpha,
                        const void *a, const void *lda, const void *b, const void *ldb,
                        const void *beta, void *c, const void *ldc, const void *groups,
                        const void *group_size);
void describe_cblas_BATCH(struct call *call, bool wide, int order, const int *transa,
                          const int *transb, const void *m, const void *n, const void *k,
                          const void *alpha, const void *a, const void *lda, const void *b,
                          const void *ldb, const void *beta, void *c, const void *ldc,
                          blas_wide groups, const void *group_size);
void describe_f77_STRIDED(struct call *call, bool wide, const char *transa, const char *transb,
                          const void *m, const void *n, const void *k, const void *alpha,
                          const void *a, const void *lda, const void *stridea, const void *b,
                          const void *ldb, const void *strideb, const void *beta, void *c,
                          const void *ldc, const void *stridec, const void *problems);
void describe_cblas_STRIDED(struct call *call, bool wide, int order, int transa, int transb,
                            blas_wide m, blas_wide n, blas_wide k, const void *alpha, const void *a,
                            blas_wide lda, blas_wide stridea, const void *b, blas_wide ldb,
                            blas_wide strideb, const void *beta, void *c, blas_wide ldc,
                            blas_wide stridec, blas_wide problems);

#endif
