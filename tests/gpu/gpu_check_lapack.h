/* gpu_check_lapack.h - one LAPACK call on the GPU, judged by residuals in long double */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_GPU_GPU_CHECK_LAPACK_H
#define GPUSHIM_TESTS_GPU_GPU_CHECK_LAPACK_H

#include "gpu_check.h"
#include "shim/execute/gpu/lapack/gpu_lapack.h"

/*
 * What the matrix is like. FLAWED: singular, or not positive definite. SPOILT: one element that is
 * read is not a number.
 */
enum check_lapack_kind { CHECK_SOUND, CHECK_FLAWED, CHECK_SPOILT };

/* The call to run. The family decides which fields it uses. */
struct gpu_check_lapack {
	enum family family;
	enum element element;
	enum uplo uplo;
	enum transpose trans;
	enum diag diag;
	enum side side;
	int itype;
	char job, other_job, range; /* of eigenvalues: those from il to iu, where the range is I */
	bool wide;                  /* 64-bit integers */
	int64_t m, n, k, nrhs, il, iu, gap; /* gap: rows between the columns of each matrix */
	int power_a, power_b;               /* numbers of A and B are multiplied by 2 to these */
	int offset_bytes;
	enum check_lapack_kind kind;
};

/*
 * Runs the call on memory of its own, in which gaps, what is not referenced, and results are NaN or
 * canaries. After REASON_NONE the results are expected to be right, and all other bytes unchanged;
 * after any other reason all bytes. Returns the reason.
 */
enum reason gpu_check_run_lapack(const struct gpu_check_lapack *wanted, int device);

/* How the last call was computed; empty after another reason than REASON_NONE. */
const struct gpu_lapack_account *gpu_check_find_account(void);

/* Calls visit for every family with every element and all letters. visit fills in the rest. */
typedef void gpu_check_visit_lapack(struct gpu_check_lapack *wanted, int device);
void gpu_check_each_lapack(gpu_check_visit_lapack *visit, int device);

#endif
