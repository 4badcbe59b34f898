/* gpu_batch.h - a call as groups of problems of one shape: a batch has many, every other call one group of one */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_BLAS_GPU_BATCH_H
#define GPUSHIM_SHIM_EXECUTE_GPU_BLAS_GPU_BATCH_H

#include "shim/execute/gpu/blas/gpu_operand.h"

/*
 * count problems. blas holds their sizes, flags and scalars; where the operands are, the operands
 * say. trmm, whose kernel has a result of its own, reads OPERAND_B, which is the program's C. No
 * size exceeds tile in one kernel.
 */
struct gpu_group {
	enum family family;
	enum element element;
	struct blas_call blas;
	int64_t count;
	struct gpu_operand operand[OPERAND_COUNT];
	bool same;    /* B is A: it is sent once */
	bool reads_c; /* the result begins as what the program has in C */
	int64_t tile;
};

/*
 * Lists the groups that have problems; free the list. REASON_LIBRARY_FAILED where the call is none
 * for the device (an illegal or a quick one) or cuBLAS lacks its function, REASON_HOST_MEMORY.
 */
enum reason gpu_batch_list(const struct cuda_api *api, const struct call *call,
                           struct gpu_group **list, int64_t *count);

/*
 * Places the operands (gpu_operand_place). REASON_LIBRARY_FAILED where the results lie in part on
 * the device.
 */
enum reason gpu_batch_place(struct lane *lane, struct gpu_group *group);

#endif
