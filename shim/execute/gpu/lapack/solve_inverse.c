/* solve_inverse.c - steps of recipes: inverses, and arrays that they need */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/lapack/solve.h"

#include <string.h>

void solve_trtri(struct solve *solve)
{
	const struct cuda_solver *api = solve->api;
	const struct solve_array *a = &solve->array[LAPACK_A];
	const int type = solve_type(solve), uplo = solve_triangle(solve),
		  diag = solve->call.lapack.diag == DIAG_UNIT ? CUBLAS_DIAGONAL_ONES
	                                                      : CUBLAS_DIAGONAL_STORED;
	size_t device_bytes = 0, host_bytes = 0;
	if (!solve_begin(solve, api->trtri_size != NULL && api->trtri != NULL))
		return;
	if (!solve->measures) {
		solve_end(solve,
		          api->trtri(solve->handle, uplo, diag, a->rows, type, a->memory, a->ld,
		                     solve->work, solve->room.device_bytes, solve->host_work,
		                     solve->room.host_bytes, solve_next_info(solve)));
		return;
	}
	const int status = api->trtri_size(solve->handle, uplo, diag, a->rows, type, a->memory,
	                                   a->ld, &device_bytes, &host_bytes);
	solve_need(solve, status, device_bytes, host_bytes);
}

void solve_potri(struct solve *solve)
{
	const struct solve_array *a = &solve->array[LAPACK_A];
	const int n = (int)a->rows, lda = (int)a->ld, uplo = solve_triangle(solve);
	int count = 0;
	if (!solve_begin(solve, SOLVE_HAS(solve, potri_size) && SOLVE_HAS(solve, potri) &&
	                                solve_is_narrow(solve)))
		return;
	if (!solve->measures) {
		solve_end(solve,
		          SOLVE_CALL(solve, potri, solve->handle, uplo, n, a->memory, lda,
		                     solve->work, solve_count_work(solve), solve_next_info(solve)));
		return;
	}
	const int status =
		SOLVE_CALL(solve, potri_size, solve->handle, uplo, n, a->memory, lda, &count);
	solve_need_elements(solve, status, count);
}

/* Each float or double of it is 1, or (complex) 1 and 0. */
static void solve_inverse_fill_ones(const struct solve *solve, int64_t count)
{
	const uint64_t size_bytes = element_size_bytes(solve->call.element);
	const bool single = solve->call.element == ELEMENT_S || solve->call.element == ELEMENT_C;
	const float one_s = 1;
	const double one_d = 1;
	char *ones = solve->host_work;
	memset(ones, 0, (size_t)count * size_bytes);
	for (int64_t i = 0; i < count; i++, ones += size_bytes)
		memcpy(ones, single ? (const void *)&one_s : &one_d,
		       single ? sizeof one_s : sizeof one_d);
}

void solve_make_unit(struct solve *solve)
{
	const struct cuda_api *api = solve->lane->api;
	const int64_t n = solve->array[LAPACK_A].rows;
	const uint64_t size_bytes = element_size_bytes(solve->call.element),
		       column_bytes = (uint64_t)n * size_bytes;
	if (!solve_begin(solve, true))
		return;
	if (solve->measures) {
		solve->room.spare_bytes = column_bytes * (uint64_t)n;
		solve_need(solve, CUSOLVER_SUCCESS, 0, column_bytes);
		return;
	}
	solve_inverse_fill_ones(solve, n);
	solve_end_copy(solve, api->memset_2d_async(solve->spare, column_bytes, 0, column_bytes,
	                                           (size_t)n, solve->lane->stream));
	solve_end_copy(solve,
	               api->memcpy_2d_async(solve->spare, column_bytes + size_bytes,
	                                    solve->host_work, size_bytes, size_bytes, (size_t)n,
	                                    CUDA_COPY_HOST_TO_DEVICE, solve->lane->stream));
	solve->array[LAPACK_B] = (struct solve_array){solve->spare, n, n, n};
}

/* cuBLAS reads no B where its factor is 0; C may stand for it. */
void solve_turn(struct solve *solve, const struct solve_array *from, const struct solve_array *to)
{
	static const float one_s[] = {1, 0}, zero_s[] = {0, 0};
	static const double one_d[] = {1, 0}, zero_d[] = {0, 0};
	const struct cuda_api *api = solve->lane->api;
	const int operation = solve_operation(solve, TRANSPOSE_C), m = (int)to->rows,
		  n = (int)to->columns, ldf = (int)from->ld, ldt = (int)to->ld;
	void *blas = solve->lane->blas;
	if (from->memory == NULL || to->memory == NULL ||
	    !solve_begin(solve, SOLVE_CHOOSE(solve, api->sgeam != NULL, api->dgeam != NULL,
	                                     api->cgeam != NULL, api->zgeam != NULL) &&
	                                solve_is_narrow(solve)) ||
	    solve->measures)
		return;
#define GEAM(function, one, zero)                                                                  \
	(function)(blas, operation, CUBLAS_OPERATION_N, m, n, one, from->memory, ldf, zero,        \
	           to->memory, ldt, to->memory, ldt)
	solve_end_blas(solve, SOLVE_CHOOSE(solve, GEAM(api->sgeam, one_s, zero_s),
	                                   GEAM(api->dgeam, one_d, zero_d),
	                                   GEAM(api->cgeam, one_s, zero_s),
	                                   GEAM(api->zgeam, one_d, zero_d)));
#undef GEAM
}

void solve_copy(struct solve *solve, enum lapack_name from, enum lapack_name to)
{
	const struct solve_array *source = &solve->array[from], *target = &solve->array[to];
	const int64_t columns =
		source->columns < target->columns ? source->columns : target->columns;
	const uint64_t bytes =
		(uint64_t)(source->rows * columns) * element_size_bytes(solve->call.element);
	if (!solve_begin(solve, true) || solve->measures || target->memory == NULL)
		return;
	solve_end_copy(solve,
	               solve->lane->api->memcpy_async(target->memory, source->memory, bytes,
	                                              CUDA_COPY_BY_ADDRESS, solve->lane->stream));
}
