/* describe_fftw.h - FFTW planner arguments -> struct fft_problem, and executions -> struct call */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_DESCRIBE_DESCRIBE_FFTW_H
#define GPUSHIM_SHIM_DESCRIBE_DESCRIBE_FFTW_H

#include <stdbool.h>

#include "policy/call/call.h"

/*
 * What a planner was asked for, and whether that has a form on the GPU: defect says why not,
 * REASON_NONE that it has. Of the problem as many dimensions as it has room for are described, with
 * a defect too. size_bytes is the workload: input and output arrays, one of them when in place;
 * UINT64_MAX where it does not fit.
 */
struct fft_request {
	struct fft_problem problem;
	void *in, *out;
	bool split; /* real and imaginary parts in separate arrays; in and out are the first of each */
	uint64_t size_bytes, input_bytes, output_bytes;
	int threads; /* of the CPU that the plan may use, as fftw_plan_with_nthreads said; 0: nobody did */
	enum reason defect;
};

/*
 * Sizes in FFTW's basic and advanced form. Read at once; reversed: n and the embeds are in
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

/* Sizes in FFTW's guru form: arrays of {n, is, os}, of ptrdiff_t where wide, else of int. */
struct fft_guru {
	int rank;
	const void *dims;
	int loops;
	const void *loop_dims;
	bool wide;
};

/*
 * Sizes in the guru form of FFTW's legacy Fortran interface: an array of each, in the order of C.
 */
struct fft_axes {
	int rank;
	const int *n, *is, *os;
	int loops;
	const int *loop_n, *loop_is, *loop_os;
};

/*
 * First of all, one of these. family and element of request->problem must be set. Transforms for
 * which FFTW has no sign take 0. split: in and out are the first array of each side.
 */
void describe_fftw_arrays(struct fft_request *request, void *in, void *out, int sign,
                          unsigned flags);
void describe_fftw_split(struct fft_request *request, void *in, void *out, unsigned flags);

/*
 * Then one of these. Sizes that FFTW refuses have a defect: the real library has its say on them.
 */
void describe_fftw_basic(struct fft_request *request, int rank, const int *n, bool reversed);
void describe_fftw_many(struct fft_request *request, const struct fft_many *many);
void describe_fftw_guru(struct fft_request *request, const struct fft_guru *guru);
void describe_fftw_axes(struct fft_request *request, const struct fft_axes *axes);

/*
 * An execution of what was requested, on these arrays; everything of *call but symbol. The call
 * points into *request.
 */
void describe_fftw_call(struct call *call, const struct fft_request *request, void *in, void *out,
                        void *plan_key);

/*
 * What is known of a plan that no intercepted planner made. family and element of request->problem
 * must be set.
 */
void describe_fftw_unknown(struct fft_request *request);

#endif
