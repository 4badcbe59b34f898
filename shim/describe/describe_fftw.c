/* describe_fftw.c - FFTW arguments -> struct fft_request and struct call */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/describe/describe_fftw.h"

#include <stdatomic.h>
#include <stddef.h>

#include "shim/base/loader.h"

/* log2 of x >= 1 to about nine digits, without libm: exponent plus the series of atanh. */
static double describe_fftw_log2(double x)
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

static bool describe_fftw_is_real_side(const struct fft_problem *p, bool output)
{
	return p->family == FAMILY_FFT_R2R || (p->family == FAMILY_FFT_R2C && !output) ||
	       (p->family == FAMILY_FFT_C2R && output);
}

/* The complex array of a real transform holds half of the last dimension only. */
static bool describe_fftw_is_halved_side(const struct fft_problem *p, bool output)
{
	return p->family != FAMILY_FFT_C2C && !describe_fftw_is_real_side(p, output);
}

/* Length of dimension d as stored in the input or the output array. */
static int64_t describe_fftw_find_length(const struct fft_problem *p, int d, bool output)
{
	return describe_fftw_is_halved_side(p, output) && d == p->rank - 1 ? p->dims[d].n / 2 + 1
	                                                                   : p->dims[d].n;
}

static bool describe_fftw_is_padded_side(const struct fft_problem *p, bool output)
{
	return p->in_place && p->family != FAMILY_FFT_R2R && describe_fftw_is_real_side(p, output);
}

/*
 * Sizes of a request, with the dimensions that struct fft_problem has no room for. rest: product of
 * all lengths but the last dimension's; points: of one transform. Both UINT64_MAX if they do not
 * fit.
 */
struct fft_sizes {
	uint64_t rest, points;
	int64_t last;
	bool negative;
};

static uint64_t describe_fftw_multiply(uint64_t product, uint64_t n)
{
	uint64_t next;
	return __builtin_mul_overflow(product, n, &next) ? UINT64_MAX : next;
}

static void describe_fftw_add_loop(struct fft_sizes *sizes, int64_t n)
{
	sizes->negative = sizes->negative || n < 0;
	sizes->rest = describe_fftw_multiply(sizes->rest, n > 0 ? (uint64_t)n : 0);
}

static void describe_fftw_add_dim(struct fft_sizes *sizes, int64_t n)
{
	describe_fftw_add_loop(sizes, sizes->last);
	sizes->negative = sizes->negative || n < 1;
	sizes->points = describe_fftw_multiply(sizes->points, n > 0 ? (uint64_t)n : 0);
	sizes->last = n;
}

static uint64_t describe_fftw_count_bytes(const struct fft_problem *p,
                                          const struct fft_sizes *sizes, bool output)
{
	const uint64_t bytes =
		element_size_bytes(p->element) / (describe_fftw_is_real_side(p, output) ? 2 : 1);
	const int64_t last =
		describe_fftw_is_halved_side(p, output) ? sizes->last / 2 + 1 : sizes->last;
	return describe_fftw_multiply(
		describe_fftw_multiply(sizes->rest, last > 0 ? (uint64_t)last : 0), bytes);
}

static bool describe_fftw_has_layout(const struct fft_request *request,
                                     const struct fft_sizes *sizes)
{
	const struct fft_problem *p = &request->problem;
	return !sizes->negative && request->size_bytes <= INT64_MAX && p->loops <= FFT_LOOPS_MAX;
}

static enum reason describe_fftw_find_defect(const struct fft_request *request,
                                             const struct fft_sizes *sizes)
{
	const struct fft_problem *p = &request->problem;
	if (p->element >= ELEMENT_BLAS_COUNT)
		return REASON_UNSUPPORTED_PRECISION;
	if (p->family == FAMILY_FFT_R2R)
		return REASON_REAL_TO_REAL;
	if (request->split)
		return REASON_SPLIT_ARRAYS;
	if (p->rank > FFT_GPU_RANK)
		return REASON_UNSUPPORTED_RANK;
	if (sizes->points <= 1 || sizes->rest == 0)
		return REASON_NO_TRANSFORM;
	return describe_fftw_has_layout(request, sizes) ? REASON_NONE : REASON_UNSUPPORTED_LAYOUT;
}

/* Sets what follows from the sizes; at last cuts off the dimensions without room. */
static void describe_fftw_set_sizes(struct fft_request *request, const struct fft_sizes *sizes)
{
	struct fft_problem *p = &request->problem;
	const uint64_t in = describe_fftw_count_bytes(p, sizes, false),
		       out = describe_fftw_count_bytes(p, sizes, true);
	request->input_bytes = in;
	request->output_bytes = out;
	request->size_bytes = in > UINT64_MAX - out ? UINT64_MAX : in + out;
	if (p->in_place)
		request->size_bytes = in > out ? in : out;
	request->defect = describe_fftw_find_defect(request, sizes);
	p->rank = p->rank > FFT_RANK_MAX ? FFT_RANK_MAX : p->rank;
	p->loops = p->loops > FFT_LOOPS_MAX ? FFT_LOOPS_MAX : p->loops;
}

