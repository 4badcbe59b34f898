/* describe_fftw.c - FFTW arguments in the words of the policy */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/describe/describe_fftw.h"

#include <stddef.h>

/* log2 of x >= 1 to about nine digits, without libm: exponent plus the series of atanh. */
static double describe_log2(double x)
{
	int exponent = 0;
	while (x >= 2) {
		x /= 2;
		exponent++;
	}
	const double t = (x - 1) / (x + 1);
	double term = t, sum = 0;
	for (int i = 1; i < 24; i += 2, term *= t * t)
		sum += term / i;
	return exponent + 2 * sum / 0.69314718055994530942;
}

/* Length of dimension d as stored in the input or the output array: the last one of a real transform is halved. */
static int64_t stored_length(const struct fft_problem *p, int d, bool output)
{
	const bool halved = (p->family == FAMILY_FFT_R2C && output) || (p->family == FAMILY_FFT_C2R && !output);
	return halved && d == p->rank - 1 ? p->dims[d].n / 2 + 1 : p->dims[d].n;
}

static bool is_real_side(const struct fft_problem *p, bool output)
{
	return (p->family == FAMILY_FFT_R2C && !output) || (p->family == FAMILY_FFT_C2R && output);
}

static uint64_t side_bytes(const struct fft_problem *p, bool output)
{
	uint64_t bytes = element_size_bytes(p->element) / (is_real_side(p, output) ? 2 : 1);
	bool overflow = __builtin_mul_overflow(bytes, (uint64_t)p->loop.n, &bytes);
	for (int d = 0; d < p->rank; d++)
		overflow |= __builtin_mul_overflow(bytes, (uint64_t)stored_length(p, d, output), &bytes);
	return overflow ? UINT64_MAX : bytes;
}

static uint64_t problem_bytes(const struct fft_problem *problem)
{
	const uint64_t in = side_bytes(problem, false), out = side_bytes(problem, true);
	if (problem->in_place)
		return in > out ? in : out;
	return in > UINT64_MAX - out ? UINT64_MAX : in + out;
}

/* Where the problem has no form here: all points of input and output, the workload to within a factor of two. */
static uint64_t points_bytes(const struct fft_problem *p, uint64_t points)
{
	const uint64_t size = element_size_bytes(p->element) * (p->in_place ? 1 : 2);
	uint64_t bytes;
	return __builtin_mul_overflow(points, size, &bytes) ? UINT64_MAX : bytes;
}

static uint64_t more_points(uint64_t points, int64_t n)
{
	uint64_t product;
	return __builtin_mul_overflow(points, n > 0 ? (uint64_t)n : 0, &product) ? UINT64_MAX : product;
}

/* Strides of tight row-major rows of the given lengths. */
static void tight_strides(struct fft_problem *p, bool output, const int64_t *lengths, int64_t stride)
{
	for (int d = p->rank - 1; d >= 0; d--) {
		if (output)
			p->dims[d].output_stride = stride;
		else
			p->dims[d].input_stride = stride;
		stride *= lengths[d];
	}
}

/* Row lengths of one array: the embed the caller gave, or FFTW's default for it. */
static void embed_lengths(const struct fft_problem *p, bool output, const int *embed, int64_t *lengths)
{
	for (int d = 0; d < p->rank; d++)
		lengths[d] = embed != NULL ? embed[d] : stored_length(p, d, output);
	/* By default the reals of an in-place real transform are padded to the size of the complex rows. */
	if (embed == NULL && p->in_place && is_real_side(p, output))
		lengths[p->rank - 1] = 2 * (p->dims[p->rank - 1].n / 2 + 1);
}

static bool describe_sign(const struct fft_problem *p)
{
	return p->family != FAMILY_FFT_C2C || p->sign == -1 || p->sign == 1;
}

static bool describe_dims(struct fft_request *request, int rank, const int *n, int howmany)
{
	struct fft_problem *p = &request->problem;
	if (rank < 1 || rank > FFT_RANK_MAX || howmany < 1)
		return false;
	p->rank = rank;
	p->loop.n = howmany;
	for (int d = 0; d < rank; d++) {
		if (n[d] < 1)
			return false;
		p->dims[d].n = n[d];
	}
	return true;
}

