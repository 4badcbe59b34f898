/* describe_lapack.h - LAPACK arguments -> struct call, one function per shape */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_DESCRIBE_DESCRIBE_LAPACK_H
#define GPUSHIM_SHIM_DESCRIBE_DESCRIBE_LAPACK_H

#include <stdbool.h>

#include "policy/call/call.h"
#include "shim/table/lapack_shapes.h"

/*
 * describe_f77_GETRF and so on for each row of lapack_shape.def. They fill all of *call but symbol,
 * family and element, which must be set. wide: integers have 64 bits. Operands are never read.
 */
#define SHAPE(shape)                                                                               \
	void describe_f77_##shape(struct call *call, bool wide, DESCRIBE_PARAMS_f77(shape));
#include "shim/table/lapack_shape.def"

#endif
