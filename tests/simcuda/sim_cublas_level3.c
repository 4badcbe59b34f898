/* sim_cublas_level3.c - exported: cuBLAS level 3, brings all argument lists into one form */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_cublas_call.h"

enum {
	ANY = 7,
	N_OR_T = 1 << SIM_TRANS_N | 1 << SIM_TRANS_T,
	N_OR_C = 1 << SIM_TRANS_N | 1 << SIM_TRANS_C
};

static const struct sim_cublas_routine gemm = {
	.compute = sim_level3_gemm, .flops = 2, .has_beta = true, .transpositions = ANY};
static const struct sim_cublas_routine gemm3m = {.compute = sim_level3_gemm3m,
                                                 .flops = 1.5,
                                                 .has_beta = true,
                                                 .transpositions = ANY,
                                                 .oldest_capability = 50};
static const struct sim_cublas_routine symm = {
	.compute = sim_level3_symm, .flops = 2, .has_beta = true, .transpositions = ANY};
static const struct sim_cublas_routine hemm = {.compute = sim_level3_symm,
                                               .flops = 2,
                                               .has_beta = true,
                                               .hermitian = true,
                                               .transpositions = ANY};
static const struct sim_cublas_routine syrk = {.compute = sim_level3_syrk,
                                               .flops = 1,
                                               .has_beta = true,
                                               .triangle = true,
                                               .transpositions = N_OR_T};
static const struct sim_cublas_routine herk = {.compute = sim_level3_syrk,
                                               .flops = 1,
                                               .has_beta = true,
                                               .hermitian = true,
                                               .real_alpha = true,
                                               .real_beta = true,
                                               .triangle = true,
                                               .transpositions = N_OR_C};
static const struct sim_cublas_routine syr2k = {.compute = sim_level3_syr2k,
                                                .flops = 2,
                                                .has_beta = true,
                                                .triangle = true,
                                                .transpositions = N_OR_T};
static const struct sim_cublas_routine her2k = {.compute = sim_level3_syr2k,
                                                .flops = 2,
                                                .has_beta = true,
                                                .hermitian = true,
                                                .real_beta = true,
                                                .triangle = true,
                                                .transpositions = N_OR_C};
static const struct sim_cublas_routine trmm = {.compute = sim_level3_trmm,
                                               .flops = 1,
                                               .zero_alpha_skips = true,
                                               .b_may_be_c = true,
                                               .transpositions = ANY};
static const struct sim_cublas_routine trsm = {.compute = sim_level3_trsm,
                                               .flops = 1,
                                               .zero_alpha_skips = true,
                                               .serial = true,
                                               .transpositions = ANY};

/* One function per list of arguments, for both widths of integers. */
static int submit_strided(int call, const struct sim_cublas_routine *routine, char element,
                          SIM_PARAMETERS_strided(int64_t))
{
	bool a_plain = transa == SIM_TRANS_N, b_plain = transb == SIM_TRANS_N;
	struct sim_cublas_call made = {.routine = routine,
	                               .a_rows = a_plain ? m : k,
	                               .a_columns = a_plain ? k : m,
	                               .b_rows = b_plain ? k : n,
	                               .b_columns = b_plain ? n : k,
	                               .batch = batch,
	                               .stride_a = stride_a,
	                               .stride_b = stride_b,
	                               .stride_c = stride_c};
	made.work = (struct sim_level3){.element = element,
	                                .transa = transa,
	                                .transb = transb,
	                                .m = m,
	                                .n = n,
	                                .k = k,
	                                .lda = lda,
	                                .ldb = ldb,
	                                .ldc = ldc,
	                                .alpha = alpha,
	                                .beta = beta,
	                                .a = a,
	                                .b = b,
	                                .c = c};
	return sim_cublas_submit(call, handle, &made);
}

static int submit_gemm(int call, const struct sim_cublas_routine *routine, char element,
                       SIM_PARAMETERS_gemm(int64_t))
{
	return submit_strided(call, routine, element, handle, transa, transb, m, n, k, alpha, a,
	                      lda, 0, b, ldb, 0, beta, c, ldc, 0, 1);
}

static int submit_symm(int call, const struct sim_cublas_routine *routine, char element,
                       SIM_PARAMETERS_symm(int64_t))
{
	int64_t order = side == SIM_SIDE_LEFT ? m : n;
	struct sim_cublas_call made = {.routine = routine,
	                               .a_rows = order,
	                               .a_columns = order,
	                               .b_rows = m,
	                               .b_columns = n,
	                               .batch = 1};
	made.work = (struct sim_level3){.element = element,
	                                .side = side,
	                                .uplo = uplo,
	                                .m = m,
	                                .n = n,
	                                .k = order,
	                                .lda = lda,
	                                .ldb = ldb,
	                                .ldc = ldc,
	                                .alpha = alpha,
	                                .beta = beta,
	                                .a = a,
	                                .b = b,
	                                .c = c};
	return sim_cublas_submit(call, handle, &made);
}

