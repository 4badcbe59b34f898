/* gpu_blas.c - BLAS calls by cuBLAS, on tight copies of the operands */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/gpu_blas.h"

#include <limits.h>

#include "shim/execute/gpu/lane_build.h"
#include "shim/execute/gpu/transfer.h"

/* What a call writes, and where it waits until the device confirmed it. */
struct gpu_blas_result {
	struct transfer_area area;
	void *staging;
};

/* alpha or beta as cuBLAS reads it. */
union gpu_blas_scalar {
	float s[2];
	double d[2];
};

typedef int gpu_blas_gemm_function CUDA_GEMM_PARAMETERS(int);
typedef int gpu_blas_gemm_64_function CUDA_GEMM_PARAMETERS(int64_t);

static union gpu_blas_scalar gpu_blas_make_scalar(enum element element, const double value[2])
{
	union gpu_blas_scalar scalar = {.d = {value[0], value[1]}};
	if (element == ELEMENT_S || element == ELEMENT_C) {
		scalar.s[0] = (float)value[0];
		scalar.s[1] = (float)value[1];
	}
	return scalar;
}

/* A column-major matrix: its columns are the rows of the area. */
static struct transfer_area gpu_blas_make_area(const void *host, int64_t rows, int64_t columns, int64_t ld,
                                               enum element element)
{
	const uint64_t size = element_size_bytes(element);
	return (struct transfer_area){(void *)(uintptr_t)host, (uint64_t)rows * size, (uint64_t)columns,
	                              (uint64_t)ld * size};
}

static enum reason gpu_blas_send(struct lane *lane, const struct transfer_area *area, void **device)
{
	const enum reason reason = lanes_take_memory(lane, transfer_size_bytes(area), device);
	return reason == REASON_NONE ? transfer_send(lane, *device, area) : reason;
}

static int gpu_blas_operation(enum transpose transpose)
{
	static const int operation[] = {[TRANSPOSE_N] = CUBLAS_OPERATION_N,
	                                [TRANSPOSE_T] = CUBLAS_OPERATION_T,
	                                [TRANSPOSE_C] = CUBLAS_OPERATION_C};
	return operation[transpose];
}

static gpu_blas_gemm_function *gpu_blas_find_gemm(const struct cuda_api *api, enum element element)
{
	gpu_blas_gemm_function *const function[ELEMENT_COUNT] = {api->sgemm, api->dgemm, api->cgemm, api->zgemm};
	return function[element];
}

static gpu_blas_gemm_64_function *gpu_blas_find_gemm_64(const struct cuda_api *api, enum element element)
{
	gpu_blas_gemm_64_function *const function[ELEMENT_COUNT] = {api->sgemm_64, api->dgemm_64, api->cgemm_64,
	                                                            api->zgemm_64};
	return function[element];
}

static bool gpu_blas_fits_int(const struct gemm_call *gemm)
{
	return gemm->m <= INT_MAX && gemm->n <= INT_MAX && gemm->k <= INT_MAX;
}

/* Leading dimensions on the device are the numbers of rows. */
static enum reason gpu_blas_launch_gemm(struct lane *lane, const struct call *call, const void *a, const void *b,
                                        void *c)
{
	const struct gemm_call *gemm = &call->gemm;
	const union gpu_blas_scalar alpha = gpu_blas_make_scalar(call->element, gemm->alpha);
	const union gpu_blas_scalar beta = gpu_blas_make_scalar(call->element, gemm->beta);
	const int transa = gpu_blas_operation(gemm->transa), transb = gpu_blas_operation(gemm->transb);
	const int64_t m = gemm->m, n = gemm->n, k = gemm->k;
	const int64_t lda = gemm->transa == TRANSPOSE_N ? m : k, ldb = gemm->transb == TRANSPOSE_N ? k : n;
	int status;
	if (gpu_blas_fits_int(gemm))
		status = gpu_blas_find_gemm(lane->api, call->element)(lane->blas, transa, transb, (int)m, (int)n,
		                                                      (int)k, &alpha, a, (int)lda, b, (int)ldb, &beta,
		                                                      c, (int)m);
	else
		status = gpu_blas_find_gemm_64(lane->api, call->element)(lane->blas, transa, transb, m, n, k, &alpha, a,
		                                                         lda, b, ldb, &beta, c, m);
	return status == CUBLAS_SUCCESS ? REASON_NONE : REASON_LIBRARY_FAILED;
}

