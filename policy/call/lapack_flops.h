/* lapack_flops.h - floating-point operations of a LAPACK call, as lapack_family.def counts them */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_CALL_LAPACK_FLOPS_H
#define GPUSHIM_POLICY_CALL_LAPACK_FLOPS_H

#include "policy/call/call.h"

/*
 * Multiplications and additions of a call with legal sizes; a complex operation counts four times.
 * Eigenvalues and singular values: a nominal number, since their iterations depend on the data.
 */
double lapack_flops_count(const struct call *call);

#endif
