/* lapack_scale.h - the greatest numbers of least squares problems, by which LAPACK scales them */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_LAPACK_LAPACK_SCALE_H
#define GPUSHIM_SHIM_EXECUTE_GPU_LAPACK_LAPACK_SCALE_H

#include "shim/execute/gpu/lapack/lapack_job.h"

/*
 * After the loads. REASON_EXTREME_SCALE: the greatest number of a matrix of gels is so large or so
 * small that LAPACK would scale them all. REASON_ZERO_MATRIX: A has no other number than 0, or so
 * small that it may be one. REASON_NOT_FINITE: one that is read in only a part of the rows that are
 * written has another number.
 */
enum reason lapack_scale_judge(struct lapack_job *job);

#endif
