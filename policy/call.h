/* call.h - what a call asks for, in words that the policy and the engines share */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_CALL_H
#define GPUSHIM_POLICY_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "policy/reason.h"

/* BLAS's own letters. For an FFT the element is the complex one of its precision: C or Z. */
enum element { ELEMENT_S, ELEMENT_D, ELEMENT_C, ELEMENT_Z, ELEMENT_COUNT };

enum family {
#define FAMILY(id, name, library) FAMILY_##id,
#include "policy/family.def"
	FAMILY_COUNT
};

enum transpose { TRANSPOSE_N, TRANSPOSE_T, TRANSPOSE_C };

/*
 * C := alpha op(A) op(B) + beta C, column-major: op(A) is m x k, op(B) is k x n, C is m x n. A row-major call is
 * described as the column-major one that it equals. Leading dimensions are in elements. alpha and beta hold the real
 * and the imaginary part (0 for S and D).
 */
struct gemm_call {
	enum transpose transa, transb;
	int64_t m, n, k, lda, ldb, ldc;
	const void *a, *b;
	void *c;
	double alpha[2], beta[2];
};

enum { FFT_RANK_MAX = 3 };

/* One dimension: length, and the strides of input and output in elements of each (real or complex). */
struct fft_dim {
	int64_t n, input_stride, output_stride;
};

/*
 * What an FFTW plan was made for. dims are in row-major order, the last one is the halved one of a real transform
 * (n counts reals). loop is the batch: loop.n = howmany, its strides are idist and odist. sign is -1 (forward) or +1.
 */
struct fft_problem {
	enum family family;
	enum element element;
	int rank;
	struct fft_dim dims[FFT_RANK_MAX];
	struct fft_dim loop;
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
	int symbol; /* enum symbol of shim/table/routine.h */
	enum family family;
	enum element element;
	uint64_t size_bytes; /* each operand once: the workload that workload_threshold is compared with */
	uint64_t input_bytes, output_bytes; /* what must go to the device and come back */
	double work_flops;
	enum reason defect;
	union {
		struct gemm_call gemm;
		struct fft_call fft;
	};
};

/* Bytes of one element: 4, 8, 8, 16. */
static inline uint64_t element_size_bytes(enum element element)
{
	static const uint8_t size[ELEMENT_COUNT] = {4, 8, 8, 16};
	return size[element];
}

static inline bool element_is_complex(enum element element)
{
	return element >= ELEMENT_C;
}

static inline bool family_is_fft(enum family family)
{
	return family != FAMILY_GEMM;
}

#endif
