/* factor_job.h - a planned factorization as one flow: copies, panels, updates */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_LAPACK_FACTOR_JOB_H
#define GPUSHIM_SHIM_EXECUTE_GPU_LAPACK_FACTOR_JOB_H

#include "shim/execute/gpu/lapack/factor_panel.h"
#include "shim/execute/gpu/lapack/lapack_job.h"

/* operands: of the call, with memory; panel outlives the call. result: of loads of the factor. */
struct factor_job {
	const struct lapack_job *operands;
	struct factor_problem problem;
	struct factor_plan plan;
	struct factor_panel *panel;
	struct pack_rule result;
};

/* cuSOLVER's exchange of rows; NULL: it has none. */
typedef int factor_swap(void *handle, int n, void *a, int lda, int first, int last,
                        const int *pivots, int step);
factor_swap *factor_job_find_swap(const struct cuda_solver *api, enum element element);

/* The plan as a flow's program; the job must not move meanwhile. */
struct flow_program factor_job_program(const struct factor_job *job);

/* After stores got as far as this: matrices hold again what they held. */
void factor_job_restore(const void *self, const struct flow_progress *progress);

#endif
