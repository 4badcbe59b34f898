/* sim_cublas_call.h - a level-3 call of cuBLAS on its way from the checks to the kernel */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIMCUDA_SIM_CUBLAS_CALL_H
#define SIMCUDA_SIM_CUBLAS_CALL_H

#include "sim_cublas.h"
#include "sim_level3.h"

/* Properties that all calls of one routine share. */
struct sim_cublas_routine {
	bool (*compute)(const struct sim_level3 *work);
	double flops;   /* per m n k, of a real element */
	bool hermitian; /* A or C is, and is not merely symmetric */
	bool real_alpha, real_beta;
	bool has_beta;
	bool triangle;         /* only that triangle of C is written */
	bool zero_alpha_skips; /* alpha 0: A and B are not read */
	bool serial;           /* rows of the triangle wait for each other */
	bool b_may_be_c;       /* B may be C exactly, but must not overlap C otherwise */
	/*
	 * Bit set of the transpositions allowed for complex elements. Real elements allow all
	 * three.
	 */
	unsigned transpositions;
	int oldest_capability;
};

/*
 * A call as the program made it; also the arguments of the kernel. The pointers of `work` are the
 * program's.
 */
struct sim_cublas_call {
	const struct sim_cublas_routine *routine;
	struct sim_level3 work;
	int64_t a_rows, a_columns, b_rows,
		b_columns; /* 0 where there is no such operand, its ld is then 1 */
	int64_t batch;
	long long stride_a, stride_b, stride_c; /* elements */
	bool device_scalars;
	double scalars[4]; /* alpha and beta as they were at the call, in host pointer mode */
};

/*
 * Makes the checks that the vendor documents, copies host memory that is read at the call, and
 * queues the kernel.
 */
int sim_cublas_submit(int call, void *handle, struct sim_cublas_call *c);

#endif
