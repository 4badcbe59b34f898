/* call_problem.h - a call that is only described: its shape, and its struct call */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMMON_CALL_PROBLEM_H
#define GPUSHIM_CLI_COMMON_CALL_PROBLEM_H

#include <stdbool.h>

#include "shim/describe/describe_fftw.h"

enum { CALL_RANK = FFT_RANK_MAX, CALL_NAME_BYTES = 64 };

/*
 * size: of BLAS in the order of its arguments, as the column sizes of family.def has them without
 * q; of a transform its lengths. count: problems of a batch, transforms of a plan; else 1. flags:
 * side, uplo, transa, transb, diag.
 */
struct call_problem {
	enum family family;
	enum element element;
	struct blas_call flags;
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

/* The letters of a family's sizes, without q: "mnk". Empty for transforms. */
const char *call_problem_sizes(enum family family);

/*
 * The letters of the flags that the family's routines take: s side, u uplo, a transa (trans), b
 * transb, d diag.
 */
const char *call_problem_flags(enum family family);

/* The routine's name: "dgemm", "fftw_c2c". It does not tell the count of a batch. */
void call_problem_name(const struct call_problem *problem, char name[CALL_NAME_BYTES]);

/*
 * Describes the call as the shim would: alpha 1, beta 0, operands tight and not overlapping. false
 * where the operands take more than 2^60 bytes.
 */
bool call_problem_build(const struct call_problem *problem, struct built_call *built);

/* The same with all sizes n. */
bool call_problem_build_square(const struct call_problem *problem, int64_t n,
                               struct built_call *built);

#endif
