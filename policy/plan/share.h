/* share.h - spreads a level-3 call over several devices; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_PLAN_SHARE_H
#define GPUSHIM_POLICY_PLAN_SHARE_H

#include "policy/plan/region.h"

/* Parts begin at multiples of this, where each device could have as much. */
enum { SHARE_MULTIPLE = 128 };

/*
 * What one device computes: C[row, column] (of a triangle: its elements that the triangle has), as
 * problems.
 */
struct share_part {
	int device; /* its place in weights */
	struct panel_span row, column;
	int problem_count;
	struct region_problem problems[REGION_PROBLEMS];
};

/*
 * Gives each of count devices a part of C whose work is in proportion to its weight (its speed; not
 * negative, and not all 0). The parts do not depend on each other: panels of columns or rows; of a
 * triangle columns, of equal area where weights are equal. parts has room for count; devices for
 * which nothing is left get none. Returns the number of parts, which are in the order of the
 * devices.
 */
int share_cut(enum family family, const struct blas_call *blas, enum element element,
              const double weights[], int count, struct share_part parts[]);

#endif
