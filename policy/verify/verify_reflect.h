/* verify_reflect.h - products of Householder's reflectors and a vector; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_VERIFY_VERIFY_REFLECT_H
#define GPUSHIM_POLICY_VERIFY_VERIFY_REFLECT_H

#include "policy/verify/verify_view.h"

/*
 * Q = H(1) ... H(count), H(i) = I - tau(i) v v^H. Column i of the matrix holds v below row i, where
 * v has a one; above it v is zero. Reflectors that a program made up may be no rotations.
 */
struct verify_reflectors {
	struct verify_view v;
	const void *tau;
	int64_t count;
};

/* x := Q x, or (back) Q^H x. Returns the product of the norms of all H(i): about 1. */
double verify_reflect_apply(const struct verify_reflectors *q, bool back,
                            const struct verify_vector *x, const struct verify_vector *column);

#endif
