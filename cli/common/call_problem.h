/* call_problem.h - a call that nobody makes: its shape, and the struct call that the shim would see */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMMON_CALL_PROBLEM_H
#define GPUSHIM_CLI_COMMON_CALL_PROBLEM_H

#include <stdbool.h>

#include "shim/describe/describe_fftw.h"

enum { CALL_RANK = FFT_RANK_MAX, CALL_NAME_BYTES = 64 };

/*
 * size: of BLAS in the order of its own arguments, as family.def's sizes has them, without q; of a
 * transform the lengths. count: problems of a batch, transforms of a plan; else 1. flags: side,
 * uplo, transa, transb, diag.
 */
struct call_problem {
	enum family family;
	enum element element;
	struct blas_call flags;
	int sizes;
	int64_t size[CALL_RANK];
	int64_t count;
	bool in_place;
};

/* call points into request, so it cannot be copied. */
struct built_call {
	struct call call;
	struct fft_request request;
};

/* BLAS's letters for the sizes of a family, without q: "mnk". Empty for transforms. */
const char *call_problem_sizes(enum family family);

/*
 * The letters of the flags that its routines take: s side, u uplo, a transa (trans), b transb, d
 * diag.
 */
const char *call_problem_flags(enum family family);

/* "dgemm", "fftw_c2c"; batches without their count. */
void call_problem_name(const struct call_problem *problem, char name[CALL_NAME_BYTES]);

/*
 * The call as the shim would describe it: alpha 1, beta 0, operands tight and apart from each
 * other. false where the operands would take more bytes than there are addresses.
 */
bool call_problem_build(const struct call_problem *problem, struct built_call *built);

/* The same with all sizes n. false as above. */
bool call_problem_build_square(const struct call_problem *problem, int64_t n,
                               struct built_call *built);

#endif