void describe_fft_many(struct fft_request *request, int rank, const int *n, int howmany, void *in, const int *inembed,
                       int istride, int idist, void *out, const int *onembed, int ostride, int odist, int sign,
                       unsigned flags)
{
	struct fft_problem *p = &request->problem;
	int64_t lengths[FFT_RANK_MAX];

	request->in = in;
	request->out = out;
	p->flags = flags;
	p->sign = sign;
	p->in_place = in == out;
	request->supported = describe_dims(request, rank, n, howmany) && describe_sign(p);
	if (!request->supported) {
		uint64_t points = more_points(1, howmany);
		for (int d = 0; d < rank; d++)
			points = more_points(points, n[d]);
		request->size_bytes = points_bytes(p, points);
		return;
	}
	p->loop.input_stride = idist;
	p->loop.output_stride = odist;
	embed_lengths(p, false, inembed, lengths);
	tight_strides(p, false, lengths, istride);
	embed_lengths(p, true, onembed, lengths);
	tight_strides(p, true, lengths, ostride);
	request->size_bytes = problem_bytes(p);
}

void describe_fft_basic(struct fft_request *request, int rank, const int *n, void *in, void *out, int sign,
                        unsigned flags)
{
	describe_fft_many(request, rank, n, 1, in, NULL, 1, 0, out, NULL, 1, 0, sign, flags);
}

static struct fft_dim guru_dim(const void *dims, int index, bool wide)
{
	if (wide) {
		const int64_t *dim = (const int64_t *)dims + 3 * (ptrdiff_t)index;
		return (struct fft_dim){dim[0], dim[1], dim[2]};
	}
	const int *dim = (const int *)dims + 3 * (ptrdiff_t)index;
	return (struct fft_dim){dim[0], dim[1], dim[2]};
}

void describe_fft_guru(struct fft_request *request, bool wide, int rank, const void *dims, int loops,
                       const void *loop_dims, void *in, void *out, int sign, unsigned flags)
{
	struct fft_problem *p = &request->problem;
	request->in = in;
	request->out = out;
	p->flags = flags;
	p->sign = sign;
	p->in_place = in == out;
	p->rank = rank;
	p->loop = (struct fft_dim){1, 0, 0};
	uint64_t points = 1;
	request->supported = rank >= 1 && rank <= FFT_RANK_MAX && loops >= 0 && loops <= 1 && describe_sign(p);
	for (int d = 0; d < rank; d++) {
		const struct fft_dim dim = guru_dim(dims, d, wide);
		points = more_points(points, dim.n);
		if (d < FFT_RANK_MAX)
			p->dims[d] = dim;
	}
	for (int l = 0; l < loops; l++) {
		p->loop = guru_dim(loop_dims, l, wide);
		points = more_points(points, p->loop.n);
	}
	request->supported = request->supported && points != 0;
	request->size_bytes = request->supported ? problem_bytes(p) : points_bytes(p, points);
}

static double problem_flops(const struct fft_problem *p)
{
	double points = 1;
	for (int d = 0; d < p->rank; d++)
		points *= (double)p->dims[d].n;
	const double complex_flops = 5 * points * describe_log2(points) * (double)p->loop.n;
	return p->family == FAMILY_FFT_C2C ? complex_flops : complex_flops / 2;
}

void describe_fft_call(struct call *call, const struct fft_request *request, void *in, void *out, void *plan_key)
{
	const struct fft_problem *problem = &request->problem;
	const bool supported = request->supported;
	call->family = problem->family;
	call->element = problem->element;
	call->defect = supported ? REASON_NONE : REASON_UNSUPPORTED_LAYOUT;
	call->size_bytes = request->size_bytes;
	call->input_bytes = supported ? side_bytes(problem, false) : 0;
	call->output_bytes = supported ? side_bytes(problem, true) : 0;
	call->work_flops = supported ? problem_flops(problem) : 0;
	call->fft = (struct fft_call){supported ? problem : NULL, in, out, plan_key};
}

void describe_fft_unknown(struct call *call)
{
	call->defect = REASON_UNKNOWN_PLAN;
	call->size_bytes = call->input_bytes = call->output_bytes = 0;
	call->work_flops = 0;
	call->fft = (struct fft_call){.problem = NULL};
}
