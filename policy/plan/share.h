/* share.h - distributes a level-3 call over several devices, and the CPU; pure */
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

/*
 * Divides the call between a device and the CPU, which computes the part `share` of the work, more
 * than 0 and less than 1, as nearly as whole columns (or rows) allow. The device's part is one
 * problem: of a triangle the leading one (upper) or the trailing one (lower), which needs the least
 * of A; the CPU's is what is left. Parts are independent of each other. false: either part would be
 * empty, or calls of the family are not divided. device->device is 0, cpu->device 1, and cpu has no
 * problems.
 */
bool share_cut_cpu(enum family family, const struct blas_call *blas, enum element element,
                   double share, struct share_part *device, struct share_part *cpu);

/* The part of the call's work that is not the device's part. */
double share_find_rest(enum family family, const struct blas_call *blas,
                       const struct share_part *device);

/* Whether the parts of share_cut_cpu are rows of C; else they are columns. */
bool share_is_by_rows(enum family family, const struct blas_call *blas);

/* device: the number of its problems, the first ones. cpu_share: what the rest is of the work. */
struct share_problems {
	int64_t device;
	double cpu_share;
};

/*
 * Divides a legal batch so that the CPU has the part `share` of the work, more than 0 and less than
 * 1, as nearly as whole problems allow; each side has at least one. false: there are too few.
 */
bool share_cut_problems(const struct call *call, double share, struct share_problems *cut);

#endif
