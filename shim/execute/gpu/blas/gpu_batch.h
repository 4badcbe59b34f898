/* gpu_batch.h - a call as groups of problems of one shape; all but batches are one group of one */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_BLAS_GPU_BATCH_H
#define GPUSHIM_SHIM_EXECUTE_GPU_BLAS_GPU_BATCH_H

#include "shim/execute/gpu/blas/gpu_operand.h"

/*
 * count problems of one shape. blas: sizes, flags and scalars; the operands know the addresses.
 * cuBLAS's trmm is out of place: it reads OPERAND_B, a copy of the program's C. No size of a kernel
 * exceeds tile.
 */
struct gpu_group {
	enum family family;
	enum element element;
	struct blas_call blas;
	int64_t count;
	struct gpu_operand operand[OPERAND_COUNT];
	bool same;    /* B is A, and is sent once */
	bool reads_c; /* kernels read the program's C */
	int64_t tile;
};

/*
 * Lists the groups that have problems; free the list. REASON_LIBRARY_FAILED: an illegal call or a
 * quick return of BLAS; REASON_FUNCTION_MISSING: this cuBLAS lacks the function;
 * REASON_HOST_MEMORY.
 */
enum reason gpu_batch_list(const struct cuda_api *api, const struct call *call,
                           struct gpu_group **list, int64_t *count);

/* Leaves the first problems of the call, in groups that are placed: less than it has, but some. */
void gpu_batch_cut(struct gpu_group *list, int64_t *count, int64_t problems);

/*
 * Places the operands (gpu_operand_place). REASON_LIBRARY_FAILED: only some results are on a
 * device.
 */
enum reason gpu_batch_place(struct lane *lane, struct gpu_group *group);

#endif
