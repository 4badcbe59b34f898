/* sim_rules_level3.c - the rules of cuBLAS level 3 beyond gemm: arguments, access, batches */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "sim_rules.h"

enum {
	LEFT = SIM_SIDE_LEFT,
	RIGHT = SIM_SIDE_RIGHT,
	LOWER = SIM_UPLO_LOWER,
	UPPER = SIM_UPLO_UPPER
};
enum {
	N = SIM_TRANS_N,
	T = SIM_TRANS_T,
	C = SIM_TRANS_C,
	PLAIN = SIM_DIAG_NON_UNIT,
	UNIT = SIM_DIAG_UNIT
};
enum { BAD = SIM_CUBLAS_STATUS_INVALID_VALUE, SIZE = 6, ELEMENTS = SIZE * SIZE };
static const double zero[2] = {0, 0}, one[2] = {1, 0}, two[2] = {2, 0};

/* SIZE x SIZE complex elements of one value; a real matrix needs half. */
static double *filled(double value)
{
	double host[2 * ELEMENTS];
	for (int i = 0; i < 2 * ELEMENTS; i++)
		host[i] = value;
	return rules_device_copy(host, sizeof host);
}

static double element_of(const double *matrix, int row, int column)
{
	double value = 0;
	rules_read_back(&value, matrix + row + column * SIZE, sizeof value);
	return value;
}

