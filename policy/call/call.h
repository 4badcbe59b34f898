/* call.h - the description of a call that the policy and the engines share */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_CALL_CALL_H
#define GPUSHIM_POLICY_CALL_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "policy/call/element.h"
#include "policy/call/family.h"
#include "policy/call/flag.h"
#include "policy/call/lapack.h"
#include "policy/call/reason.h"

/*
 * One level-3 problem, column-major. A row-major call is described as the column-major one that
 * computes the same. Fields that a family does not use are 0. Leading dimensions are in elements.
 * alpha and beta hold the real and the imaginary part; the imaginary part of a real scalar is 0.
 *
 * In the table op(X) is X, its transpose or its conjugate transpose, by transa or transb, and X' is
 * the transpose, of herk and her2k the conjugate transpose. What BLAS calls B in trmm and trsm is C
 * here.
 *
 *   family        side, trans  computes                                   sizes
 *   gemm, gemm3m               C := alpha op(A) op(B) + beta C            op(A) m x k, op(B) k x n
 *   gemmt                      the same, triangle uplo of C alone         as gemm, m = n
 *   symm, hemm    left         C := alpha A B + beta C                    A k x k, k = m
 *                 right        C := alpha B A + beta C                    A k x k, k = n
 *   syrk, herk    transa N     C := alpha A A' + beta C                   A n x k, m = n
 *                 else         C := alpha A' A + beta C                   A k x n, m = n
 *   syr2k, her2k  transa N     C := alpha A B' + alpha' B A' + beta C     A, B n x k, m = n
 *                 else         C := alpha A' B + alpha' B' A + beta C     A, B k x n, m = n
 *   trmm          left         C := alpha op(A) C                         A k x k, k = m
 *                 right        C := alpha C op(A)                         A k x k, k = n
 *   trsm          left         C := X of op(A) X = alpha C                A k x k, k = m
 *                 right        C := X of X op(A) = alpha C                A k x k, k = n
 *
 * alpha' is alpha, of her2k its conjugate. Of rank updates transb equals transa, and only triangle
 * uplo of C is read and written.
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
 * Many products in one call, as the caller listed them; read it through policy/call/batch.h only.
 * Either groups of problems that share all but their operands: each parameter is an array with an
 * entry per group, and each operand an array of pointers with an entry per problem. Or (strided)
 * one group whose operands lie at constant distances, counted in elements.
 */
struct batch_call {
	bool strided;
	bool wide;     /* integers of the caller have 64 bits */
	bool letters;  /* transpositions are letters of Fortran, not numbers of CBLAS */
	bool exchange; /* of groups: the call is row-major, so A and B, m and n change places */
	int64_t groups, problems;
	const void *transa, *transb, *m, *n, *k, *alpha, *lda, *ldb, *beta, *ldc, *group_size;
	/*
		 * An array of pointers, const void *const[problems]; of a strided batch the operand
		 * of the first problem.
		 */
	const void *a, *b, *c;
	int64_t stridea, strideb, stridec;
	/* a part of the call: the problems from begin to before end alone; end 0: all of them */
	int64_t begin, end;
	struct blas_call first; /* of a strided batch: the first problem, column-major */
};

/*
 * FFT_GPU_RANK: most dimensions of a transform on the GPU. A transform beyond FFT_RANK_MAX
 * dimensions or FFT_LOOPS_MAX loops is not described at all.
 */
enum { FFT_RANK_MAX = 8, FFT_LOOPS_MAX = 8, FFT_GPU_RANK = 3 };

/*
 * One dimension: its length, and the strides of input and output in elements of that side (real or
 * complex).
 */
struct fft_dim {
	int64_t n, input_stride, output_stride;
};

/*
 * The transform that an FFTW plan was made for. dims are in row-major order; the last one is halved
 * on the complex side of a real transform (n counts reals). loop holds the dimensions over which
 * the transform is repeated, howmany is the product of their lengths (1 without loops). sign is -1
 * (forward), +1 (backward), or 0 where FFTW has none.
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

/* The bit of fft_problem.flags by which FFTW plans without measuring. Source: fftw3.h. */
enum { FFT_FLAG_ESTIMATE = 1 << 6 };

/*
 * How the plan that the CPU would execute was made: by trials, or without measuring (FFTW_ESTIMATE;
 * also a plan of fftw_planning = lazy until its better one exists), which may be several times
 * slower.
 */
enum fft_rigour { FFT_MEASURED, FFT_ESTIMATED, FFT_RIGOURS };

struct fft_call {
	const struct fft_problem *problem;
	void *in, *out;
	/* identifies the plan of the program to the engine, which keeps plans of cuFFT */
	void *plan_key;
	enum fft_rigour rigour;
};

/*
 * A described call. defect is REASON_NONE, or the reason why only the CPU library may run it. Of
 * the union blas is valid if family_is_blas, lapack if family_is_lapack, fft if family_is_fft.
 */
struct call {
	int symbol; /* enum symbol of shim/table/symbol.h */
	enum family family;
	enum element element;
	/* bytes of the operands, each counted once: compared with workload_threshold */
	uint64_t size_bytes;
	/* what must be sent to the device, and what comes back */
	uint64_t input_bytes, output_bytes;
	double work_flops;
	enum reason defect;
	union {
		struct blas_call blas; /* of a batch: the first problem, for the records */
		struct lapack_call lapack;
		struct fft_call fft;
	};
	struct batch_call batch; /* only if family_is_batch */
};

/* The sizes of a call of BLAS or LAPACK; 0 of a transform. nrhs: right-hand sides, of LAPACK. */
struct call_sizes {
	int64_t m, n, k, nrhs;
};

static inline struct call_sizes call_find_sizes(const struct call *call)
{
	if (family_is_blas(call->family))
		return (struct call_sizes){call->blas.m, call->blas.n, call->blas.k, 0};
	if (family_is_lapack(call->family))
		return (struct call_sizes){call->lapack.m, call->lapack.n, call->lapack.k,
		                           call->lapack.nrhs};
	return (struct call_sizes){0, 0, 0, 0};
}

#endif
