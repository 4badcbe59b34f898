/* region.h - a part of a level-3 call's result as problems of its own: for another device, or for the CPU; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_PLAN_REGION_H
#define GPUSHIM_POLICY_PLAN_REGION_H

#include "policy/call/operand.h"
#include "policy/plan/panels.h"

/* A level-3 problem whose operands lie in those of the call: addresses, leading dimensions, sizes, scalars are its own.
 */
struct region_problem {
	enum family family;
	struct blas_call blas;
};

enum { REGION_PROBLEMS = 8 };

/*
 * The problems that compute C[row, column] of the call (of a triangle: its elements that the
 * triangle has) and write nothing else, to be carried out one after the other; their number. Of
 * families that overwrite an operand they are right as long as the rest of C holds what
 * region_begins_at_end says.
 */
int region_cut(enum family family, const struct blas_call *blas, struct panel_span row,
               struct panel_span column, enum element element,
               struct region_problem problems[REGION_PROBLEMS]);

/*
 * trmm and trsm can be cut along the dimension of A too, if parts are committed in this order.
 * true: the part with the highest rows (side left) or columns (side right) comes first, and
 * whatever is left later is a region that begins at 0; false: the lowest come first, and what is
 * left is a region that ends at the end. It may be computed in several regions too, in the same
 * order. Along the other dimension any order will do.
 */
bool region_begins_at_end(enum family family, const struct blas_call *blas);

#endif
