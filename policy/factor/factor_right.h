/* factor_right.h - B, the right-hand sides that a factor is solved for; internal, pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_FACTOR_FACTOR_RIGHT_H
#define GPUSHIM_POLICY_FACTOR_FACTOR_RIGHT_H

#include "policy/factor/factor_steps.h"

/* These rows of B, on the device. */
struct factor_block factor_right_cut(const struct factor_steps *steps, struct factor_span row);

/* Adds the stores of X, which has taken the place of B. */
void factor_right_store(struct factor_steps *steps);

/* The elements of the factor that are loaded again for B. */
double factor_right_count_again(const struct factor_problem *problem);

/* Adds all steps of B after those of a matrix that was streamed; none without B. */
void factor_right_write(struct factor_steps *steps);

#endif
