/* sim_cublas_gemm.c - exported: the gemm routines, from the check of the arguments to the kernel */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "sim_cublas_handle.h"
#include "sim_gemm.h"

enum { OP_N, OP_T, OP_C };

/* A gemm call as the program made it; the kernel's arguments too. */
struct gemm_call {
	char element;
	int transa, transb;
	int64_t m, n, k, lda, ldb, ldc;
	const void *alpha, *beta, *a, *b;
	void *c;
	bool device_scalars, tf32;
	double scalars[4]; /* alpha and beta as they were at the call, in host pointer mode */
};

/* Also the alignment: a complex element is loaded in one piece. */
static size_t element_bytes(char element)
{
	return element == 'S' ? 4 : element == 'Z' ? 16 : 8;
}

static bool gemm_is_valid(const struct gemm_call *g)
{
	int64_t a_rows = g->transa == OP_N ? g->m : g->k, b_rows = g->transb == OP_N ? g->k : g->n;
	bool ops = g->transa >= OP_N && g->transa <= OP_C && g->transb >= OP_N && g->transb <= OP_C;
	bool sizes = g->m >= 0 && g->n >= 0 && g->k >= 0;
	return ops && sizes && g->lda >= 1 && g->lda >= a_rows && g->ldb >= 1 && g->ldb >= b_rows && g->ldc >= 1 &&
	       g->ldc >= g->m && g->alpha && g->beta && (g->c || !g->m || !g->n);
}

/* The engine's view of a rows x columns matrix; nothing to see when it is empty. */
static void *matrix_view(const struct gemm_call *g, const void *matrix, int64_t rows, int64_t columns, int64_t ld,
                         int *error)
{
	static char nothing;
	if (!rows || !columns)
		return &nothing;
	size_t elements = (size_t)ld * (size_t)(columns - 1) + (size_t)rows;
	return simcuda_view(matrix, elements * element_bytes(g->element), element_bytes(g->element), error);
}

static struct sim_operand operand(const void *view, int transposition, int64_t ld)
{
	if (transposition == OP_N)
		return (struct sim_operand){view, 1, (ptrdiff_t)ld, false};
	return (struct sim_operand){view, (ptrdiff_t)ld, 1, transposition == OP_C};
}

static void gemm_ruin(const struct gemm_call *g, char *c)
{
	size_t element = element_bytes(g->element);
	for (int64_t j = 0; j < g->n; j++)
		simcuda_poison(c + (size_t)j * (size_t)g->ldc * element, (size_t)g->m * element);
}

static int gemm_compute(const struct gemm_call *g, const void *a, const void *b, void *c, const void *alpha,
                        const void *beta)
{
	struct sim_gemm work = {.element = g->element,
	                        .m = (size_t)g->m,
	                        .n = (size_t)g->n,
	                        .k = (size_t)g->k,
	                        .a = operand(a, g->transa, g->lda),
	                        .b = operand(b, g->transb, g->ldb),
	                        .alpha = alpha,
	                        .beta = beta,
	                        .c = c,
	                        .ldc = (size_t)g->ldc,
	                        .tf32 = g->tf32};
	return sim_gemm_compute(&work) ? 0 : SIM_cudaErrorLaunchFailure;
}

static int gemm_run(void *arguments, int intact)
{
	const struct gemm_call *g = arguments;
	bool a_plain = g->transa == OP_N, b_plain = g->transb == OP_N;
	size_t element = element_bytes(g->element);
	int error = 0;
	const void *a = matrix_view(g, g->a, a_plain ? g->m : g->k, a_plain ? g->k : g->m, g->lda, &error);
	const void *b = matrix_view(g, g->b, b_plain ? g->k : g->n, b_plain ? g->n : g->k, g->ldb, &error);
	void *c = matrix_view(g, g->c, g->m, g->n, g->ldc, &error);
	const void *alpha = &g->scalars[0], *beta = &g->scalars[2];
	if (g->device_scalars) {
		alpha = simcuda_view(g->alpha, element, element, &error);
		beta = simcuda_view(g->beta, element, element, &error);
	}
	if (error)
		return error;
	error = gemm_compute(g, a, b, c, alpha, beta);
	if (!intact)
		gemm_ruin(g, c);
	return error;
}

static int gemm_launch(const struct sim_cublas_handle *handle, const struct gemm_call *g)
{
	struct gemm_call *arguments = malloc(sizeof *arguments);
	double flops =
		(g->element == 'S' || g->element == 'D' ? 2.0 : 8.0) * (double)g->m * (double)g->n * (double)g->k;
	if (!arguments)
		return SIM_CUBLAS_STATUS_ALLOC_FAILED;
	*arguments = *g;
	struct simcuda_kernel kernel = {gemm_run, arguments, handle->workspace, handle->workspace_bytes, flops};
	return simcuda_launch(handle->stream, &kernel) ? SIM_CUBLAS_STATUS_EXECUTION_FAILED : 0;
}

static int gemm_submit(int call, void *handle, struct gemm_call *g)
{
	struct sim_cublas_handle state;
	int status = sim_cublas_open(call, handle, &state);
	if (status)
		return status;
	if (!gemm_is_valid(g))
		return SIM_CUBLAS_STATUS_INVALID_VALUE;
	if (simcuda_guard(SIMCUDA_NEEDS_CONTEXT) || state.device != simcuda_device())
		return SIM_CUBLAS_STATUS_EXECUTION_FAILED;
	if (!g->m || !g->n)
		return 0;
	g->device_scalars = state.device_scalars;
	g->tf32 = (state.math_mode & ~16) == SIM_MATH_TF32 && simcuda_capability() >= 80;
	if (!g->device_scalars) {
		memcpy(&g->scalars[0], g->alpha, element_bytes(g->element));
		memcpy(&g->scalars[2], g->beta, element_bytes(g->element));
	}
	return gemm_launch(&state, g);
}

/* One exported function per row; _64 is the same with wide integers. */
#define GEMM(name, element, integer)                                                                                   \
	int name(SIM_GEMM_PARAMETERS(integer))                                                                         \
	{                                                                                                              \
		struct gemm_call g = {                                                                                 \
			element, transa, transb, m, n, k, lda, ldb, ldc, alpha, beta, a, b, c, 0, 0, {0}};             \
		return gemm_submit(SIM_CALL_##name, handle, &g);                                                       \
	}

GEMM(cublasSgemm_v2, 'S', int)
GEMM(cublasDgemm_v2, 'D', int)
GEMM(cublasCgemm_v2, 'C', int)
GEMM(cublasZgemm_v2, 'Z', int)
#if SIMCUDA_MAJOR >= 12
GEMM(cublasSgemm_v2_64, 'S', int64_t)
GEMM(cublasDgemm_v2_64, 'D', int64_t)
GEMM(cublasCgemm_v2_64, 'C', int64_t)
GEMM(cublasZgemm_v2_64, 'Z', int64_t)
#endif
