/* factor_slabs.h - Cholesky of a matrix that is larger than the device's memory; internal, pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_FACTOR_FACTOR_SLABS_H
#define GPUSHIM_POLICY_FACTOR_FACTOR_SLABS_H

#include "policy/factor/factor_steps.h"

/* Whether a panel of this width, and chunks of the factor, fit into the problem's room. */
bool factor_slabs_fit(const struct factor_problem *problem, int64_t width);

/* The room that makes one slab of all panels. */
uint64_t factor_slabs_find_most_room(const struct factor_problem *problem, int64_t width);

/* About how many elements of the factor are loaded again. */
double factor_slabs_count_again(const struct factor_problem *problem);

/* Adds all steps. */
void factor_slabs_write(struct factor_steps *steps);

#endif
