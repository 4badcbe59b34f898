/* sim_cublas_geam.c - exported: geam, sums and transposes of whole matrices */
/* SPDX-License-Identifier: Apache-2.0 */
#include <complex.h>
#include <stdlib.h>

#include "sim_cublas_handle.h"
#include "sim_level3.h"

/* One of the two operands; without a factor it is not read. */
struct geam_side {
	int trans;
	int64_t ld;
	const void *data, *factor;
	double complex kept; /* the factor as it was at the call, in host pointer mode */
};

/* The arguments of the kernel: C := alpha op(A) + beta op(B) of m x n. */
struct geam_call {
	char element;
	int64_t m, n, ldc;
	struct geam_side a, b;
	void *c;
	bool device_scalars;
};

static double complex element_get(char element, const void *from)
{
	switch (element) {
	case 'S': return (double)*(const float *)from;
	case 'D': return *(const double *)from;
	case 'C': return *(const float complex *)from;
	default: return *(const double complex *)from;
	}
}

static void element_put(char element, void *to, double complex value)
{
	switch (element) {
	case 'S': *(float *)to = (float)creal(value); break;
	case 'D': *(double *)to = creal(value); break;
	case 'C': *(float complex *)to = (float complex)value; break;
	default: *(double complex *)to = value; break;
	}
}

/* Rows and columns of an operand before its transposition. */
static int64_t side_rows(const struct geam_call *c, const struct geam_side *s)
{
	return s->trans == SIM_TRANS_N ? c->m : c->n;
}

static int64_t side_columns(const struct geam_call *c, const struct geam_side *s)
{
	return s->trans == SIM_TRANS_N ? c->n : c->m;
}

static struct simcuda_area side_area(const struct geam_call *c, const void *data, int64_t rows,
                                     int64_t columns, int64_t ld)
{
	const size_t bytes = sim_level3_element_bytes(c->element);
	return (struct simcuda_area){data, (size_t)ld * bytes, (size_t)rows * bytes,
	                             data ? (size_t)columns : 0};
}

static void *area_view(const struct simcuda_area *area, size_t align, int *error)
{
	return simcuda_view(area->first, area->pitch * (area->height - 1) + area->width, align,
	                    error);
}

/* Replaces the program's pointers by the engine's, and reads the factor. */
static int side_open(const struct geam_call *c, struct geam_side *s)
{
	const size_t bytes = sim_level3_element_bytes(c->element);
	int error = 0;
	if (c->device_scalars) {
		const void *factor = simcuda_view(s->factor, bytes, bytes, &error);
		if (!factor)
			return error;
		s->kept = element_get(c->element, factor);
	}
	const struct simcuda_area area =
		side_area(c, s->data, side_rows(c, s), side_columns(c, s), s->ld);
	if (s->kept != 0)
		s->data = area_view(&area, bytes, &error);
	return error;
}

static double complex side_term(const struct geam_call *c, const struct geam_side *s, int64_t i,
                                int64_t j)
{
	const int64_t at = s->trans == SIM_TRANS_N ? i + j * s->ld : j + i * s->ld;
	if (s->kept == 0)
		return 0;
	const double complex value =
		element_get(c->element, (const char *)s->data +
	                                        (size_t)at * sim_level3_element_bytes(c->element));
	return s->kept * (s->trans == SIM_TRANS_C ? conj(value) : value);
}

static void geam_compute(const struct geam_call *c, char *to)
{
	const size_t bytes = sim_level3_element_bytes(c->element);
	for (int64_t j = 0; j < c->n; j++)
		for (int64_t i = 0; i < c->m; i++)
			element_put(c->element, to + (size_t)(i + j * c->ldc) * bytes,
			            side_term(c, &c->a, i, j) + side_term(c, &c->b, i, j));
}

static int geam_run(void *arguments, int intact)
{
	struct geam_call c = *(const struct geam_call *)arguments;
	const struct simcuda_area area = side_area(&c, c.c, c.m, c.n, c.ldc);
	const size_t bytes = sim_level3_element_bytes(c.element);
	int error = side_open(&c, &c.a);
	if (!error)
		error = side_open(&c, &c.b);
	char *to = error ? NULL : area_view(&area, bytes, &error);
	if (!to)
		return error;
	geam_compute(&c, to);
	for (int64_t j = 0; j < c.n && !intact; j++)
		simcuda_poison(to + (size_t)(j * c.ldc) * bytes, area.width);
	return 0;
}