/*
 * Strides of contiguous row-major rows of these lengths. A stride that overflows becomes 0: such an
 * array has a defect by its size.
 */
static void describe_fftw_set_strides(struct fft_problem *p, bool output, const int64_t *lengths,
                                      int64_t stride)
{
	for (int d = p->rank - 1; d >= 0; d--) {
		if (output)
			p->dims[d].output_stride = stride;
		else
			p->dims[d].input_stride = stride;
		if (__builtin_mul_overflow(stride, lengths[d], &stride))
			stride = 0;
	}
}

static int describe_fftw_find_index(const struct fft_many *many, int d)
{
	return many->reversed ? many->rank - 1 - d : d;
}

/* Row lengths of one array: from the caller's embed, or FFTW's default. */
static void describe_fftw_find_lengths(const struct fft_problem *p, const struct fft_many *many,
                                       bool output, int64_t *lengths)
{
	const int *embed = output ? many->onembed : many->inembed;
	for (int d = 0; d < p->rank; d++)
		lengths[d] = embed != NULL ? embed[describe_fftw_find_index(many, d)]
		                           : describe_fftw_find_length(p, d, output);
	/* FFTW's default in place: rows of reals are padded to the size of the complex rows. */
	if (embed == NULL && describe_fftw_is_padded_side(p, output))
		lengths[p->rank - 1] = 2 * (p->dims[p->rank - 1].n / 2 + 1);
}

void describe_fftw_arrays(struct fft_request *request, void *in, void *out, int sign,
                          unsigned flags)
{
	request->in = in;
	request->out = out;
	request->problem.flags = flags;
	/* FFTW treats every sign but FFTW_FORWARD as backward. */
	request->problem.sign = request->problem.family != FAMILY_FFT_C2C ? 0 : sign == -1 ? -1 : 1;
	request->problem.in_place = in == out;
}

void describe_fftw_split(struct fft_request *request, void *in, void *out, unsigned flags)
{
	describe_fftw_arrays(request, in, out, 0, flags);
	request->split = true;
}

static void describe_fftw_set_many(struct fft_request *request, const struct fft_many *many,
                                   struct fft_sizes *sizes)
{
	struct fft_problem *p = &request->problem;
	p->rank = many->rank;
	p->howmany = many->howmany;
	sizes->negative = many->rank < 0;
	describe_fftw_add_loop(sizes, many->howmany);
	for (int d = 0; d < many->rank; d++) {
		const int n = many->n[describe_fftw_find_index(many, d)];
		describe_fftw_add_dim(sizes, n);
		if (d < FFT_RANK_MAX)
			p->dims[d].n = n;
	}
	if (many->howmany != 1) {
		p->loops = 1;
		p->loop[0] = (struct fft_dim){many->howmany, many->idist, many->odist};
	}
}

void describe_fftw_many(struct fft_request *request, const struct fft_many *many)
{
	struct fft_problem *p = &request->problem;
	struct fft_sizes sizes = {.rest = 1, .points = 1, .last = 1};
	int64_t lengths[FFT_RANK_MAX] = {0};
	describe_fftw_set_many(request, many, &sizes);
	describe_fftw_set_sizes(request, &sizes);
	if (many->rank < 1 || many->rank > FFT_RANK_MAX)
		return;
	describe_fftw_find_lengths(p, many, false, lengths);
	describe_fftw_set_strides(p, false, lengths, many->istride);
	describe_fftw_find_lengths(p, many, true, lengths);
	describe_fftw_set_strides(p, true, lengths, many->ostride);
}

void describe_fftw_basic(struct fft_request *request, int rank, const int *n, bool reversed)
{
	const struct fft_many many = {.rank = rank,
	                              .n = n,
	                              .howmany = 1,
	                              .istride = 1,
	                              .ostride = 1,
	                              .reversed = reversed};
	describe_fftw_many(request, &many);
}

/* The two functions read a dimension of the form. */
static void describe_fftw_set_dims(struct fft_request *request, int rank, int loops,
                                   const void *form,
                                   struct fft_dim (*read)(const void *form, int index),
                                   struct fft_dim (*read_loop)(const void *form, int index))
{
	struct fft_problem *p = &request->problem;
	struct fft_sizes sizes = {
		.rest = 1, .points = 1, .last = 1, .negative = rank < 0 || loops < 0};
	p->rank = rank;
	p->loops = loops;
	p->howmany = 1;
	for (int l = 0; l < loops; l++) {
		const struct fft_dim loop = read_loop(form, l);
		describe_fftw_add_loop(&sizes, loop.n);
		if (l < FFT_LOOPS_MAX)
			p->loop[l] = loop;
	}
	p->howmany = sizes.rest > INT64_MAX ? INT64_MAX : (int64_t)sizes.rest;
	for (int d = 0; d < rank; d++) {
		const struct fft_dim dim = read(form, d);
		describe_fftw_add_dim(&sizes, dim.n);
		if (d < FFT_RANK_MAX)
			p->dims[d] = dim;
	}
	describe_fftw_set_sizes(request, &sizes);
}

