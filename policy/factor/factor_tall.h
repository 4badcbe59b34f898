/* factor_tall.h - LU of a matrix that is larger than the device's memory; internal, pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_FACTOR_FACTOR_TALL_H
#define GPUSHIM_POLICY_FACTOR_FACTOR_TALL_H

#include "policy/factor/factor_steps.h"

/* As of factor_slabs.h. */
bool factor_tall_fit(const struct factor_problem *problem, int64_t width);
uint64_t factor_tall_find_most_room(const struct factor_problem *problem, int64_t width);
double factor_tall_count_again(const struct factor_problem *problem);
void factor_tall_write(struct factor_steps *steps);

#endif