/* The quick returns of BLAS are not for the device: A and B must not be read, or there is nothing to do. */
static enum reason gpu_blas_check_gemm(const struct lane *lane, const struct call *call)
{
	const struct gemm_call *gemm = &call->gemm;
	if (gemm->m <= 0 || gemm->n <= 0 || gemm->k <= 0 || (gemm->alpha[0] == 0 && gemm->alpha[1] == 0))
		return REASON_LIBRARY_FAILED;
	if (!gpu_blas_fits_int(gemm) && gpu_blas_find_gemm_64(lane->api, call->element) == NULL)
		return REASON_LIBRARY_FAILED;
	return REASON_NONE;
}

static bool gpu_blas_same_area(const struct transfer_area *a, const struct transfer_area *b)
{
	return a->host == b->host && a->row_bytes == b->row_bytes && a->rows == b->rows &&
	       a->pitch_bytes == b->pitch_bytes;
}

/* C goes up only if it is read: with beta = 0 it may be uninitialised. */
static enum reason gpu_blas_send_gemm(struct lane *lane, const struct call *call, const struct transfer_area *c_area,
                                      void *device[3])
{
	const struct gemm_call *gemm = &call->gemm;
	const bool plain_a = gemm->transa == TRANSPOSE_N, plain_b = gemm->transb == TRANSPOSE_N;
	const struct transfer_area a_area = gpu_blas_make_area(gemm->a, plain_a ? gemm->m : gemm->k,
	                                                       plain_a ? gemm->k : gemm->m, gemm->lda, call->element);
	const struct transfer_area b_area = gpu_blas_make_area(gemm->b, plain_b ? gemm->k : gemm->n,
	                                                       plain_b ? gemm->n : gemm->k, gemm->ldb, call->element);
	enum reason reason = gpu_blas_send(lane, &a_area, &device[0]);
	if (reason != REASON_NONE)
		return reason;
	device[1] = device[0];
	if (!gpu_blas_same_area(&a_area, &b_area))
		reason = gpu_blas_send(lane, &b_area, &device[1]);
	if (reason != REASON_NONE)
		return reason;
	if (gemm->beta[0] != 0 || gemm->beta[1] != 0)
		return gpu_blas_send(lane, c_area, &device[2]);
	return lanes_take_memory(lane, transfer_size_bytes(c_area), &device[2]);
}

static enum reason gpu_blas_queue_gemm(struct lane *lane, const struct call *call, struct gpu_blas_result *result)
{
	const struct gemm_call *gemm = &call->gemm;
	void *device[3];
	enum reason reason = gpu_blas_check_gemm(lane, call);
	if (reason != REASON_NONE)
		return reason;
	result->area = gpu_blas_make_area(gemm->c, gemm->m, gemm->n, gemm->ldc, call->element);
	result->staging = lanes_take_staging(lane, transfer_size_bytes(&result->area));
	if (result->staging == NULL)
		return REASON_HOST_MEMORY;
	reason = gpu_blas_send_gemm(lane, call, &result->area, device);
	if (reason == REASON_NONE)
		reason = gpu_blas_launch_gemm(lane, call, device[0], device[1], device[2]);
	if (reason == REASON_NONE)
		reason = transfer_receive(lane, result->staging, device[2], transfer_size_bytes(&result->area));
	return reason;
}

/* One row per family: queues everything, the result's way to staging included. */
static enum reason (*const gpu_blas_queue[FAMILY_COUNT])(struct lane *, const struct call *,
                                                         struct gpu_blas_result *) = {
	[FAMILY_GEMM] = gpu_blas_queue_gemm,
};

enum reason gpu_blas_run(const struct call *call, int device)
{
	struct lane *lane;
	struct gpu_blas_result result = {.staging = NULL};
	if (gpu_blas_queue[call->family] == NULL)
		return REASON_LIBRARY_FAILED;
	enum reason reason = lanes_take(device, &lane);
	if (reason != REASON_NONE)
		return reason;
	reason = lane_build_pin_math(lane, call->element);
	if (reason == REASON_NONE)
		reason = gpu_blas_queue[call->family](lane, call, &result);
	reason = lanes_finish(lane, reason);
	if (reason == REASON_NONE)
		transfer_commit(&result.area, result.staging);
	lanes_give(lane);
	return reason;
}
