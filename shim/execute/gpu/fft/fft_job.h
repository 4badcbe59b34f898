/* fft_job.h - a transform as the steps of a flow, and how to restore the input after a failure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_FFT_FFT_JOB_H
#define GPUSHIM_SHIM_EXECUTE_GPU_FFT_FFT_JOB_H

#include "policy/fft/fft_cut.h"
#include "policy/fft/fft_groups.h"
#include "shim/execute/gpu/engine/flow.h"
#include "shim/execute/gpu/engine/mirrors.h"
#include "shim/execute/gpu/fft/fft_plans.h"

/* All groups but the last are alike; the last one may be a smaller rest. */
enum fft_job_kind { FFT_JOB_FULL, FFT_JOB_REST, FFT_JOB_KINDS };

/*
 * The mirror of a whole side, which is this area of the program's memory; NULL: there is none. A
 * group's input is copied from there to its slot, and its output from its slot to there. held: what
 * the mirror lacks is sent before the first group; otherwise each group sends its part to it. In
 * place both sides have one mirror.
 */
struct fft_job_mirror {
	const struct mirror *mirror;
	struct pack_area whole;
	bool held;
};

/*
 * A transform in progress. input_copy: a tight copy of the whole input, needed where a side is
 * scattered (it is gathered from the program's memory) or where results overwrite their own input
 * (shadows: made while loading). output_copy: of the whole output where a side is scattered; it is
 * scattered to the program's memory at the end.
 */
struct fft_job {
	const struct fft_call *call;
	struct fft_cut cut;
	int64_t group, groups;
	struct fft_map map[FFT_JOB_KINDS];
	struct fft_plan *plan[FFT_JOB_KINDS]; /* NULL: there is no such group */
	/* of c2r; NULL: its planes need no transform */
	struct fft_planes planes[FFT_JOB_KINDS];
	struct fft_plan *planes_plan[FFT_JOB_KINDS];
	int slots;
	uint64_t slot_bytes,
		/* of a slot; output_bytes: from the slot to its output, 0: in place */
		output_bytes;
	char *arena;
	char *input_copy, *output_copy;
	bool shares, shadows;
	bool locked;                   /* the input is page-locked; the device reads it directly */
	struct mirrors *mirrors;       /* NULL: nothing is tracked */
	struct fft_job_mirror in, out; /* where there is one */
};

/* Describes the whole problem, uncut. REASON_UNSUPPORTED_LAYOUT where it cannot. */
enum reason fft_job_begin(struct fft_job *job, const struct fft_call *call);

/* The description that fft_groups_choose plans device memory with. */
struct fft_batch fft_job_batch(const struct fft_job *job);

/* Cuts into groups of group pieces; false where cuFFT has no form for them. */
bool fft_job_cut(struct fft_job *job, int64_t group);

/* Bytes of device memory for all slots. */
uint64_t fft_job_arena_bytes(const struct fft_job *job);

/* Bytes of the two copies on the host; 0: none is needed. */
uint64_t fft_job_input_copy_bytes(const struct fft_job *job);
uint64_t fft_job_output_copy_bytes(const struct fft_job *job);

/*
 * Once it is cut: a whole side as an area of the program's memory, of which groups are areas too;
 * false: it is scattered, or has a pitch that is too large for CUDA.
 */
bool fft_job_find_whole(const struct fft_job *job, bool output, struct pack_area *area);

/* Copies the scattered sides, before and after the flow. */
void fft_job_gather(const struct fft_job *job);
void fft_job_scatter(const struct fft_job *job);

/* The job as a flow's program; the job must not move meanwhile. */
struct flow_program fft_job_program(const struct fft_job *job);

/* After a failed flow: the program's input is restored. */
void fft_job_restore(const struct fft_job *job, const struct flow_progress *progress);

#endif
