/* explain_recipe.h - how a LAPACK call would be computed on the GPU */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_EXPLAIN_EXPLAIN_RECIPE_H
#define GPUSHIM_CLI_EXPLAIN_EXPLAIN_RECIPE_H

#include "cli/explain/explain_facts.h"

/* REASON_NONE, or why the GPU has no form of the call although its routine is taken. */
enum reason explain_recipe_judge(const struct call *call);

/*
 * The steps in the words of the log, the functions of the CUDA libraries that they call, whether
 * copies overlap them, and their memory. Nothing of other calls than LAPACK's.
 */
void explain_recipe_print(struct emit *emit, const struct explain_facts *facts);

#endif
