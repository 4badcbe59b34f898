/* describe_solver.h - legality, workspace, overlap and work of a LAPACK call */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_DESCRIBE_DESCRIBE_SOLVER_H
#define GPUSHIM_SHIM_DESCRIBE_DESCRIBE_SOLVER_H

#include "policy/call/call.h"

/*
 * The lengths of work arrays that are arguments of the routine. query: one of them is -1, so the
 * call asks for the best lengths.
 */
struct describe_lengths {
	bool query, work, rwork, iwork;
};

/*
 * Ends every description: call->lapack holds flags (-1 where illegal), jobs and range ('?' where
 * illegal), sizes, addresses, and the lengths that are arguments. Lengths that are none are set to
 * those that LAPACK documents. A call that is illegal or a query, or that lacks workspace, has no
 * bytes and no flops.
 */
void describe_solver_end(struct call *call, const struct describe_lengths *lengths);

#endif