/* C may be an operand that is not transposed, with its leading dimension; else apart from both. */
static bool side_is_valid(const struct geam_call *c, const struct geam_side *s)
{
	if (s->trans < SIM_TRANS_N || s->trans > SIM_TRANS_C || !s->factor)
		return false;
	if (s->ld < 1 || s->ld < side_rows(c, s))
		return false;
	return s->data != c->c || !c->c || (s->trans == SIM_TRANS_N && s->ld == c->ldc);
}

static bool geam_is_valid(const struct geam_call *c)
{
	return c->m >= 0 && c->n >= 0 && c->ldc >= 1 && c->ldc >= c->m && side_is_valid(c, &c->a) &&
	       side_is_valid(c, &c->b) && (c->c || !c->m || !c->n);
}

static int geam_launch(const struct sim_cublas_handle *state, int call, const struct geam_call *c)
{
	struct geam_call *arguments = malloc(sizeof *arguments);
	if (!arguments)
		return SIM_CUBLAS_STATUS_ALLOC_FAILED;
	*arguments = *c;
	const struct geam_side *a = &c->a, *b = &c->b;
	const double elements = (double)c->m * (double)c->n;
	struct simcuda_kernel kernel = {.run = geam_run,
	                                .arguments = arguments,
	                                .workspace = state->workspace,
	                                .workspace_bytes = state->workspace_bytes,
	                                .work_flops = 3 * elements,
	                                .moved_bytes = 3 * elements *
	                                               (double)sim_level3_element_bytes(c->element),
	                                .call = call,
	                                .written = side_area(c, c->c, c->m, c->n, c->ldc)};
	if (c->device_scalars || a->kept != 0)
		kernel.reads[0] = side_area(c, a->data, side_rows(c, a), side_columns(c, a), a->ld);
	if (c->device_scalars || b->kept != 0)
		kernel.reads[1] = side_area(c, b->data, side_rows(c, b), side_columns(c, b), b->ld);
	return simcuda_launch(state->stream, &kernel) ? SIM_CUBLAS_STATUS_EXECUTION_FAILED : 0;
}

static int geam_submit(int call, void *handle, struct geam_call c)
{
	struct sim_cublas_handle state;
	int status = sim_cublas_open(call, handle, &state);
	if (status)
		return status;
	if (!geam_is_valid(&c))
		return SIM_CUBLAS_STATUS_INVALID_VALUE;
	if (simcuda_guard(SIMCUDA_NEEDS_CONTEXT) || state.context != simcuda_context())
		return SIM_CUBLAS_STATUS_EXECUTION_FAILED;
	if (!c.m || !c.n)
		return 0;
	c.device_scalars = state.device_scalars;
	if (!c.device_scalars) {
		c.a.kept = element_get(c.element, c.a.factor);
		c.b.kept = element_get(c.element, c.b.factor);
	}
	return geam_launch(&state, call, &c);
}

#define GEAM(letter)                                                                               \
	(struct geam_call)                                                                         \
	{                                                                                          \
		.element = (letter), .m = m, .n = n, .ldc = ldc,                                   \
		.a = {.trans = transa, .ld = lda, .data = a, .factor = alpha},                     \
		.b = {.trans = transb, .ld = ldb, .data = b, .factor = beta}, .c = c               \
	}
#define DEFINE(name, letter, integer)                                                              \
	int name(SIM_PARAMETERS_geam(integer))                                                     \
	{                                                                                          \
		return geam_submit(SIM_CALL_##name, handle, GEAM(letter));                         \
	}

DEFINE(cublasSgeam, 'S', int)
DEFINE(cublasDgeam, 'D', int)
DEFINE(cublasCgeam, 'C', int)
DEFINE(cublasZgeam, 'Z', int)
#if SIMCUDA_MAJOR >= 12
DEFINE(cublasSgeam_64, 'S', int64_t)
DEFINE(cublasDgeam_64, 'D', int64_t)
DEFINE(cublasCgeam_64, 'C', int64_t)
DEFINE(cublasZgeam_64, 'Z', int64_t)
#endif
