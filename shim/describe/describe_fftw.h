/* describe_fftw.h - FFTW planner arguments -> struct fft_problem, and executions -> struct call */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_DESCRIBE_DESCRIBE_FFTW_H
#define GPUSHIM_SHIM_DESCRIBE_DESCRIBE_FFTW_H

#include <stdbool.h>

#include "policy/call.h"

/*
 * What a planner was asked for; supported is false where no GPU form exists or the arguments are not legal: then the
 * problem says nothing but its family, element and in_place, and size_bytes counts the points only.
 */
struct fft_request {
	struct fft_problem problem;
	void *in, *out;
	uint64_t size_bytes;
	bool supported;
};

/*
 * family and element of request->problem must be set. Real transforms take sign 0. n is read at once. Sizes that FFTW
 * refuses, or that need no work (0), are not supported: the real library has its say on them.
 */
void describe_fft_basic(struct fft_request *request, int rank, const int *n, void *in, void *out, int sign,
                        unsigned flags);
void describe_fft_many(struct fft_request *request, int rank, const int *n, int howmany, void *in, const int *inembed,
                       int istride, int idist, void *out, const int *onembed, int ostride, int odist, int sign,
                       unsigned flags);

/* dims and loop_dims: {n, is, os} each, of ptrdiff_t where wide, else of int. At most one loop has a GPU form. */
void describe_fft_guru(struct fft_request *request, bool wide, int rank, const void *dims, int loops,
                       const void *loop_dims, void *in, void *out, int sign, unsigned flags);

/*
 * An execution of what was requested, on these arrays; everything of *call but symbol. The call points into *request.
 * size_bytes is the workload: input and output arrays, one of them when in place; UINT64_MAX where it does not fit.
 */
void describe_fft_call(struct call *call, const struct fft_request *request, void *in, void *out, void *plan_key);

/* An execution of a plan that was never requested; family and element of *call must be set. */
void describe_fft_unknown(struct call *call);

#endif
