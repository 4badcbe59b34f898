/* solve_triangle.c - steps of recipes: what follows a QR factorisation in least squares */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "shim/execute/gpu/device/blas_math.h"
#include "shim/execute/gpu/lapack/solve.h"

void solve_make_tau(struct solve *solve)
{
	const int64_t n = solve->array[LAPACK_A].columns;
	if (!solve_begin_as(solve, NULL, true))
		return;
	if (solve->measures)
		solve->room.spare_bytes = (uint64_t)n * element_size_bytes(solve->call.element);
	solve->array[LAPACK_TAU] = (struct solve_array){solve->spare, n, 1, n};
}

static bool solve_triangle_is_zero(const char *number, enum element element)
{
	double wide[2] = {0, 0};
	float narrow[2] = {0, 0};
	if (element == ELEMENT_D || element == ELEMENT_Z)
		memcpy(wide, number, element_size_bytes(element));
	else
		memcpy(narrow, number, element_size_bytes(element));
	return wide[0] == 0 && wide[1] == 0 && narrow[0] == 0 && narrow[1] == 0;
}

void solve_judge_diagonal(struct solve *solve)
{
	const struct solve_array *a = &solve->array[LAPACK_A];
	const uint64_t size_bytes = element_size_bytes(solve->call.element),
		       step_bytes = ((uint64_t)a->ld + 1) * size_bytes;
	if (!solve_begin_as(solve, NULL, step_bytes <= CUDA_PITCH_MAX_BYTES))
		return;
	if (solve->measures) {
		solve_need(solve, CUSOLVER_SUCCESS, 0, (uint64_t)a->columns * size_bytes);
		return;
	}
	const char *diagonal = solve->host_work;
	solve_end_copy(solve,
	               solve->lane->api->memcpy_2d_async(
			       solve->host_work, size_bytes, a->memory, step_bytes, size_bytes,
			       (size_t)a->columns, CUDA_COPY_DEVICE_TO_HOST, solve->lane->stream));
	solve_fail(solve, lanes_confirm(solve->lane));
	for (int64_t i = 0; i < a->columns && solve->reason == REASON_NONE; i++)
		if (solve_triangle_is_zero(diagonal + (uint64_t)i * size_bytes,
		                           solve->call.element))
			solve_fail(solve, REASON_NOT_SOLVED);
}

void solve_trsm(struct solve *solve, enum transpose trans)
{
	static const float one_s[] = {1, 0};
	static const double one_d[] = {1, 0};
	const struct cuda_api *api = solve->lane->api;
	const struct solve_array *a = &solve->array[LAPACK_A], *b = &solve->array[LAPACK_B];
	const int m = (int)a->columns, n = (int)b->columns, lda = (int)a->ld, ldb = (int)b->ld,
		  operation = solve_operation(solve, trans);
	const enum reason pinned =
		solve->measures ? REASON_NONE : blas_math_pin(solve->lane, solve->call.element);
	void *blas = solve->lane->blas;
	if (!solve_begin(solve, SOLVE_CHOOSE(solve, api->strsm != NULL, api->dtrsm != NULL,
	                                     api->ctrsm != NULL, api->ztrsm != NULL) &&
	                                solve_is_narrow(solve)) ||
	    solve->measures)
		return;
	if (pinned != REASON_NONE) {
		solve_fail(solve, pinned);
		return;
	}
#define TRSM(function, one)                                                                        \
	(function)(blas, CUBLAS_ON_LEFT, CUBLAS_TRIANGLE_UPPER, operation, CUBLAS_DIAGONAL_STORED, \
	           m, n, one, a->memory, lda, b->memory, ldb)
	solve_end_blas(solve, SOLVE_CHOOSE(solve, TRSM(api->strsm, one_s), TRSM(api->dtrsm, one_d),
	                                   TRSM(api->ctrsm, one_s), TRSM(api->ztrsm, one_d)));
#undef TRSM
}

void solve_clear_rest(struct solve *solve)
{
	const struct solve_array *b = &solve->array[LAPACK_B];
	const int64_t first = solve->array[LAPACK_A].columns;
	const uint64_t size_bytes = element_size_bytes(solve->call.element),
		       pitch_bytes = (uint64_t)b->ld * size_bytes;
	if (!solve_begin(solve, pitch_bytes <= CUDA_PITCH_MAX_BYTES) || solve->measures ||
	    first == b->rows)
		return;
	solve_end_copy(solve, solve->lane->api->memset_2d_async(
				      b->memory + (uint64_t)first * size_bytes, pitch_bytes, 0,
				      (uint64_t)(b->rows - first) * size_bytes, (size_t)b->columns,
				      solve->lane->stream));
}