static void every_routine_exists(void)
{
#define SIM_LEVEL3(name, shape, routine, element) CHECK(cuda.name != NULL);
#include "sim_level3.def"
#define SIM_LEVEL3(name, shape, routine, element)                                                  \
	CHECK_IS(cuda.name##_64 != NULL, cuda.major >= 12);
#include "sim_level3.def"
}

static int try_symm(void *h, int side, int uplo, int m, int n, int lda, int ldb, int ldc)
{
	static double *x;
	x = x ? x : filled(1);
	return cuda.cublasDsymm_v2(h, side, uplo, m, n, one, x, lda, x, ldb, zero, x, ldc);
}

static void symm_arguments_are_checked(void)
{
	void *h = rules_handle();
	double *x = filled(1);
	CHECK_IS(try_symm(NULL, LEFT, LOWER, 2, 2, 2, 2, 2), SIM_CUBLAS_STATUS_NOT_INITIALIZED);
	CHECK_IS(try_symm(h, 2, LOWER, 2, 2, 2, 2, 2), BAD);
	CHECK_IS(try_symm(h, LEFT, SIM_UPLO_FULL, 2, 2, 2, 2, 2), BAD);
	CHECK_IS(try_symm(h, LEFT, LOWER, -1, 2, 2, 2, 2), BAD);
	CHECK_IS(try_symm(h, LEFT, LOWER, 2, -1, 2, 2, 2), BAD);
	CHECK_IS(try_symm(h, LEFT, LOWER, 4, 2, 3, 4, 4), BAD);
	CHECK_IS(try_symm(h, RIGHT, LOWER, 2, 4, 3, 4, 4), BAD);
	CHECK_IS(try_symm(h, LEFT, LOWER, 4, 2, 4, 3, 4), BAD);
	CHECK_IS(try_symm(h, LEFT, LOWER, 4, 2, 4, 4, 3), BAD);
	CHECK_IS(try_symm(h, LEFT, LOWER, 0, 0, 1, 1, 0), BAD);
	CHECK_IS(try_symm(h, LEFT, LOWER, 0, 2, 1, 1, 1), 0);
	CHECK_IS(try_symm(h, RIGHT, UPPER, 4, 2, 2, 4, 4), 0);
	CHECK_IS(cuda.cublasDsymm_v2(h, LEFT, LOWER, 2, 2, NULL, x, 2, x, 2, zero, x, 2), BAD);
	CHECK_IS(cuda.cublasDsymm_v2(h, LEFT, LOWER, 2, 2, one, x, 2, x, 2, NULL, x, 2), BAD);
	CHECK_IS(cuda.cublasDsymm_v2(h, LEFT, LOWER, 2, 2, one, x, 2, x, 2, one, NULL, 2), BAD);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
}

static int try_syr2k(void *h, int uplo, int trans, int n, int k, int lda, int ldb, int ldc)
{
	static double *x;
	x = x ? x : filled(1);
	return cuda.cublasDsyr2k_v2(h, uplo, trans, n, k, one, x, lda, x, ldb, zero, x, ldc);
}

static void rank_arguments_are_checked(void)
{
	void *h = rules_handle();
	double *x = filled(1);
	CHECK_IS(try_syr2k(h, SIM_UPLO_FULL, N, 2, 2, 2, 2, 2), BAD);
	CHECK_IS(try_syr2k(h, LOWER, 3, 2, 2, 2, 2, 2), BAD);
	CHECK_IS(try_syr2k(h, LOWER, N, -1, 2, 2, 2, 2), BAD);
	CHECK_IS(try_syr2k(h, LOWER, N, 2, -1, 2, 2, 2), BAD);
	CHECK_IS(try_syr2k(h, LOWER, N, 4, 2, 3, 4, 4), BAD);
	CHECK_IS(try_syr2k(h, LOWER, N, 4, 2, 4, 3, 4), BAD);
	CHECK_IS(try_syr2k(h, LOWER, N, 4, 2, 4, 4, 3), BAD);
	CHECK_IS(try_syr2k(h, LOWER, T, 2, 4, 3, 4, 4), BAD);
	CHECK_IS(try_syr2k(h, UPPER, T, 4, 2, 2, 2, 4), 0);
	CHECK_IS(try_syr2k(h, UPPER, C, 4, 2, 2, 2, 4), 0);
	CHECK_IS(cuda.cublasDsyrk_v2(h, LOWER, N, 4, 2, one, x, 3, zero, x, 4), BAD);
	CHECK_IS(cuda.cublasDsyrk_v2(h, LOWER, C, 2, 4, one, x, 4, zero, x, 4), 0);
	CHECK_IS(cuda.cublasZherk_v2(h, LOWER, C, 2, 4, one, x, 3, zero, x, 4), BAD);
	CHECK_IS(cuda.cublasZherk_v2(h, LOWER, C, 2, 4, NULL, x, 4, zero, x, 4), BAD);
	CHECK_IS(cuda.cublasZherk_v2(h, LOWER, C, 0, 4, one, NULL, 4, zero, NULL, 1), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
}

/* As in BLAS. The vendor's list of errors names all three transpositions for each routine. */
static void transpositions_belong_to_routines(void)
{
	void *h = rules_handle();
	double *x = filled(1), *y = filled(1);
	CHECK_IS(cuda.cublasZsyrk_v2(h, LOWER, C, 2, 2, one, x, 2, zero, y, 2), BAD);
	CHECK_IS(cuda.cublasZsyrk_v2(h, LOWER, T, 2, 2, one, x, 2, zero, y, 2), 0);
	CHECK_IS(cuda.cublasZsyr2k_v2(h, LOWER, C, 2, 2, one, x, 2, x, 2, zero, y, 2), BAD);
	CHECK_IS(cuda.cublasZherk_v2(h, LOWER, T, 2, 2, one, x, 2, zero, y, 2), BAD);
	CHECK_IS(cuda.cublasZherk_v2(h, LOWER, C, 2, 2, one, x, 2, zero, y, 2), 0);
	CHECK_IS(cuda.cublasCher2k_v2(h, LOWER, T, 2, 2, one, x, 2, x, 2, zero, y, 2), BAD);
}

static int try_trmm(void *h, int side, int trans, int diag, int m, int n, int lda, int ldb, int ldc)
{
	static double *a, *b, *c;
	a = a ? a : filled(1);
	b = b ? b : filled(1);
	c = c ? c : filled(1);
	int status =
		cuda.cublasDtrmm_v2(h, side, LOWER, trans, diag, m, n, one, a, lda, b, ldb, c, ldc);
	/* trsm has one leading dimension for B and C. */
	CHECK_IS(cuda.cublasDtrsm_v2(h, side, LOWER, trans, diag, m, n, one, a, lda, c,
	                             ldb < ldc ? ldb : ldc),
	         status);
	return status;
}

static void triangular_arguments_are_checked(void)
{
	void *h = rules_handle();
	double *x = filled(1);
	CHECK_IS(try_trmm(h, 2, N, PLAIN, 2, 2, 2, 2, 2), BAD);
	CHECK_IS(try_trmm(h, LEFT, 3, PLAIN, 2, 2, 2, 2, 2), BAD);
	CHECK_IS(try_trmm(h, LEFT, N, 2, 2, 2, 2, 2, 2), BAD);
	CHECK_IS(try_trmm(h, LEFT, N, PLAIN, -1, 2, 2, 2, 2), BAD);
	CHECK_IS(try_trmm(h, LEFT, N, PLAIN, 2, -1, 2, 2, 2), BAD);
	CHECK_IS(try_trmm(h, LEFT, N, PLAIN, 4, 2, 3, 4, 4), BAD);
	CHECK_IS(try_trmm(h, RIGHT, N, PLAIN, 2, 4, 3, 4, 4), BAD);
	CHECK_IS(try_trmm(h, LEFT, N, PLAIN, 4, 2, 4, 3, 4), BAD);
	CHECK_IS(try_trmm(h, LEFT, N, PLAIN, 4, 2, 4, 4, 3), BAD);
	CHECK_IS(try_trmm(h, RIGHT, C, UNIT, 4, 2, 2, 4, 4), 0);
	CHECK_IS(try_trmm(h, LEFT, T, PLAIN, 4, 0, 4, 4, 4), 0);
	CHECK_IS(cuda.cublasDtrmm_v2(h, LEFT, SIM_UPLO_FULL, N, PLAIN, 2, 2, one, x, 2, x, 2, x, 2),
	         BAD);
	CHECK_IS(cuda.cublasDtrsm_v2(h, LEFT, SIM_UPLO_FULL, N, PLAIN, 2, 2, one, x, 2, x, 2), BAD);
	CHECK_IS(cuda.cublasDtrsm_v2(h, LEFT, LOWER, N, PLAIN, 2, 2, NULL, x, 2, x, 2), BAD);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
}

static void trmm_is_out_of_place(void)
{
	void *h = rules_handle();
	double *a = filled(1), *b = filled(2), *c = filled(NAN);
	CHECK_IS(cuda.cublasDtrmm_v2(h, LEFT, LOWER, N, PLAIN, SIZE, SIZE, two, a, SIZE, b, SIZE, c,
	                             SIZE),
	         0);
	CHECK(element_of(c, 0, 0) == 4 && element_of(c, SIZE - 1, 1) == 4 * SIZE);
	CHECK(element_of(b, 0, 0) == 2 && element_of(b, SIZE - 1, 1) == 2);
	CHECK_IS(cuda.cublasDtrmm_v2(h, LEFT, LOWER, N, PLAIN, SIZE, SIZE, two, a, SIZE, b, SIZE, b,
	                             SIZE),
	         0);
	CHECK(element_of(b, SIZE - 1, 1) == 4 * SIZE);
}

/* Matrices side by side in one array do not overlap; one common element is an overlap. */
static void trmm_may_not_overlap(void)
{
	void *h = rules_handle();
	double *a = filled(1), *b = filled(1);
	CHECK_IS(cuda.cublasDtrmm_v2(h, LEFT, LOWER, N, PLAIN, 3, 2, one, a, SIZE, b, SIZE, b + 3,
	                             SIZE),
	         0);
	CHECK(element_of(b, 3, 0) == 1 && element_of(b, 5, 1) == 3);
	CHECK_IS(cuda.cublasDtrmm_v2(h, LEFT, LOWER, N, PLAIN, 3, 2, one, a, SIZE, b, SIZE, b + 2,
	                             SIZE),
	         0);
	CHECK(isnan(element_of(b, 4, 0)));
	b = filled(1);
	CHECK_IS(cuda.cublasDtrmm_v2(h, LEFT, LOWER, N, PLAIN, 3, 2, one, a, SIZE, b + SIZE, SIZE,
	                             b, SIZE),
	         0);
	CHECK(isnan(element_of(b, 0, 0)));
	b = filled(1);
	CHECK_IS(cuda.cublasDtrmm_v2(h, LEFT, LOWER, N, PLAIN, 3, 2, one, a, SIZE, b, SIZE, b, 3),
	         0);
	CHECK(isnan(element_of(b, 0, 0)));
}

static void zero_alpha_reads_nothing(void)
{
	void *h = rules_handle();
	double *b = filled(NAN), *c = filled(NAN);
	CHECK_IS(cuda.cublasDtrmm_v2(h, LEFT, LOWER, N, PLAIN, 2, 2, zero, NULL, 2, b, SIZE, c,
	                             SIZE),
	         0);
	CHECK(element_of(c, 1, 1) == 0 && isnan(element_of(c, 2, 1)));
	CHECK_IS(cuda.cublasDtrsm_v2(h, RIGHT, UPPER, T, UNIT, 2, 2, zero, NULL, 2, b, SIZE), 0);
	CHECK(element_of(b, 0, 1) == 0 && isnan(element_of(b, 0, 2)));
}

/*
 * A zero that is referenced is multiplied by NaN and infinity; a zero that stands for an
 * unreferenced triangle is not.
 */
static void zeros_are_multiplied(void)
{
	void *h = rules_handle();
	double host[ELEMENTS], *a = filled(0), *c = filled(0);
	for (int i = 0; i < ELEMENTS; i++)
		host[i] = i % SIZE == 2 ? NAN : 1;
	double *b = rules_device_copy(host, sizeof host);
	CHECK_IS(cuda.cublasDtrmm_v2(h, LEFT, LOWER, N, UNIT, SIZE, SIZE, one, a, SIZE, b, SIZE, c,
	                             SIZE),
	         0);
	CHECK(element_of(c, 1, 0) == 1 && isnan(element_of(c, 2, 0)) && isnan(element_of(c, 5, 3)));
	CHECK_IS(cuda.cublasDsyrk_v2(h, UPPER, N, SIZE, 1, zero, b, SIZE, one, c, SIZE), 0);
	CHECK(isnan(element_of(c, 2, 4)) && element_of(c, 0, 1) == 1);
}

static void hermitian_diagonals_become_real(void)
{
	void *h = rules_handle();
	double *c = filled(3), back[2];
	/*
	 * BLAS leaves C unchanged when k is 0 and beta is 1; cuBLAS only documents that the
	 * imaginary part of the diagonal is set to zero.
	 */
	CHECK_IS(cuda.cublasZherk_v2(h, UPPER, N, 2, 0, one, NULL, 2, one, c, SIZE), 0);
	rules_read_back(back, c, sizeof back);
	CHECK(back[0] == 3 && back[1] == 0);
	rules_read_back(back, c + 2, sizeof back);
	CHECK(back[0] == 3 && back[1] == 3);
}

/* Where the routine takes real scalars, only one real number is read. */
static void real_scalars_are_one_word(void)
{
	void *h = rules_handle();
	double *scalar = rules_device_copy(two, sizeof(double)),
	       *whole = rules_device_copy(one, sizeof one);
	double *a = filled(1), *c = filled(NAN), back[2];
	double *nothing = rules_device_copy(zero, sizeof(double));
	CHECK_IS(cuda.cublasSetPointerMode_v2(h, 1), 0);
	CHECK_IS(cuda.cublasZherk_v2(h, LOWER, N, 2, 1, scalar, a, SIZE, nothing, c, SIZE), 0);
	CHECK_IS(cuda.cublasZher2k_v2(h, LOWER, N, 2, 1, whole, a, SIZE, a, SIZE, scalar, c, SIZE),
	         0);
	rules_read_back(back, c, sizeof back);
	/* 2 |1 + i|^2 = 4, then 2 times that and twice the square of the modulus */
	CHECK(back[0] == 12 && back[1] == 0);
}

static int batch_call(void *h, const double *a, long long stride_a, double *c, int ldc,
                      long long stride_c, int batch)
{
	return cuda.cublasDgemmStridedBatched(h, N, N, 2, 2, 2, one, a, 2, stride_a, a, 2, 0, zero,
	                                      c, ldc, stride_c, batch);
}

static void batches_go_by_strides(void)
{
	void *h = rules_handle();
	const double host[8] = {1, 1, 1, 1, 2, 2, 2, 2};
	double *a = rules_device_copy(host, sizeof host), *c = filled(7);
	CHECK_IS(batch_call(h, a, 4, c, SIZE, 2, 2), 0);
	CHECK(element_of(c, 0, 0) == 2 && element_of(c, 1, 1) == 2 && element_of(c, 2, 0) == 4);
	CHECK(element_of(c, 3, 1) == 4 && element_of(c, 4, 0) == 7 && element_of(c, 0, 2) == 7);
	/* The last matrix may end with the allocation. */
	CHECK_IS(batch_call(h, a, 4, rules_device_memory(8 * sizeof(double)), 2, 4, 2), 0);
	CHECK_IS(batch_call(h, a, 4, c, 2, 4, 0), 0);
	CHECK_IS(batch_call(h, a, 4, c, 2, 4, -1), BAD);
	CHECK_IS(batch_call(h, a, 4, c, 1, 4, 1), BAD);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
	CHECK(element_of(c, 4, 0) == 7);
}

static void batches_may_not_overlap(void)
{
	void *h = rules_handle();
	double *a = filled(1), *c = filled(7);
	CHECK_IS(batch_call(h, a, 0, c, SIZE, 0, 1), 0);
	CHECK(element_of(c, 0, 0) == 2);
	CHECK_IS(batch_call(h, a, 0, c, SIZE, 0, 2), 0);
	CHECK(isnan(element_of(c, 0, 0)) && isnan(element_of(c, 1, 1)));
	CHECK_IS(batch_call(h, a, 0, c, SIZE, 1, 3), 0);
	CHECK(isnan(element_of(c, 3, 1)) && element_of(c, 4, 0) == 7);
	c = filled(7);
	/*
	 * The second matrix begins in the last row of the first one's columns, and continues in the
	 * next column.
	 */
	CHECK_IS(batch_call(h, a, 0, c, SIZE, SIZE - 1, 2), 0);
	CHECK(isnan(element_of(c, 0, 1)));
	c = filled(7);
	CHECK_IS(batch_call(h, a, 0, c, SIZE, 2, 4), 0);
	CHECK(isnan(element_of(c, 0, 1)));
}

/*
 * trsm and syrk on two streams of one handle without order: the call that starts first loses its
 * workspace, and its result is ruined. Returns whether that was syrk.
 */
static bool syrk_is_ruined(void *h, bool syrk_first)
{
	double *a = filled(1), *b = filled(1), *c = filled(5);
	for (int turn = 0; turn < 2; turn++) {
		CHECK_IS(cuda.cublasSetStream_v2(h, rules_stream(SIM_STREAM_NON_BLOCKING)), 0);
		if (syrk_first == !turn)
			CHECK_IS(cuda.cublasDsyrk_v2(h, LOWER, N, SIZE, 1, one, a, SIZE, zero, c,
			                             SIZE),
			         0);
		else
			CHECK_IS(cuda.cublasDtrsm_v2(h, LEFT, LOWER, N, UNIT, 2, 2, one, a, SIZE, b,
			                             SIZE),
			         0);
	}
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
	bool ruined = isnan(element_of(c, 2, 1));
	CHECK(ruined || isnan(element_of(b, 1, 1)));
	CHECK(element_of(c, 1, 2) == 5 && element_of(c, 0, SIZE - 1) == 5 &&
	      element_of(b, 2, 1) == 1);
	return ruined;
}

static void every_routine_uses_the_workspace(void)
{
	void *h = rules_handle();
	int ruined = 0;
	for (int round = 0; round < 10; round++)
		ruined += syrk_is_ruined(h, round % 2);
	CHECK(ruined > 0 && ruined < 10);
}

/* The imaginary part is a difference of three products. */
static void gemm3m_mixes_the_parts(void)
{
	void *h = rules_handle();
	const float a[2] = {1, 1e-9f}, unit[2] = {1, 0}, nothing[2] = {0, 0};
	float *x = rules_device_copy(a, sizeof a), *y = rules_device_copy(unit, sizeof unit),
	      back[2] = {7, 7};
	float *c = rules_device_memory(sizeof back);
	CHECK_IS(cuda.cublasCgemm3m(h, N, N, 1, 1, 1, unit, x, 1, y, 1, nothing, c, 1), 0);
	rules_read_back(back, c, sizeof back);
	CHECK(back[0] == 1 && back[1] == 0);
	CHECK_IS(cuda.cublasCgemm_v2(h, N, N, 1, 1, 1, unit, x, 1, y, 1, nothing, c, 1), 0);
	rules_read_back(back, c, sizeof back);
	CHECK(back[0] == 1 && back[1] == a[1]);
}

static void gemm3m_needs_a_newer_device(void)
{
	void *h = NULL;
	float *x = rules_device_memory(64);
	const float unit[2] = {1, 0};
	CHECK_IS(cuda.cublasCreate_v2(&h), cuda.major > 11 ? SIM_CUBLAS_STATUS_ARCH_MISMATCH : 0);
	if (!h)
		return;
	CHECK_IS(cuda.cublasCgemm3m(h, N, N, 1, 1, 1, unit, x, 1, x, 1, unit, x, 1),
	         SIM_CUBLAS_STATUS_ARCH_MISMATCH);
	CHECK_IS(cuda.cublasCgemm_v2(h, N, N, 1, 1, 1, unit, x, 1, x, 1, unit, x, 1), 0);
}

/* Any leading dimension is allowed for a matrix of one column. */
static void wide_integers_are_wide(void)
{
	const int64_t wide = (int64_t)1 << 33;
	void *h = cuda.major >= 12 ? rules_handle() : NULL;
	double *a = filled(3), *b = filled(2), *c = filled(NAN);
	CHECK_IS(cuda.major >= 12, cuda.cublasDsymm_v2_64 != NULL);
	if (!h)
		return;
	CHECK_IS(cuda.cublasDsymm_v2_64(h, LEFT, LOWER, 1, 1, one, a, wide, b, wide, zero, c, wide),
	         0);
	CHECK(element_of(c, 0, 0) == 6);
	CHECK_IS(cuda.cublasDsyrk_v2_64(h, LOWER, N, 1, 1, one, a, wide, zero, c, wide), 0);
	CHECK(element_of(c, 0, 0) == 9);
	CHECK_IS(cuda.cublasDsyr2k_v2_64(h, LOWER, N, 1, 1, one, a, wide, b, wide, zero, c, wide),
	         0);
	CHECK(element_of(c, 0, 0) == 12);
	CHECK_IS(cuda.cublasDtrmm_v2_64(h, LEFT, LOWER, N, PLAIN, 1, 1, two, a, wide, b, wide, c,
	                                wide),
	         0);
	CHECK(element_of(c, 0, 0) == 12);
	CHECK_IS(cuda.cublasDtrsm_v2_64(h, LEFT, LOWER, N, PLAIN, 1, 1, two, a, wide, c, wide), 0);
	CHECK(element_of(c, 0, 0) == 8);
	CHECK_IS(cuda.cublasDgemmStridedBatched_64(h, N, N, 1, 1, 1, one, a, wide, wide, b, wide,
	                                           wide, zero, c, wide, wide, 1),
	         0);
	CHECK(element_of(c, 0, 0) == 6);
}

const struct rule level3_rules[] = {
	{"level3: every routine exists", RULE_ANYWHERE, NULL, every_routine_exists},
	{"level3: arguments of symm", RULE_ANYWHERE, NULL, symm_arguments_are_checked},
	{"level3: arguments of syrk and its kin", RULE_ANYWHERE, NULL, rank_arguments_are_checked},
	{"level3: transpositions by routine", RULE_SIM_ONLY, NULL,
         transpositions_belong_to_routines},
	{"level3: arguments of trmm and trsm", RULE_ANYWHERE, NULL,
         triangular_arguments_are_checked},
	{"level3: trmm is out of place", RULE_ANYWHERE, NULL, trmm_is_out_of_place},
	{"level3: trmm may not overlap", RULE_SIM_ONLY, NULL, trmm_may_not_overlap},
	{"level3: alpha = 0 reads nothing", RULE_ANYWHERE, NULL, zero_alpha_reads_nothing},
	{"level3: zeros are multiplied", RULE_SIM_ONLY, NULL, zeros_are_multiplied},
	{"level3: Hermitian diagonals become real", RULE_SIM_ONLY, NULL,
         hermitian_diagonals_become_real},
	{"level3: real scalars are one word", RULE_ANYWHERE, NULL, real_scalars_are_one_word},
	{"level3: batches go by strides", RULE_ANYWHERE, NULL, batches_go_by_strides},
	{"level3: batches may not overlap", RULE_SIM_ONLY, NULL, batches_may_not_overlap},
	{"level3: every routine uses the workspace", RULE_SIM_ONLY, NULL,
         every_routine_uses_the_workspace},
	{"level3: gemm3m mixes the parts", RULE_SIM_ONLY, NULL, gemm3m_mixes_the_parts},
	{"level3: gemm3m on old devices", RULE_SIM_ONLY, "SIMCUDA_CAPABILITY=4.0",
         gemm3m_needs_a_newer_device},
	{"level3: wide integers", RULE_ANYWHERE, NULL, wide_integers_are_wide},
	{0},
};
