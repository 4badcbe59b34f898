/* share.h - distributes a level-3 call over several devices; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_PLAN_SHARE_H
#define GPUSHIM_POLICY_PLAN_SHARE_H

#include "policy/plan/region.h"

/* Parts begin at multiples of this, if each device can have that much. */
enum { SHARE_MULTIPLE = 128 };

/* The part of one device: C[row, column] (of a triangle: its elements inside), as problems. */
struct share_part {
	int device; /* index in weights */
	struct panel_span row, column;
	int problem_count;
	struct region_problem problems[REGION_PROBLEMS];
};

/*
 * Gives each of count devices a part of C with work in proportion to its weight (its speed; not
 * negative, not all 0). Parts are independent: panels of columns or rows; of a triangle columns, of
 * equal area for equal weights. parts has room for count; devices without work get none. Returns
 * the number of parts, in the order of the devices.
 */
int share_cut(enum family family, const struct blas_call *blas, enum element element,
              const double weights[], int count, struct share_part parts[]);

#endif
