/* sim_cublas_call.c - checks, queues and runs the level-3 calls of all shapes */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_cublas_call.h"

#include <stdlib.h>
#include <string.h>

#include "sim_cublas_handle.h"

static bool flag_is_valid(int value, int last)
{
	return value >= 0 && value <= last;
}

static bool is_complex(const struct sim_cublas_call *c)
{
	return c->work.element == 'C' || c->work.element == 'Z';
}

static bool transposition_is_valid(const struct sim_cublas_call *c, int value)
{
	return flag_is_valid(value, SIM_TRANS_C) &&
	       (!is_complex(c) || c->routine->transpositions >> value & 1);
}

static bool ld_is_valid(int64_t ld, int64_t rows)
{
	return ld >= 1 && ld >= rows;
}

static bool call_is_valid(const struct sim_cublas_call *c)
{
	const struct sim_level3 *w = &c->work;
	bool flags = flag_is_valid(w->side, SIM_SIDE_RIGHT) &&
	             flag_is_valid(w->uplo, SIM_UPLO_UPPER) &&
	             flag_is_valid(w->diag, SIM_DIAG_UNIT) &&
	             transposition_is_valid(c, w->transa) && transposition_is_valid(c, w->transb);
	bool sizes = w->m >= 0 && w->n >= 0 && w->k >= 0 && c->batch >= 0;
	return flags && sizes && ld_is_valid(w->lda, c->a_rows) && ld_is_valid(w->ldb, c->b_rows) &&
	       ld_is_valid(w->ldc, w->m) && w->alpha && (w->beta || !c->routine->has_beta) &&
	       (w->c || !w->m || !w->n || !c->batch);
}

/* The engine's view of a rows x columns matrix of a batch. NULL when the matrix is empty. */
static void *matrix_view(char element, const void *matrix, int64_t offset, int64_t rows,
                         int64_t columns, int64_t ld, int *error)
{
	static char nothing;
	size_t bytes = sim_level3_element_bytes(element);
	if (!rows || !columns)
		return &nothing;
	const char *first = (const char *)matrix + offset * (int64_t)bytes;
	return simcuda_view(first, ((size_t)ld * (size_t)(columns - 1) + (size_t)rows) * bytes,
	                    bytes, error);
}

static size_t scalar_bytes(const struct sim_cublas_call *c, bool is_real)
{
	return sim_level3_element_bytes(c->work.element) / (is_real ? 2 : 1);
}

/* Scalars in host memory were copied at the call; scalars in device memory are read now. */
static const void *scalar_view(const struct sim_cublas_call *c, const void *kept,
                               const void *scalar, bool is_real, int *error)
{
	size_t bytes = scalar_bytes(c, is_real);
	return c->device_scalars ? simcuda_view(scalar, bytes, bytes, error) : kept;
}

/*
 * Whether two rows x columns matrices share an element. The second begins `offset` elements later.
 */
static bool matrices_overlap(int64_t rows, int64_t columns, int64_t ld, int64_t offset,
                             int64_t second_ld)
{
	for (int64_t j = 0; j < columns && offset < ld * columns; j++, offset += second_ld) {
		int64_t column = offset / ld, row = offset % ld;
		if ((column < columns && row < rows) || (column + 1 < columns && ld - row < rows))
			return true;
	}
	return false;
}

static bool batch_overlaps(const struct sim_cublas_call *c)
{
	const struct sim_level3 *w = &c->work;
	long long stride = c->stride_c < 0 ? -c->stride_c : c->stride_c;
	for (int64_t i = 1; i < c->batch && i * stride < w->ldc * w->n; i++)
		if (matrices_overlap(w->m, w->n, w->ldc, i * stride, w->ldc))
			return true;
	return false;
}

/*
 * Whether a result overlaps another result, or an operand that is still read: its value is
 * undefined.
 */
