/* fft_job.h - a transform as the steps of a flow: groups go up, are executed, come down; and how to undo them */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_FFT_FFT_JOB_H
#define GPUSHIM_SHIM_EXECUTE_GPU_FFT_FFT_JOB_H

#include "policy/plan/fft_cut.h"
#include "policy/plan/fft_groups.h"
#include "shim/execute/gpu/engine/flow.h"
#include "shim/execute/gpu/fft/fft_plans.h"

/* The groups before the last one are alike; the last one has what is left. */
enum fft_job_kind { FFT_JOB_FULL, FFT_JOB_REST, FFT_JOB_KINDS };

/*
 * A transform on its way. input_copy: a tight copy of the whole input, where there is a scattered
 * side to be gathered from the program's memory, or results enter that memory over their own input
 * (shadows: the copies are made on the way up). output_copy: of the whole output, where there is a
 * scattered side; such results enter the program's memory last.
 */
struct fft_job {
	const struct fft_call *call;
	struct fft_cut cut;
	int64_t group, groups;
	struct fft_map map[FFT_JOB_KINDS];
	struct fft_plan *plan[FFT_JOB_KINDS]; /* NULL: there is no such group */
	int slots;
	uint64_t slot_bytes,
		output_bytes; /* of a slot; from there to its output, 0: where the input is */
	char *arena;
	char *input_copy, *output_copy;
	bool shares, shadows;
	bool locked; /* the input is page-locked, and read by the device itself */
};

/* The whole problem, not cut yet. Reasons: REASON_UNSUPPORTED_LAYOUT. */
enum reason fft_job_begin(struct fft_job *job, const struct fft_call *call);

/* What the job's device memory is planned by. */
struct fft_batch fft_job_batch(const struct fft_job *job);

/* Cuts it into groups of so many pieces; false where those have no form. */
bool fft_job_cut(struct fft_job *job, int64_t group);

/* Bytes of device memory for all slots. */
uint64_t fft_job_arena_bytes(const struct fft_job *job);

/* Bytes of the two copies on the host, 0 where there is no need of one. */
uint64_t fft_job_input_copy_bytes(const struct fft_job *job);
uint64_t fft_job_output_copy_bytes(const struct fft_job *job);

/* The sides that no copy of a flow can follow, before and after it. */
void fft_job_gather(const struct fft_job *job);
void fft_job_scatter(const struct fft_job *job);

/* The job as a flow does it; the job must stay where it is. */
struct flow_program fft_job_program(const struct fft_job *job);

/* After a flow that failed: the input is in the program's memory again. */
void fft_job_restore(const struct fft_job *job, const struct flow_progress *progress);

#endif
