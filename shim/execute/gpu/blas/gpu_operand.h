/* gpu_operand.h - one operand of a group: its place in the program's memory and on the device */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_BLAS_GPU_OPERAND_H
#define GPUSHIM_SHIM_EXECUTE_GPU_BLAS_GPU_OPERAND_H

#include "policy/call/operand.h"
#include "shim/execute/gpu/copy/pack.h"
#include "shim/execute/gpu/device/lane.h"

/*
 * Where the program has the matrices. DEVICE includes managed memory and other devices; MIXED: some
 * of a batch are on the host.
 */
enum gpu_place { GPU_PLACE_HOST, GPU_PLACE_DEVICE, GPU_PLACE_MIXED };

/*
 * The matrices of one operand in count problems of one shape. Kernels find them at memory, stride
 * elements apart: in the program's memory (in_place), or in our tight copies. A copy of a matrix
 * with more than block rows is cut into bands of block rows, one after the other, so that every
 * leading dimension is small enough for cuBLAS.
 */
struct gpu_operand {
	enum operand name;
	enum element element;
	struct matrix matrix;           /* of the first problem, in the program's memory */
	const struct batch_call *batch; /* finds the other problems; NULL: there is one */
	/* first problem in the batch; count: 1 if the problems share it, 0 if there is none */
	int64_t first, count;
	enum pack_part part;   /* of a result: what belongs to it */
	struct pack_rule load; /* what is read of it */
	enum gpu_place place;
	bool in_place;
	bool locked; /* page-locked host memory from the first byte to the last */
	int64_t block, stride;
	char *memory;
	char *staging; /* of a result on the host */
};

/* Which of the program's device memory kernels may use in place. */
struct gpu_operand_rules {
	bool may_stay;
	bool any_ld;       /* with any leading dimension */
	int64_t most_rows; /* copies of more rows are cut into bands */
};

/*
 * Finds the operand's place and decides where kernels find it; waits for the work of other devices
 * where it lies on them. Afterwards only memory, and staging of a result, are still to be set. Not
 * REASON_NONE: CUDA failed.
 */
enum reason gpu_operand_place(struct lane *lane, struct gpu_operand *operand,
                              const struct gpu_operand_rules *rules);

/* Bytes of the tight copies; 0: in place or no such operand, UINT64_MAX: overflow. */
uint64_t gpu_operand_size_bytes(const struct gpu_operand *operand);

/*
 * Calls visit for each area of the program's memory and the place of its tight copy from copy on.
 * part: only its elements, column by column. Stops at the first reason that is not REASON_NONE.
 */
typedef enum reason gpu_operand_visitor(void *self, const struct pack_area *area, char *copy);
enum reason gpu_operand_visit(const struct gpu_operand *operand, enum pack_part part, char *copy,
                              gpu_operand_visitor *visit, void *self);

/* The address of an element for kernels, and the leading dimension of its band. */
void *gpu_operand_find(const struct gpu_operand *operand, int64_t problem, int64_t row,
                       int64_t column, int64_t *ld);

/*
 * Queues copies on lane->stream between device memory of the program and operand->memory: of whole
 * matrices before the kernels, and of a result's part once it is confirmed.
 */
enum reason gpu_operand_send(struct lane *lane, const struct gpu_operand *operand);
enum reason gpu_operand_publish(struct lane *lane, const struct gpu_operand *operand);

/* Copies a result's part from staging to the program's host memory, once it is confirmed. */
void gpu_operand_commit(const struct gpu_operand *operand);

#endif
