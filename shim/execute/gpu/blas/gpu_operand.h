/* gpu_operand.h - an operand on its way: where the program has it, where kernels find it, how it goes back */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_BLAS_GPU_OPERAND_H
#define GPUSHIM_SHIM_EXECUTE_GPU_BLAS_GPU_OPERAND_H

#include "policy/call/operand.h"
#include "shim/execute/gpu/device/lanes.h"
#include "shim/execute/gpu/engine/transfer.h"

/* Where the program has it. On the device: also managed memory, and another device's. */
enum gpu_place { GPU_PLACE_HOST, GPU_PLACE_DEVICE, GPU_PLACE_MIXED };

/* What of a result belongs to it. */
enum gpu_part { GPU_PART_WHOLE, GPU_PART_UPPER, GPU_PART_LOWER };

/*
 * The matrices that count problems of one shape have for one operand. Kernels find them at memory,
 * stride elements
 * apart: in the program's own memory (in_place), or in ours, where each is stored tight; one of
 * more than block rows is cut there into bands of block rows, one band after the other, so that
 * every leading dimension is small enough.
 */
struct gpu_operand {
	enum operand name;
	enum element element;
	struct matrix matrix;           /* of the first problem, in the program's memory */
	const struct batch_call *batch; /* knows the others; NULL: this is the only one */
	int64_t first,
		count; /* problems of the batch; count is 1 for what they share, 0: no such operand */
	enum gpu_part part;
	enum gpu_place place;
	bool in_place;
	bool locked; /* on the host, and page-locked from the first byte to the last */
	int64_t block, stride;
	char *memory;
	char *staging; /* a result's, where place is the host */
};

/* What kernels are able and allowed to do with the program's own device memory. */
struct gpu_operand_rules {
	bool may_stay;     /* it may be used in place */
	bool any_ld;       /* whatever its leading dimension */
	int64_t most_rows; /* more are cut into bands */
};

/*
 * Finds out where it is and decides where kernels will find it; waits for the work of other devices
 * that it lies on. In the end only memory, and for a result staging, are to be filled. Not
 * REASON_NONE: CUDA failed.
 */
enum reason gpu_operand_place(struct lane *lane, struct gpu_operand *operand,
                              const struct gpu_operand_rules *rules);

/*
 * What it needs of our device memory, and of staging: 0 in place, UINT64_MAX where that does not
 * fit.
 */
uint64_t gpu_operand_size_bytes(const struct gpu_operand *operand);

/*
 * Calls visit for each area that has to be copied into memory before kernels run, with the area's
 * place there; none in place. A triangle goes up as the square that it is stored in: what is not
 * meant is not used.
 */
typedef enum reason gpu_operand_visit(void *self, const struct transfer_area *area, char *memory);
enum reason gpu_operand_visit_input(const struct gpu_operand *operand, gpu_operand_visit *visit,
                                    void *self);

/* The element where kernels find it, and the leading dimension of the band that it is in. */
void *gpu_operand_find(const struct gpu_operand *operand, int64_t problem, int64_t row,
                       int64_t column, int64_t *ld);

/*
 * A result in the program's device memory that was computed in ours: queues the copies of its part.
 */
enum reason gpu_operand_publish(struct lane *lane, const struct gpu_operand *operand);

/*
 * A result for the program's host memory, once lanes_finish confirmed it: copies its part out of
 * staging.
 */
void gpu_operand_commit(const struct gpu_operand *operand);

#endif
