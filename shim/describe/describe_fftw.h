/* describe_fftw.h - FFTW planner arguments -> struct fft_problem, and executions -> struct call */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_DESCRIBE_DESCRIBE_FFTW_H
#define GPUSHIM_SHIM_DESCRIBE_DESCRIBE_FFTW_H

#include <stdbool.h>

#include "policy/call/call.h"

/*
 * A planner's arguments. defect: why the transform cannot run on the GPU, REASON_NONE if it can.
 * problem has as many dimensions as there is room for, also with a defect. in, out: the arrays;
 * with split (real and imaginary parts in separate arrays) the first of each side. size_bytes: the
 * workload, input and output arrays, or the larger one in place; UINT64_MAX if it does not fit.
 * threads: of the CPU, as set by fftw_plan_with_nthreads; 0: not set.
 */
struct fft_request {
	struct fft_problem problem;
	void *in, *out;
	bool split;
	uint64_t size_bytes, input_bytes, output_bytes;
	int threads;
	enum reason defect;
};

/*
 * Sizes in FFTW's basic and advanced form, read at once. reversed: n and the embeds are in
 * Fortran's order.
 */
struct fft_many {
	int rank;
	const int *n;
	int howmany;
	const int *inembed;
	int istride, idist;
	const int *onembed;
	int ostride, odist;
	bool reversed;
};

/* Sizes in FFTW's guru form: arrays of {n, is, os}, of ptrdiff_t if wide, else of int. */
struct fft_guru {
	int rank;
	const void *dims;
	int loops;
	const void *loop_dims;
	bool wide;
};

/* Sizes in the guru form of FFTW's legacy Fortran interface: one array per member, in C's order. */
struct fft_axes {
	int rank;
	const int *n, *is, *os;
	int loops;
	const int *loop_n, *loop_is, *loop_os;
};

/*
 * First one of these; family and element of request->problem must be set. sign is 0 for transforms
 * without one. split: in and out are the first array of each side.
 */
void describe_fftw_arrays(struct fft_request *request, void *in, void *out, int sign,
                          unsigned flags);
void describe_fftw_split(struct fft_request *request, void *in, void *out, unsigned flags);

/* Then one of these. Sizes that FFTW refuses give a defect; its library answers the call. */
void describe_fftw_basic(struct fft_request *request, int rank, const int *n, bool reversed);
void describe_fftw_many(struct fft_request *request, const struct fft_many *many);
void describe_fftw_guru(struct fft_request *request, const struct fft_guru *guru);
void describe_fftw_axes(struct fft_request *request, const struct fft_axes *axes);

/* Fills *call, but for symbol, for an execution on these arrays; it points to *request. */
void describe_fftw_call(struct call *call, const struct fft_request *request, void *in, void *out,
                        void *plan_key);

/* Makes *request that of a plan made unseen; family and element of request->problem must be set. */
void describe_fftw_unknown(struct fft_request *request);

#endif
