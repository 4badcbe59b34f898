/* gpu_launch.c - one call of cuBLAS: the function and its arguments */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/device/gpu_launch.h"

#include <limits.h>
#include <stdatomic.h>
#include <string.h>

#include "shim/base/one_off.h"

/* Offsets in struct cuda_api; 0, the offset of another function, means none. */
struct gpu_launch_row {
	size_t narrow, wide;
};

#define ROW(function)                                                                              \
	{                                                                                          \
		offsetof(struct cuda_api, function), offsetof(struct cuda_api, function##_64)      \
	}
static const struct gpu_launch_row gpu_launch_rows[FAMILY_COUNT][ELEMENT_COUNT] = {
	[FAMILY_GEMM] = {ROW(sgemm), ROW(dgemm), ROW(cgemm), ROW(zgemm)},
	[FAMILY_GEMM3M] = {[ELEMENT_C] = ROW(cgemm3m), [ELEMENT_Z] = ROW(zgemm3m)},
	[FAMILY_GEMM_BATCH_STRIDED] = {ROW(sgemm_strided), ROW(dgemm_strided), ROW(cgemm_strided),
                                       ROW(zgemm_strided)},
	[FAMILY_SYMM] = {ROW(ssymm), ROW(dsymm), ROW(csymm), ROW(zsymm)},
	[FAMILY_HEMM] = {[ELEMENT_C] = ROW(chemm), [ELEMENT_Z] = ROW(zhemm)},
	[FAMILY_SYRK] = {ROW(ssyrk), ROW(dsyrk), ROW(csyrk), ROW(zsyrk)},
	[FAMILY_HERK] = {[ELEMENT_C] = ROW(cherk), [ELEMENT_Z] = ROW(zherk)},
	[FAMILY_SYR2K] = {ROW(ssyr2k), ROW(dsyr2k), ROW(csyr2k), ROW(zsyr2k)},
	[FAMILY_HER2K] = {[ELEMENT_C] = ROW(cher2k), [ELEMENT_Z] = ROW(zher2k)},
	[FAMILY_TRMM] = {ROW(strmm), ROW(dtrmm), ROW(ctrmm), ROW(ztrmm)},
	[FAMILY_TRSM] = {ROW(strsm), ROW(dtrsm), ROW(ctrsm), ROW(ztrsm)},
};
#undef ROW

/*
 * alpha or beta in the precision that cuBLAS reads; where it takes a real scalar it reads the first
 * part.
 */
union gpu_launch_scalar {
	float s[2];
	double d[2];
};

/* A launch in cuBLAS's terms. */
struct gpu_launch_call {
	void *handle;
	void (*code)(void);
	bool wide;
	int side, uplo, transa, transb, diag;
	union gpu_launch_scalar alpha, beta;
};

static int64_t gpu_launch_largest = INT_MAX;
static bool gpu_launch_uses_wide = true;

void gpu_launch_set_limit(int64_t largest, bool wide)
{
	gpu_launch_largest = largest;
	gpu_launch_uses_wide = wide;
}

bool gpu_launch_fits(int64_t size)
{
	return size <= gpu_launch_largest;
}

static void (*gpu_launch_find(const struct cuda_api *api, size_t offset))(void)
{
	void (*code)(void) = NULL;
	if (offset != 0)
		memcpy(&code, (const char *)api + offset, sizeof code);
	return code;
}

bool gpu_launch_has(const struct cuda_api *api, enum family family, enum element element)
{
	return gpu_launch_find(api, gpu_launch_rows[family][element].narrow) != NULL;
}

bool gpu_launch_has_wide(const struct cuda_api *api, enum family family, enum element element)
{
	return gpu_launch_uses_wide &&
	       gpu_launch_find(api, gpu_launch_rows[family][element].wide) != NULL;
}

static union gpu_launch_scalar gpu_launch_make_scalar(enum element element, const double value[2])
{
	union gpu_launch_scalar scalar = {.d = {value[0], value[1]}};
	if (element == ELEMENT_S || element == ELEMENT_C) {
		scalar.s[0] = (float)value[0];
		scalar.s[1] = (float)value[1];
	}
	return scalar;
}

/* Real types: pass T for C, because some cuBLAS functions reject C. */
static int gpu_launch_operation(enum element element, enum transpose transpose)
{
	if (transpose == TRANSPOSE_N)
		return CUBLAS_OPERATION_N;
	return transpose == TRANSPOSE_C && element_is_complex(element) ? CUBLAS_OPERATION_C
	                                                               : CUBLAS_OPERATION_T;
}

static bool gpu_launch_is_narrow(const struct gpu_launch *launch)
{
	const struct blas_call *b = &launch->blas;
	return gpu_launch_fits(b->m) && gpu_launch_fits(b->n) && gpu_launch_fits(b->k) &&
	       gpu_launch_fits(b->lda) && gpu_launch_fits(b->ldb) && gpu_launch_fits(b->ldc) &&
	       gpu_launch_fits(launch->count);
}

static struct gpu_launch_call gpu_launch_prepare(const struct lane *lane,
                                                 const struct gpu_launch *launch)
{
	const struct blas_call *b = &launch->blas;
	const struct gpu_launch_row *row = &gpu_launch_rows[launch->family][launch->element];
	const bool wide = !gpu_launch_is_narrow(launch);
	return (struct gpu_launch_call){
		.handle = lane->blas,
		.code = gpu_launch_find(lane->api, wide ? row->wide : row->narrow),
		.wide = wide,
		.side = b->side == SIDE_LEFT ? CUBLAS_ON_LEFT : CUBLAS_ON_RIGHT,
		.uplo = b->uplo == UPLO_UPPER ? CUBLAS_TRIANGLE_UPPER : CUBLAS_TRIANGLE_LOWER,
		.transa = gpu_launch_operation(launch->element, b->transa),
		.transb = gpu_launch_operation(launch->element, b->transb),
		.diag = b->diag == DIAG_UNIT ? CUBLAS_DIAGONAL_ONES : CUBLAS_DIAGONAL_STORED,
		.alpha = gpu_launch_make_scalar(launch->element, b->alpha),
		.beta = gpu_launch_make_scalar(launch->element, b->beta),
	};
}

/* Calls the function with int or int64_t sizes: sizes that fit an int are converted implicitly. */
#define GPU_LAUNCH(call, shape, ...)                                                               \
	((call)->wide ? ((int(*) CUDA_##shape##_PARAMETERS(int64_t))(call)->code)((call)->handle,  \
	                                                                          __VA_ARGS__)     \
	              : ((int(*) CUDA_##shape##_PARAMETERS(int))(call)->code)((call)->handle,      \
	                                                                      __VA_ARGS__))

static int gpu_launch_gemm(const struct gpu_launch_call *call, const struct gpu_launch *launch)
{
	const struct blas_call *b = &launch->blas;
	return GPU_LAUNCH(call, GEMM, call->transa, call->transb, b->m, b->n, b->k, &call->alpha,
	                  b->a, b->lda, b->b, b->ldb, &call->beta, b->c, b->ldc);
}

static int gpu_launch_strided(const struct gpu_launch_call *call, const struct gpu_launch *launch)
{
	const struct blas_call *b = &launch->blas;
	return GPU_LAUNCH(call, STRIDED, call->transa, call->transb, b->m, b->n, b->k, &call->alpha,
	                  b->a, b->lda, launch->stridea, b->b, b->ldb, launch->strideb, &call->beta,
	                  b->c, b->ldc, launch->stridec, launch->count);
}

static int gpu_launch_symm(const struct gpu_launch_call *call, const struct gpu_launch *launch)
{
	const struct blas_call *b = &launch->blas;
	return GPU_LAUNCH(call, SYMM, call->side, call->uplo, b->m, b->n, &call->alpha, b->a,
	                  b->lda, b->b, b->ldb, &call->beta, b->c, b->ldc);
}

static int gpu_launch_syrk(const struct gpu_launch_call *call, const struct gpu_launch *launch)
{
	const struct blas_call *b = &launch->blas;
	return GPU_LAUNCH(call, SYRK, call->uplo, call->transa, b->n, b->k, &call->alpha, b->a,
	                  b->lda, &call->beta, b->c, b->ldc);
}

static int gpu_launch_syr2k(const struct gpu_launch_call *call, const struct gpu_launch *launch)
{
	const struct blas_call *b = &launch->blas;
	return GPU_LAUNCH(call, SYR2K, call->uplo, call->transa, b->n, b->k, &call->alpha, b->a,
	                  b->lda, b->b, b->ldb, &call->beta, b->c, b->ldc);
}

static int gpu_launch_trmm(const struct gpu_launch_call *call, const struct gpu_launch *launch)
{
	const struct blas_call *b = &launch->blas;
	return GPU_LAUNCH(call, TRMM, call->side, call->uplo, call->transa, call->diag, b->m, b->n,
	                  &call->alpha, b->a, b->lda, b->b, b->ldb, b->c, b->ldc);
}

static int gpu_launch_trsm(const struct gpu_launch_call *call, const struct gpu_launch *launch)
{
	const struct blas_call *b = &launch->blas;
	return GPU_LAUNCH(call, TRSM, call->side, call->uplo, call->transa, call->diag, b->m, b->n,
	                  &call->alpha, b->a, b->lda, b->c, b->ldc);
}

static int gpu_launch_in_place(const struct gpu_launch_call *call, const struct gpu_launch *launch)
{
	return launch->family == FAMILY_TRSM ? gpu_launch_trsm(call, launch)
	                                     : gpu_launch_trmm(call, launch);
}

/* Of a batch only the strided form, which the other one becomes; gemmt is cut into products. */
static int (*const gpu_launch_kind[FAMILY_KIND_COUNT])(const struct gpu_launch_call *,
                                                       const struct gpu_launch *) = {
	[FAMILY_KIND_PRODUCT] = gpu_launch_gemm,        [FAMILY_KIND_SYMMETRIC] = gpu_launch_symm,
	[FAMILY_KIND_RANK_K] = gpu_launch_syrk,         [FAMILY_KIND_RANK_2K] = gpu_launch_syr2k,
	[FAMILY_KIND_TRIANGULAR] = gpu_launch_in_place, [FAMILY_KIND_BATCH] = gpu_launch_strided,
};

/* By the transpositions of A and B, each a bit per device: whether such a kernel was launched. */
enum { GPU_LAUNCH_VARIANTS = (TRANSPOSE_C + 1) * (TRANSPOSE_C + 1) };
static _Atomic uint32_t gpu_launch_used[FAMILY_COUNT][ELEMENT_COUNT][GPU_LAUNCH_VARIANTS];

static _Atomic uint32_t *gpu_launch_find_used(const struct gpu_launch *launch)
{
	const struct blas_call *b = &launch->blas;
	return &gpu_launch_used[launch->family][launch->element]
	                       [b->transa * (TRANSPOSE_C + 1) + b->transb];
}

static int gpu_launch_call_library(const struct gpu_launch_call *call,
                                   const struct gpu_launch *launch)
{
	return gpu_launch_kind[family_find_kind(launch->family)](call, launch);
}

/* CUDA loads the code of a kernel when it is first launched on a device. */
static int gpu_launch_call_first(const struct gpu_launch_call *call,
                                 const struct gpu_launch *launch, _Atomic uint32_t *used,
                                 uint32_t device)
{
	one_off_begin();
	const int status = gpu_launch_call_library(call, launch);
	atomic_fetch_or_explicit(used, device, memory_order_relaxed);
	one_off_end();
	return status;
}

enum reason gpu_launch_run(struct lane *lane, const struct gpu_launch *launch)
{
	const struct gpu_launch_call call = gpu_launch_prepare(lane, launch);
	const uint32_t device = UINT32_C(1) << (unsigned)lane->device % CUDA_DEVICES;
	if (call.code == NULL)
		return REASON_LIBRARY_FAILED;
	_Atomic uint32_t *used = gpu_launch_find_used(launch);
	const bool first = (atomic_load_explicit(used, memory_order_relaxed) & device) == 0;
	const int status = first ? gpu_launch_call_first(&call, launch, used, device)
	                         : gpu_launch_call_library(&call, launch);
	return status == CUBLAS_SUCCESS ? REASON_NONE : REASON_LIBRARY_FAILED;
}
