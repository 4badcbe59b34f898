/* lapack_mirrors.h - operands of a LAPACK call that are on the device already, or stay there */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_LAPACK_LAPACK_MIRRORS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_LAPACK_LAPACK_MIRRORS_H

#include "shim/execute/gpu/lapack/lapack_job.h"

/*
 * Plans the operands, before memory is taken; job->mirrors is for the caller to end. uses: all of
 * the call lies on the device, so that matrices may be mirrors; otherwise results only take the
 * place of what mirrors have.
 */
void lapack_mirrors_begin(struct lapack_job *job, bool uses, bool defers);

#endif
