/* factor_run.h - executes plans of factorizations on small matrices, in any allowed order */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_UNIT_FACTOR_RUN_H
#define GPUSHIM_TESTS_UNIT_FACTOR_RUN_H

#include "policy/factor/factor_plan.h"

/*
 * Makes a random A and B, executes the plan with plain loops and compares all that it stores with
 * an unblocked factorization. What is not loaded, and the triangle that the form does not have,
 * hold NaN. seed: of the numbers, and of the order of the steps. Also checked: steps wait for
 * earlier ones, and each element of the result is stored once. Returns NULL, or what was wrong
 * (static).
 */
const char *factor_run_check(const struct factor_problem *problem, const struct factor_plan *plan,
                             unsigned seed);

#endif
