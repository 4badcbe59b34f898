/* region.h - a part of the result of a level-3 call as problems of its own; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_PLAN_REGION_H
#define GPUSHIM_POLICY_PLAN_REGION_H

#include "policy/call/operand.h"
#include "policy/plan/panels.h"

/*
 * A level-3 problem on parts of the operands of a call, with addresses, leading dimensions, sizes
 * and scalars of its own.
 */
struct region_problem {
	enum family family;
	struct blas_call blas;
};

enum { REGION_PROBLEMS = 8 };

/*
 * Writes the problems that compute C[row, column] of the call (of a triangle: its elements inside)
 * and write nothing else; they are to be run in this order. Returns their number. For families that
 * overwrite an operand they are right while the rest of C holds what region_begins_at_end says.
 */
int region_cut(enum family family, const struct blas_call *blas, struct panel_span row,
               struct panel_span column, enum element element,
               struct region_problem problems[REGION_PROBLEMS]);

/*
 * trmm and trsm can be cut along the dimension of A too, if parts are committed in a fixed order.
 * true: the part with the highest rows (side left) or columns (side right) comes first, and the
 * rest is a region that begins at 0. false: the lowest part comes first, and the rest ends at the
 * end. The rest may again be computed in several regions in that order. Along the other dimension
 * any order is right.
 */
bool region_begins_at_end(enum family family, const struct blas_call *blas);

#endif
