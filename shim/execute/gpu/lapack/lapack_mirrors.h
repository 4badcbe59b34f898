/* lapack_mirrors.h - operands of a LAPACK call, and what the device keeps of them */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_LAPACK_LAPACK_MIRRORS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_LAPACK_LAPACK_MIRRORS_H

#include "shim/execute/gpu/lapack/lapack_job.h"

/* Before results are stored: no mirror has them any more. */
void lapack_mirrors_overwrite(const struct lapack_job *job);

#endif
