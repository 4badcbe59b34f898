/* call_problem.h - a call that is only described: its shape, and its struct call */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMMON_CALL_PROBLEM_H
#define GPUSHIM_CLI_COMMON_CALL_PROBLEM_H

#include <stdbool.h>

#include "shim/describe/describe_fftw.h"

enum { CALL_RANK = FFT_RANK_MAX, CALL_NAME_BYTES = 64 };

/*
 * size: of BLAS and LAPACK in the order of their arguments, as the column sizes of family.def has
 * them without q; of a transform its lengths. count: problems of a batch, transforms of a plan;
 * else 1. flags: side, uplo, transa (trans), transb, diag. jobs: of LAPACK, as in struct
 * lapack_call.
 */
struct call_problem {
	enum family family;
	enum element element;
	struct blas_call flags;
	char jobs[2];
	int sizes;
	int64_t size[CALL_RANK];
	int64_t count;
	bool in_place, estimate; /* of a transform; estimate: by a plan of FFTW_ESTIMATE */
};

/* Not to be copied: call points into request. */
struct built_call {
	struct call call;
	struct fft_request request;
};

/*
 * The letters of a family's sizes, without q: "mnk"; r is the number of right-hand sides. Empty for
 * transforms.
 */
const char *call_problem_sizes(enum family family);

/*
 * The letters of the flags that the family's routines take: s side, u uplo, a transa (trans), b
 * transb, d diag; of LAPACK as family_letters has them.
 */
const char *call_problem_flags(enum family family);

/* The routine's name: "dgemm", "fftw_c2c". It does not tell the count of a batch. */
void call_problem_name(const struct call_problem *problem, char name[CALL_NAME_BYTES]);

/*
 * Describes the call as the shim would: alpha 1, beta 0, operands tight and not overlapping. false
 * where the operands take more than 2^60 bytes.
 */
bool call_problem_build(const struct call_problem *problem, struct built_call *built);

/* Sets the jobs of a LAPACK routine that can compute vectors: all of them, or none. */
void call_problem_set_vectors(struct call_problem *problem, bool vectors);
bool call_problem_has_vectors(const struct call_problem *problem);

/* Of LAPACK: call_problem_build builds by it. */
bool call_problem_build_solve(const struct call_problem *problem, struct call *call);

/*
 * The same with all sizes n, but for the right-hand sides of LAPACK: as many as the problem has, at
 * least one.
 */
bool call_problem_build_square(const struct call_problem *problem, int64_t n,
                               struct built_call *built);

#endif
