/* gpu_check_blas.h - one problem of level 3 on the GPU, compared with sums in long double */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_GPU_GPU_CHECK_BLAS_H
#define GPUSHIM_TESTS_GPU_GPU_CHECK_BLAS_H

#include "gpu_check_matrix.h"

/*
 * The call to run. The family decides which fields it uses: rank updates and gemmt have m = n;
 * where A is a square, k is its side; real elements have real scalars, and the Hermitian families
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

/* m, n and k; alpha and beta. */
void gpu_check_size_blas(struct gpu_check_blas *wanted, const int64_t size[3],
                         const double complex scalar[2]);

/*
 * Runs the call on memory of its own. All that BLAS does not reference is NaN; the rest of the
 * memory holds canaries.
 */
enum reason gpu_check_run_blas(const struct gpu_check_blas *wanted, int device);

/* Runs a call as the route does, with the CPU library that this program would reach. */
enum reason gpu_check_call_blas(const struct call *call, int device, bool *finished);

/* The CPU computes this part of the calls that follow; how many were shared since. */
void gpu_check_set_share(double share);
int gpu_check_count_shared(void);
/* The CPU's part of the last call, as the call has told. */
double gpu_check_find_done(void);
/* What the next call is asked for; what the last one, of the calling thread, had. */
struct cpu_share gpu_check_make_share(void);
void gpu_check_note_share(const struct cpu_share *share, enum reason reason);

/*
 * Calls visit for every family with every element and all flags that it takes. visit fills in sizes
 * and scalars.
 */
typedef void gpu_check_visit(struct gpu_check_blas *wanted, int device);
void gpu_check_each_blas(gpu_check_visit *visit, int device);

/* Returns wanted with the fields that its family decides, and builds the call without operands. */
struct gpu_check_blas gpu_check_settle_blas(const struct gpu_check_blas *wanted);
struct call gpu_check_describe_blas(const struct gpu_check_blas *wanted);

/* Gives the call its operands. */
void gpu_check_set_operands(struct call *call, const struct check_matrix *a,
                            const struct check_matrix *b, const struct check_matrix *c);

/*
 * Compares the elements of C that the call writes with the expected ones, and then overwrites them
 * with their values before the call, so that both copies are equal if nothing else was written.
 * Returns the worst error divided by the rounding error allowed.
 */
double gpu_check_compare_blas(const struct gpu_check_blas *wanted, const struct check_matrix *a,
                              const struct check_matrix *b, const struct check_matrix *before,
                              struct check_matrix *c);

#endif
