/* lapack_steps.h - the steps of a LAPACK call that is only described, and its memory */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_LAPACK_LAPACK_STEPS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_LAPACK_LAPACK_STEPS_H

#include "shim/execute/gpu/lapack/solve.h"

/*
 * text: what the log would have as the recipe of a call without defect that is copied in, solved
 * and copied out, on a CUDA that has all functions, with enough memory, and of a matrix whose
 * singular values gesvdp finds. operand_bytes: of all operands on the device; own_bytes: of the
 * recipe beside them, without the workspace of cuSOLVER, which only cuSOLVER tells; shadow_bytes:
 * of what results overwrite, kept on the host.
 */
struct lapack_steps {
	char text[SOLVE_STEPS_BYTES];
	uint64_t operand_bytes, own_bytes, shadow_bytes;
};
void lapack_steps_list(const struct call *call, struct lapack_steps *steps);

#endif
