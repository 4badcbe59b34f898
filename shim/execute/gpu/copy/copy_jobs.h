/* copy_jobs.h - several jobs of one bell, which end together */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_COPY_COPY_JOBS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_COPY_COPY_JOBS_H

#include "shim/execute/gpu/copy/copy_job.h"

bool copy_jobs_have_ended(const struct copy_job job[], int count);

/* Takes those out of the queue that no thread has begun, and waits for the others. */
void copy_jobs_recall(struct copy_job job[], int count);

#endif