static bool call_collides(const struct sim_cublas_call *c)
{
	const struct sim_level3 *w = &c->work;
	int64_t bytes = (int64_t)sim_level3_element_bytes(w->element);
	int64_t offset = ((int64_t)(uintptr_t)w->c - (int64_t)(uintptr_t)w->b) / bytes;
	if (!c->routine->b_may_be_c)
		return batch_overlaps(c);
	if (!offset && w->ldb == w->ldc)
		return false;
	return offset < 0 ? matrices_overlap(w->m, w->n, w->ldc, -offset, w->ldb)
	                  : matrices_overlap(w->m, w->n, w->ldb, offset, w->ldc);
}

/* Poisons the elements that the routine would have written, and no others. */
static void call_ruin(const struct sim_cublas_call *c, char *result)
{
	const struct sim_level3 *w = &c->work;
	size_t bytes = sim_level3_element_bytes(w->element);
	for (int64_t j = 0; j < w->n; j++) {
		int64_t first = c->routine->triangle && w->uplo == SIM_UPLO_LOWER ? j : 0;
		int64_t end = c->routine->triangle && w->uplo == SIM_UPLO_UPPER ? j + 1 : w->m;
		simcuda_poison(result + (size_t)(first + j * w->ldc) * bytes,
		               (size_t)(end - first) * bytes);
	}
}

/* Computes one problem of the batch into `work`, whose scalars are in host memory already. */
static int call_run_one(const struct sim_cublas_call *c, struct sim_level3 *work, int64_t index,
                        bool garbage)
{
	const struct sim_level3 *w = &c->work;
	bool idle = c->routine->zero_alpha_skips && sim_level3_is_zero(w->element, work->alpha);
	int error = 0;
	work->c = matrix_view(w->element, w->c, index * c->stride_c, w->m, w->n, w->ldc, &error);
	if (!idle) {
		work->a = matrix_view(w->element, w->a, index * c->stride_a, c->a_rows,
		                      c->a_columns, w->lda, &error);
		work->b = matrix_view(w->element, w->b, index * c->stride_b, c->b_rows,
		                      c->b_columns, w->ldb, &error);
	}
	if (error)
		return error;
	if (!c->routine->compute(work))
		error = SIM_cudaErrorLaunchFailure;
	if (garbage)
		call_ruin(c, work->c);
	return error;
}

static int call_run(void *arguments, int intact)
{
	const struct sim_cublas_call *c = arguments;
	struct sim_level3 work = c->work;
	int error = 0;
	work.alpha = scalar_view(c, &c->scalars[0], c->work.alpha, c->routine->real_alpha, &error);
	if (c->routine->has_beta)
		work.beta =
			scalar_view(c, &c->scalars[2], c->work.beta, c->routine->real_beta, &error);
	bool garbage = !intact || call_collides(c);
	for (int64_t i = 0; i < c->batch && !error; i++)
		error = call_run_one(c, &work, i, garbage);
	return error;
}

/*
 * The memory of one operand of the whole batch. With gaps between strided operands: the whole
 * extent.
 */
static struct simcuda_area call_area(const struct sim_cublas_call *c, const void *matrix,
                                     long long stride, int64_t rows, int64_t columns, int64_t ld)
{
	size_t bytes = sim_level3_element_bytes(c->work.element);
	int64_t steps = stride ? c->batch - 1 : 0;
	if (!matrix || rows <= 0 || columns <= 0)
		return (struct simcuda_area){0};
	if (steps && stride == ld * columns)
		columns *= c->batch;
	else if (steps) {
		const char *first =
			(const char *)matrix + (stride < 0 ? steps * stride * (int64_t)bytes : 0);
		int64_t extent =
			steps * (stride < 0 ? -stride : stride) + ld * (columns - 1) + rows;
		return (struct simcuda_area){first, (size_t)extent * bytes, (size_t)extent * bytes,
		                             1};
	}
	return (struct simcuda_area){matrix, (size_t)ld * bytes, (size_t)rows * bytes,
	                             (size_t)columns};
}

