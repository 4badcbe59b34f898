/* gpu_split.h - the kernels of a group: one where the sizes allow it, else one for each tile of the result */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_BLAS_GPU_SPLIT_H
#define GPUSHIM_SHIM_EXECUTE_GPU_BLAS_GPU_SPLIT_H

#include "shim/execute/gpu/blas/gpu_batch.h"

/* Queues the kernels, whose operands have been sent. They write OPERAND_C's memory only. */
enum reason gpu_split_run(struct lane *lane, const struct gpu_group *group);

#endif
