/* gpu_split.h - the kernels of a group of problems */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_BLAS_GPU_SPLIT_H
#define GPUSHIM_SHIM_EXECUTE_GPU_BLAS_GPU_SPLIT_H

#include "shim/execute/gpu/blas/gpu_batch.h"

/* Queues the kernels; the operands were sent before. They write OPERAND_C's memory only. */
enum reason gpu_split_run(struct lane *lane, const struct gpu_group *group);

#endif