static bool call_reads_result(const struct sim_cublas_call *c)
{
	if (c->routine->has_beta)
		return c->device_scalars || !sim_level3_is_zero(c->work.element, &c->scalars[2]);
	return !c->b_columns;
}

static void call_describe(const struct sim_cublas_call *c, struct simcuda_kernel *kernel)
{
	const struct sim_level3 *w = &c->work;
	bool idle = c->routine->zero_alpha_skips && !c->device_scalars &&
	            sim_level3_is_zero(w->element, &c->scalars[0]);
	kernel->result =
		(struct simcuda_result){.element = w->element,
	                                .rows = (double)w->m,
	                                .columns = (double)w->n,
	                                .count = (double)c->batch,
	                                .triangle = c->routine->triangle,
	                                .serial_rows = c->routine->serial ? (double)c->a_rows : 0};
	kernel->written = call_area(c, w->c, c->stride_c, w->m, w->n, w->ldc);
	if (!idle) {
		kernel->reads[0] = call_area(c, w->a, c->stride_a, c->a_rows, c->a_columns, w->lda);
		kernel->reads[1] = call_area(c, w->b, c->stride_b, c->b_rows, c->b_columns, w->ldb);
	}
	if (!idle && call_reads_result(c))
		kernel->reads[2] = kernel->written;
}

/* The leading term; exact for triangular results, of which all elements cost the same. */
static double call_count_flops(const struct sim_cublas_call *c)
{
	const struct sim_level3 *w = &c->work;
	double columns = (double)w->n + (c->routine->triangle ? 1 : 0);
	double flops = c->routine->flops * (double)w->m * columns * (double)w->k * (double)c->batch;
	return is_complex(c) ? 4 * flops : flops;
}

static int64_t call_smallest_size(const struct sim_cublas_call *c)
{
	const struct sim_level3 *w = &c->work;
	int64_t least = w->m < w->n ? w->m : w->n;
	return least < w->k ? least : w->k;
}

static int call_launch(const struct sim_cublas_handle *handle, int call,
                       const struct sim_cublas_call *c)
{
	struct sim_cublas_call *arguments = malloc(sizeof *arguments);
	if (!arguments)
		return SIM_CUBLAS_STATUS_ALLOC_FAILED;
	*arguments = *c;
	struct simcuda_kernel kernel = {.run = call_run,
	                                .arguments = arguments,
	                                .workspace = handle->workspace,
	                                .workspace_bytes = handle->workspace_bytes,
	                                .work_flops = call_count_flops(c),
	                                .call = call};
	call_describe(c, &kernel);
	return simcuda_launch(handle->stream, &kernel) ? SIM_CUBLAS_STATUS_EXECUTION_FAILED : 0;
}

int sim_cublas_submit(int call, void *handle, struct sim_cublas_call *c)
{
	struct sim_cublas_handle state;
	int status = sim_cublas_open(call, handle, &state);
	if (status)
		return status;
	if (!call_is_valid(c))
		return SIM_CUBLAS_STATUS_INVALID_VALUE;
	if (simcuda_capability() < c->routine->oldest_capability)
		return SIM_CUBLAS_STATUS_ARCH_MISMATCH;
	if (simcuda_guard(SIMCUDA_NEEDS_CONTEXT) || state.context != simcuda_context())
		return SIM_CUBLAS_STATUS_EXECUTION_FAILED;
	if (!c->work.m || !c->work.n || !c->batch)
		return 0;
	c->work.hermitian = c->routine->hermitian;
	c->work.digits = sim_cublas_digits(&state, c->work.element, call_smallest_size(c));
	sim_cublas_note_math(&state, c->work.element);
	c->device_scalars = state.device_scalars;
	if (!c->device_scalars) {
		memcpy(&c->scalars[0], c->work.alpha, scalar_bytes(c, c->routine->real_alpha));
		if (c->routine->has_beta)
			memcpy(&c->scalars[2], c->work.beta,
			       scalar_bytes(c, c->routine->real_beta));
	}
	return call_launch(&state, call, c);
}