static struct fft_dim describe_fftw_read_guru(const void *dims, int index, bool wide)
{
	if (wide) {
		const int64_t *dim = (const int64_t *)dims + 3 * (ptrdiff_t)index;
		return (struct fft_dim){dim[0], dim[1], dim[2]};
	}
	const int *dim = (const int *)dims + 3 * (ptrdiff_t)index;
	return (struct fft_dim){dim[0], dim[1], dim[2]};
}

static struct fft_dim describe_fftw_read_guru_dim(const void *form, int index)
{
	const struct fft_guru *guru = form;
	return describe_fftw_read_guru(guru->dims, index, guru->wide);
}

static struct fft_dim describe_fftw_read_guru_loop(const void *form, int index)
{
	const struct fft_guru *guru = form;
	return describe_fftw_read_guru(guru->loop_dims, index, guru->wide);
}

void describe_fftw_guru(struct fft_request *request, const struct fft_guru *guru)
{
	describe_fftw_set_dims(request, guru->rank, guru->loops, guru, describe_fftw_read_guru_dim,
	                       describe_fftw_read_guru_loop);
}

static struct fft_dim describe_fftw_read_axes_dim(const void *form, int index)
{
	const struct fft_axes *axes = form;
	return (struct fft_dim){axes->n[index], axes->is[index], axes->os[index]};
}

static struct fft_dim describe_fftw_read_axes_loop(const void *form, int index)
{
	const struct fft_axes *axes = form;
	return (struct fft_dim){axes->loop_n[index], axes->loop_is[index], axes->loop_os[index]};
}

void describe_fftw_axes(struct fft_request *request, const struct fft_axes *axes)
{
	describe_fftw_set_dims(request, axes->rank, axes->loops, axes, describe_fftw_read_axes_dim,
	                       describe_fftw_read_axes_loop);
}

static double describe_fftw_count_flops(const struct fft_problem *p)
{
	double points = 1;
	for (int d = 0; d < p->rank; d++)
		points *= (double)p->dims[d].n;
	if (!(points >= 1))
		return 0;
	const double complex_flops = 5 * points * describe_fftw_log2(points) * (double)p->howmany;
	return p->family == FAMILY_FFT_C2C ? complex_flops : complex_flops / 2;
}

static enum fft_rigour describe_fftw_find_rigour(unsigned flags)
{
	return (flags & FFT_FLAG_ESTIMATE) != 0 ? FFT_ESTIMATED : FFT_MEASURED;
}

/* Of each precision; FFTW-MPI has no quadruple one. */
static const char *const describe_fftw_mpi[ELEMENT_COUNT] = {[ELEMENT_C] = "fftwf_mpi_init",
                                                             [ELEMENT_Z] = "fftw_mpi_init",
                                                             [ELEMENT_L] = "fftwl_mpi_init"};

/* Looks again only where something was loaded since. Two threads at a time find the same. */
static bool describe_fftw_has_mpi(enum element element)
{
	static _Atomic uint64_t looked[ELEMENT_COUNT];
	static atomic_bool found[ELEMENT_COUNT];
	struct loader_changes changes;
	size_t count = 0;
	if (describe_fftw_mpi[element] == NULL || atomic_load(&found[element]))
		return describe_fftw_mpi[element] != NULL;
	loader_count_changes(&changes);
	if (changes.loads == atomic_load(&looked[element]))
		return false;
	if (loader_find_any(describe_fftw_mpi[element], NULL, &count) != NULL)
		atomic_store(&found[element], true);
	atomic_store(&looked[element], changes.loads);
	return atomic_load(&found[element]);
}

/* A plan that was not seen: FFTW-MPI makes its own by FFTW's inner functions. */
static enum reason describe_fftw_name_defect(const struct fft_request *request)
{
	const bool unknown = request->defect == REASON_UNKNOWN_PLAN;
	return unknown && describe_fftw_has_mpi(request->problem.element) ? REASON_MPI_PLAN
	                                                                  : request->defect;
}

void describe_fftw_call(struct call *call, const struct fft_request *request, void *in, void *out,
                        void *plan_key)
{
	const struct fft_problem *problem = &request->problem;
	const bool known = request->defect != REASON_UNKNOWN_PLAN;
	call->family = problem->family;
	call->element = problem->element;
	call->defect = describe_fftw_name_defect(request);
	call->size_bytes = request->size_bytes;
	call->input_bytes = request->input_bytes;
	call->output_bytes = request->output_bytes;
	call->work_flops = known ? describe_fftw_count_flops(problem) : 0;
	call->fft = (struct fft_call){.problem = known ? problem : NULL,
	                              .in = in,
	                              .out = out,
	                              .plan_key = plan_key,
	                              .rigour = describe_fftw_find_rigour(problem->flags)};
}

void describe_fftw_unknown(struct fft_request *request)
{
	const enum family family = request->problem.family;
	const enum element element = request->problem.element;
	*request = (struct fft_request){.problem = {.family = family, .element = element},
	                                .defect = REASON_UNKNOWN_PLAN};
}
