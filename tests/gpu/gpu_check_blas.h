/* gpu_check_blas.h - one problem of level 3, run on the GPU and compared with sums in long double */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_GPU_GPU_CHECK_BLAS_H
#define GPUSHIM_TESTS_GPU_GPU_CHECK_BLAS_H

#include "gpu_check_matrix.h"

/*
 * What to run. The family decides what of it counts: rank updates and gemmt have m = n, and k is
 * that of the side where A is a square; real elements have real scalars, and the Hermitian families
 * those of BLAS.
 */
struct gpu_check_blas {
	enum family family;
	enum element element;
	enum side side;
	enum uplo uplo;
	enum transpose transa, transb;
	enum diag diag;
	int64_t m, n, k, gap; /* gap: rows between the columns of each matrix */
	double complex alpha, beta;
	int offset_bytes;
	bool same; /* B is A */
	enum check_place place[OPERAND_COUNT];
};

/*
 * Runs it on memory of its own; everything that BLAS does not reference is NaN, the rest of memory
 * canaries.
 */
enum reason gpu_check_run_blas(const struct gpu_check_blas *wanted, int device);

/* Runs a call as the route does, with the CPU library that this program would reach. */
enum reason gpu_check_call_blas(const struct call *call, int device, bool *finished);

/*
 * Calls visit for every family with every element and all flags that it takes; sizes and scalars
 * are visit's to fill.
 */
typedef void gpu_check_visit(struct gpu_check_blas *wanted, int device);
void gpu_check_each_blas(gpu_check_visit *visit, int device);

/* wanted with what its family decides, and the call without operands. */
struct gpu_check_blas gpu_check_settle_blas(const struct gpu_check_blas *wanted);
struct call gpu_check_describe_blas(const struct gpu_check_blas *wanted);

/* Gives the call its operands. */
void gpu_check_set_operands(struct call *call, const struct check_matrix *a,
                            const struct check_matrix *b, const struct check_matrix *c);

/*
 * Compares the elements of C that the call writes with what they ought to be, and overwrites them
 * with those of before, so that both are the same bytes if nothing else was written. The worst
 * error over what rounding allows.
 */
double gpu_check_compare_blas(const struct gpu_check_blas *wanted, const struct check_matrix *a,
                              const struct check_matrix *b, const struct check_matrix *before,
                              struct check_matrix *c);

#endif
