/* gpu_check_batch.h - batches of multiplications on the GPU, compared with sums in long double */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_GPU_GPU_CHECK_BATCH_H
#define GPUSHIM_TESTS_GPU_GPU_CHECK_BATCH_H

#include "gpu_check_blas.h"

enum { CHECK_GROUPS = 4, CHECK_PROBLEMS = 16 };

/*
 * count problems of one shape. Problems that share A or B have one matrix for all. mixes: every
 * second problem of a group has the mixed operand in device memory. backward: a strided batch lists
 * its problems from the last to the first.
 */
struct gpu_check_group {
	struct gpu_check_blas blas; /* element and places of the first group apply to all groups */
	int count;
	bool shares_a, shares_b, mixes, backward;
	enum operand mixed;
};

/*
 * letters, wide: the caller's argument lists (policy/call/call.h). At most CHECK_PROBLEMS problems
 * in all.
 */
struct gpu_check_groups {
	int groups;
	bool letters, wide;
	struct gpu_check_group group[CHECK_GROUPS];
};
enum reason gpu_check_run_groups(const struct gpu_check_groups *wanted, int device);

/*
 * A strided batch. beside: problems are side by side in one matrix, `apart` columns between them;
 * otherwise they are on top of each other, so that they interleave in memory.
 */
enum reason gpu_check_run_strided(const struct gpu_check_group *wanted, bool beside, int apart,
                                  int device);

#endif
