/* describe_blas.h - BLAS arguments -> struct call, one function per shape and calling convention */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_DESCRIBE_DESCRIBE_BLAS_H
#define GPUSHIM_SHIM_DESCRIBE_DESCRIBE_BLAS_H

#include <stdbool.h>

#include "policy/call/call.h"
#include "shim/table/shapes.h"

/* Symmetric and Hermitian rank updates share functions; the call's family tells them apart. */
#define describe_f77_HERK describe_f77_SYRK
#define describe_cblas_HERK describe_cblas_SYRK
#define describe_f77_HER2K describe_f77_SYR2K
#define describe_cblas_HER2K describe_cblas_SYR2K

/*
 * describe_f77_GEMM, describe_cblas_GEMM and so on for each row of shape.def. They fill all of
 * *call but symbol, family and element, which must be set. wide: integers have 64 bits. Illegal,
 * empty and overlapping calls are described too, with call->defect; then only the sizes are valid.
 * Operands are never read, and alpha and beta only if the sizes are legal and not zero; batches
 * read the arrays of their parameters.
 */
#define SHAPE(shape)                                                                               \
	void describe_f77_##shape(struct call *call, bool wide, DESCRIBE_PARAMS_f77(shape));       \
	void describe_cblas_##shape(struct call *call, bool wide, DESCRIBE_PARAMS_cblas(shape));
#include "shim/table/shape.def"

#endif