static int submit_syr2k(int call, const struct sim_cublas_routine *routine, char element,
                        SIM_PARAMETERS_syr2k(int64_t))
{
	bool plain = trans == SIM_TRANS_N;
	struct sim_cublas_call made = {.routine = routine,
	                               .a_rows = plain ? n : k,
	                               .a_columns = plain ? k : n,
	                               .b_rows = plain ? n : k,
	                               .b_columns = plain ? k : n,
	                               .batch = 1};
	made.work = (struct sim_level3){.element = element,
	                                .uplo = uplo,
	                                .transa = trans,
	                                .m = n,
	                                .n = n,
	                                .k = k,
	                                .lda = lda,
	                                .ldb = ldb,
	                                .ldc = ldc,
	                                .alpha = alpha,
	                                .beta = beta,
	                                .a = a,
	                                .b = b,
	                                .c = c};
	return sim_cublas_submit(call, handle, &made);
}

static int submit_syrk(int call, const struct sim_cublas_routine *routine, char element,
                       SIM_PARAMETERS_syrk(int64_t))
{
	bool plain = trans == SIM_TRANS_N;
	struct sim_cublas_call made = {.routine = routine,
	                               .a_rows = plain ? n : k,
	                               .a_columns = plain ? k : n,
	                               .batch = 1};
	made.work = (struct sim_level3){.element = element,
	                                .uplo = uplo,
	                                .transa = trans,
	                                .m = n,
	                                .n = n,
	                                .k = k,
	                                .lda = lda,
	                                .ldb = 1,
	                                .ldc = ldc,
	                                .alpha = alpha,
	                                .beta = beta,
	                                .a = a,
	                                .c = c};
	return sim_cublas_submit(call, handle, &made);
}

static int submit_trmm(int call, const struct sim_cublas_routine *routine, char element,
                       SIM_PARAMETERS_trmm(int64_t))
{
	int64_t order = side == SIM_SIDE_LEFT ? m : n;
	struct sim_cublas_call made = {.routine = routine,
	                               .a_rows = order,
	                               .a_columns = order,
	                               .b_rows = m,
	                               .b_columns = n,
	                               .batch = 1};
	made.work = (struct sim_level3){.element = element,
	                                .side = side,
	                                .uplo = uplo,
	                                .transa = trans,
	                                .diag = diag,
	                                .m = m,
	                                .n = n,
	                                .k = order,
	                                .lda = lda,
	                                .ldb = ldb,
	                                .ldc = ldc,
	                                .alpha = alpha,
	                                .a = a,
	                                .b = b,
	                                .c = c};
	return sim_cublas_submit(call, handle, &made);
}

/* B is the result. */
static int submit_trsm(int call, const struct sim_cublas_routine *routine, char element,
                       SIM_PARAMETERS_trsm(int64_t))
{
	int64_t order = side == SIM_SIDE_LEFT ? m : n;
	struct sim_cublas_call made = {
		.routine = routine, .a_rows = order, .a_columns = order, .batch = 1};
	made.work = (struct sim_level3){.element = element,
	                                .side = side,
	                                .uplo = uplo,
	                                .transa = trans,
	                                .diag = diag,
	                                .m = m,
	                                .n = n,
	                                .k = order,
	                                .lda = lda,
	                                .ldb = 1,
	                                .ldc = ldb,
	                                .alpha = alpha,
	                                .a = a,
	                                .c = b};
	return sim_cublas_submit(call, handle, &made);
}

#define ARGUMENTS_gemm handle, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc
#define ARGUMENTS_strided                                                                          \
	handle, transa, transb, m, n, k, alpha, a, lda, stride_a, b, ldb, stride_b, beta, c, ldc,  \
		stride_c, batch
#define ARGUMENTS_symm handle, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc
#define ARGUMENTS_syrk handle, uplo, trans, n, k, alpha, a, lda, beta, c, ldc
#define ARGUMENTS_syr2k handle, uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc
#define ARGUMENTS_trmm handle, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, c, ldc
#define ARGUMENTS_trsm handle, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb

#define SIM_LEVEL3(name, shape, routine, element)                                                  \
	int name(SIM_PARAMETERS_##shape(int))                                                      \
	{                                                                                          \
		return submit_##shape(SIM_CALL_##name, &routine, element, ARGUMENTS_##shape);      \
	}
#include "sim_level3.def"

#if SIMCUDA_MAJOR >= 12
#define SIM_LEVEL3(name, shape, routine, element)                                                  \
	int name##_64(SIM_PARAMETERS_##shape(int64_t))                                             \
	{                                                                                          \
		return submit_##shape(SIM_CALL_##name##_64, &routine, element, ARGUMENTS_##shape); \
	}
#include "sim_level3.def"
#endif
