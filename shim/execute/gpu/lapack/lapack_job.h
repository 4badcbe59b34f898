/* lapack_job.h - a LAPACK call's operands: in the program's memory, on the device, as shadows */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_LAPACK_LAPACK_JOB_H
#define GPUSHIM_SHIM_EXECUTE_GPU_LAPACK_LAPACK_JOB_H

#include "shim/execute/gpu/engine/flow.h"
#include "shim/execute/gpu/engine/mirrors.h"
#include "shim/execute/gpu/lapack/solver.h"

enum { LAPACK_JOB_MATRICES = 4 };

/*
 * A matrix: tight on the device, or a mirror, which has the leading dimension of the program's
 * memory. shadow: a tight copy of what it held, on the host, where results overwrite what was read;
 * else NULL.
 */
struct lapack_matrix {
	const struct lapack_operand *operand;
	const struct mirror *mirror; /* NULL: tight */
	char *device, *shadow;
	int64_t ld; /* there */
	bool loads, stores;
	struct pack_rule load, store;
	_Atomic uint32_t largest; /* of gels, as pack_rule.h has it */
};

/* A vector, at this place of the tail. */
struct lapack_vector {
	const struct lapack_operand *operand;
	uint64_t begin, bytes;
};

/*
 * A call in progress. The tail is one block on the device with the infos of steps and all vectors;
 * it is loaded as a whole from tail, which is host memory of the lane's, and comes back there.
 */
struct lapack_job {
	struct lane *lane;
	const struct call *call;
	struct solver *solver;
	struct lapack_operands operands;
	struct mirrors *mirrors; /* NULL: nothing is tracked */
	bool defers;             /* they are proven before results are stored */
	struct lapack_matrix matrix[LAPACK_JOB_MATRICES];
	struct lapack_vector vector[LAPACK_NAMES];
	int matrices, vectors;
	uint64_t device_bytes, tail_bytes, shadow_bytes;
	uint64_t work_bytes; /* on the device, beside the operands */
	char *memory, *tail;
};

/* Lists the operands. REASON_DEVICE_MEMORY where sizes overflow. */
enum reason lapack_job_begin(struct lapack_job *job, struct lane *lane, const struct call *call,
                             struct solver *solver);

/* Before memory is taken: the matrix is that mirror, which the call has planned. */
void lapack_job_use_mirror(struct lapack_job *job, struct lapack_matrix *matrix,
                           const struct mirror *mirror);

/* How a matrix is read: all of it, or which triangle. */
struct pack_rule lapack_job_rule(const struct call *call, const struct lapack_operand *operand);

/*
 * Takes memory on the device for all other operands, and on the host for shadows: at most half of
 * what is free there, since the program needs some. Fills solver->solve but for its workspace.
 */
enum reason lapack_job_take_memory(struct lapack_job *job);

/* Of that, only the memory for shadows. */
enum reason lapack_job_take_shadows(struct lapack_job *job);

/*
 * Takes the workspace, and copies the vectors that are read into the tail. REASON_NOT_FINITE: one
 * is not; REASON_UNSUPPORTED_LAYOUT: a pivot is no row.
 */
enum reason lapack_job_take_room(struct lapack_job *job, const struct solve_room *room);
enum reason lapack_job_fill_tail(const struct lapack_job *job);

/* After the solve: REASON_NOT_SOLVED or REASON_NOT_FINITE, of vectors. */
enum reason lapack_job_judge_tail(const struct lapack_job *job);

/*
 * The end of the flow that stores the matrices, which ended with this reason: writes vectors and
 * info, or has restore, of lapack_job_restore's kind, bring the matrices back. REASON_NOT_FINITE: a
 * result was not finite. Returns the reason of the call.
 */
enum reason lapack_job_end(const struct lapack_job *job, enum reason reason,
                           const struct flow_progress *progress,
                           void (*restore)(const void *self, const struct flow_progress *progress),
                           const void *self);

#endif
