/* call.h - what a call asks for, in words that the policy and the engines share */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_CALL_CALL_H
#define GPUSHIM_POLICY_CALL_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "policy/call/element.h"
#include "policy/call/family.h"
#include "policy/call/reason.h"

enum transpose { TRANSPOSE_N, TRANSPOSE_T, TRANSPOSE_C };
enum side { SIDE_LEFT, SIDE_RIGHT };
enum uplo { UPLO_UPPER, UPLO_LOWER };
enum diag { DIAG_NON_UNIT, DIAG_UNIT };

/*
 * A call of level 3, column-major; a row-major call is described as the column-major one that it
 * equals. Fields that a family has no word for are 0. Leading dimensions are in elements. alpha and
 * beta hold the real and the imaginary part (0 where they are real).
 *
 *   gemm, gemm3m, gemmt   C := alpha op(A) op(B) + beta C: op(A) is m x k, op(B) is k x n; gemmt writes one triangle, m
 * = n symm, hemm            C := alpha A B + beta C (left) or alpha B A + beta C (right): A is k x k, so k is m or n
 *   syrk, herk            C := alpha A A' + beta C, or with transa alpha A' A + beta C; m = n
 *   syr2k, her2k          C := alpha A B' + alpha' B A' + beta C, or with transa A' B and B' A; m = n, transb = transa
 *   trmm, trsm            C := alpha op(A) C, alpha C op(A) or its solution: A is k x k; what BLAS calls B is C here
 */
struct blas_call {
	enum side side;
	enum uplo uplo;
	enum transpose transa, transb;
	enum diag diag;
	int64_t m, n, k, lda, ldb, ldc;
	const void *a, *b;
	void *c;
	double alpha[2], beta[2];
};

/*
 * Many multiplications in one call, as their caller listed them: read through policy/call/batch.h
 * only. Groups of problems that share everything but their operands, each parameter an array with
 * one entry per group and the operands arrays of pointers, one per problem; or (strided) one group
 * whose operands lie at constant distances, in elements.
 */
struct batch_call {
	bool strided;
	bool wide;     /* the caller's integers have 64 bits */
	bool letters;  /* transpositions are Fortran's letters, not CBLAS's numbers */
	bool exchange; /* in groups only: row-major, so A and B, m and n, change places */
	int64_t groups, problems;
	const void *transa, *transb, *m, *n, *k, *alpha, *lda, *ldb, *beta, *ldc, *group_size;
	const void *a, *b,
		*c; /* const void *const[problems]; of a strided batch the first operand itself */
	int64_t stridea, strideb, stridec;
	struct blas_call first; /* of a strided batch: the first problem, already column-major */
};

/*
 * FFT_GPU_RANK: dimensions that a transform on the GPU may have. The others bound what is described
 * at all.
 */
enum { FFT_RANK_MAX = 8, FFT_LOOPS_MAX = 8, FFT_GPU_RANK = 3 };

/*
 * One dimension: length, and the strides of input and output in elements of each (real or complex).
 */
struct fft_dim {
	int64_t n, input_stride, output_stride;
};

/*
 * What an FFTW plan was made for. dims are in row-major order, the last one is the halved one of a
 * real transform (n counts reals). loop are the dimensions that it is repeated over, howmany the
 * product of their lengths: a plan without loops has howmany 1. sign is -1 (forward) or +1, and 0
 * where FFTW has none.
 */
struct fft_problem {
	enum family family;
	enum element element;
	int rank, loops;
	struct fft_dim dims[FFT_RANK_MAX], loop[FFT_LOOPS_MAX];
	int64_t howmany;
	int sign;
	unsigned flags;
	bool in_place;
};

struct fft_call {
	const struct fft_problem *problem;
	void *in, *out;
	void *plan_key; /* identifies the program's plan to the engine that keeps GPU plans */
};

/* One call on its way. defect is REASON_NONE, or why only the CPU library may run it. */
struct call {
	int symbol; /* enum symbol of shim/table/symbol.h */
	enum family family;
	enum element element;
	uint64_t
		size_bytes; /* each operand once: the workload that workload_threshold is compared with */
	uint64_t input_bytes, output_bytes; /* what must go to the device and come back */
	double work_flops;
	enum reason defect;
	union {
		struct blas_call blas; /* of a batch: the first problem, for records */
		struct fft_call fft;
	};
	struct batch_call batch; /* only of families that family_is_batch knows */
};

#endif
