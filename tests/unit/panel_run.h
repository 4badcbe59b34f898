/* panel_run.h - executes plans of level-3 calls on small matrices, in any order the steps allow */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_UNIT_PANEL_RUN_H
#define GPUSHIM_TESTS_UNIT_PANEL_RUN_H

#include "policy/plan/panels.h"

enum { PANEL_RUN_WHY_BYTES = 200 };

/*
 * Makes random operands, executes the plan with plain loops and compares the result with that of
 * the whole call. Held operands have a place outside the arena, where A and B are from the start.
 * The arena, a held C and all that the call must not read hold NaN. seed: of the operands,
 * and of the order: random, or one kind as far ahead of the others as the steps' waits allow. Also
 * checked: blocks lie in the arena and in their operand, steps wait for earlier ones, each element
 * of the result is stored once, and results that overwrite an operand are stored in the order of
 * region_begins_at_end. Of all plans the list of steps is checked, by day some are executed
 * (tests/driver/fewer.h). false: why says which condition failed.
 */
bool panel_run_check(const struct panel_problem *problem, const struct panel_plan *plan,
                     uint64_t seed, char why[PANEL_RUN_WHY_BYTES]);

/*
 * A kernel, or a whole call: z := ... + beta z, of matrices in host memory. y: B of the call, or
 * trmm's input.
 */
struct panel_matrix {
	int64_t rows, columns, ld;
	double _Complex *element;
};
struct panel_kernel {
	enum family family;
	struct blas_call flags; /* side, uplo, diag, transa, transb */
	double _Complex alpha, beta;
	struct panel_matrix x, y, z; /* y without rows: none */
};
void panel_kernel_run(const struct panel_kernel *kernel);

#endif
