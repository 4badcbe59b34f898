/* solve_spectrum.c - steps of recipes: eigenvalues of matrices and pencils */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/lapack/solve.h"

void solve_syevd(struct solve *solve)
{
	const struct cuda_solver *api = solve->api;
	const struct solve_array *a = &solve->array[LAPACK_A], *w = &solve->array[LAPACK_W];
	const int type = solve_type(solve), real = solve_real_type(solve), job = solve_job(solve),
		  uplo = solve_triangle(solve);
	size_t device_bytes = 0, host_bytes = 0;
	if (!solve_begin(solve, api->syevd_size != NULL && api->syevd != NULL))
		return;
	solve->found = a->rows;
	if (!solve->measures) {
		solve_end(solve, api->syevd(solve->handle, solve->params, job, uplo, a->rows, type,
		                            a->memory, a->ld, real, w->memory, type, solve->work,
		                            solve->room.device_bytes, solve->host_work,
		                            solve->room.host_bytes, solve_next_info(solve)));
		return;
	}
	const int status =
		api->syevd_size(solve->handle, solve->params, job, uplo, a->rows, type, a->memory,
	                        a->ld, real, w->memory, type, &device_bytes, &host_bytes);
	solve_need(solve, status, device_bytes, host_bytes);
}

void solve_syevdx(struct solve *solve)
{
	const struct cuda_solver *api = solve->api;
	const struct lapack_call *lapack = &solve->call.lapack;
	const struct solve_array *a = &solve->array[LAPACK_A], *w = &solve->array[LAPACK_W];
	const int type = solve_type(solve), real = solve_real_type(solve), job = solve_job(solve),
		  uplo = solve_triangle(solve), range = CUSOLVER_RANGE_INDICES;
	size_t device_bytes = 0, host_bytes = 0;
	if (!solve_begin(solve, api->syevdx_size != NULL && api->syevdx != NULL))
		return;
	if (!solve->measures) {
		solve_end(solve,
		          api->syevdx(solve->handle, solve->params, job, range, uplo, a->rows, type,
		                      a->memory, a->ld, &solve->bounds[0], &solve->bounds[1],
		                      lapack->il, lapack->iu, &solve->found, real, w->memory, type,
		                      solve->work, solve->room.device_bytes, solve->host_work,
		                      solve->room.host_bytes, solve_next_info(solve)));
		return;
	}
	const int status = api->syevdx_size(
		solve->handle, solve->params, job, range, uplo, a->rows, type, a->memory, a->ld,
		&solve->bounds[0], &solve->bounds[1], lapack->il, lapack->iu, &solve->found, real,
		w->memory, type, &device_bytes, &host_bytes);
	solve_need(solve, status, device_bytes, host_bytes);
}

void solve_sygvd(struct solve *solve)
{
	const struct solve_array *a = &solve->array[LAPACK_A], *b = &solve->array[LAPACK_B],
				 *w = &solve->array[LAPACK_W];
	const int n = (int)a->rows, type = solve->call.lapack.itype, job = solve_job(solve),
		  uplo = solve_triangle(solve);
	int count = 0;
	if (!solve_begin(solve, SOLVE_HAS(solve, sygvd_size) && SOLVE_HAS(solve, sygvd) &&
	                                solve_is_narrow(solve)))
		return;
	solve->found = n;
	if (!solve->measures) {
		solve_end(solve,
		          SOLVE_CALL(solve, sygvd, solve->handle, type, job, uplo, n, a->memory,
		                     (int)a->ld, b->memory, (int)b->ld, w->memory, solve->work,
		                     solve_count_work(solve), solve_next_info(solve)));
		return;
	}
	const int status =
		SOLVE_CALL(solve, sygvd_size, solve->handle, type, job, uplo, n, a->memory,
	                   (int)a->ld, b->memory, (int)b->ld, w->memory, &count);
	solve_need_elements(solve, status, count);
}

void solve_sygvdx(struct solve *solve)
{
	const struct lapack_call *lapack = &solve->call.lapack;
	const struct solve_array *a = &solve->array[LAPACK_A], *b = &solve->array[LAPACK_B],
				 *w = &solve->array[LAPACK_W];
	const int n = (int)a->rows, type = lapack->itype, job = solve_job(solve),
		  uplo = solve_triangle(solve), range = CUSOLVER_RANGE_INDICES,
		  il = (int)lapack->il, iu = (int)lapack->iu;
	int count = 0;
	if (!solve_begin(solve, SOLVE_HAS(solve, sygvdx_size) && SOLVE_HAS(solve, sygvdx) &&
	                                solve_is_narrow(solve)))
		return;
	solve->found = iu - il + 1;
	if (!solve->measures) {
		solve_end(solve, SOLVE_CALL(solve, sygvdx, solve->handle, type, job, range, uplo, n,
		                            a->memory, (int)a->ld, b->memory, (int)b->ld, 0, 0, il,
		                            iu, &solve->count, w->memory, solve->work,
		                            solve_count_work(solve), solve_next_info(solve)));
		return;
	}
	const int status = SOLVE_CALL(solve, sygvdx_size, solve->handle, type, job, range, uplo, n,
	                              a->memory, (int)a->ld, b->memory, (int)b->ld, 0, 0, il, iu,
	                              &solve->count, w->memory, &count);
	solve_need_elements(solve, status, count);
}

void solve_geev(struct solve *solve)
{
	const struct cuda_solver *api = solve->api;
	const struct solve_array *a = &solve->array[LAPACK_A], *v = &solve->array[LAPACK_VT];
	const bool real = !element_is_complex(solve->call.element);
	const int type = solve_type(solve), none = CUSOLVER_VECTORS_NONE,
		  right = v->memory != NULL ? CUSOLVER_VECTORS : CUSOLVER_VECTORS_NONE;
	size_t device_bytes = 0, host_bytes = 0;
	if (!solve_begin(solve, api->geev_size != NULL && api->geev != NULL))
		return;
	void *w = real && !solve->measures ? solve->spare : solve->array[LAPACK_W].memory;
	if (!solve->measures) {
		solve_end(solve, api->geev(solve->handle, solve->params, none, right, a->rows, type,
		                           a->memory, a->ld, type, w, type, NULL, a->rows, type,
		                           v->memory, a->rows, type, solve->work,
		                           solve->room.device_bytes, solve->host_work,
		                           solve->room.host_bytes, solve_next_info(solve)));
		return;
	}
	const int status = api->geev_size(solve->handle, solve->params, none, right, a->rows, type,
	                                  a->memory, a->ld, type, w, type, NULL, a->rows, type,
	                                  v->memory, a->rows, type, &device_bytes, &host_bytes);
	solve_need(solve, status, device_bytes, host_bytes);
}

void solve_part_values(struct solve *solve)
{
	const struct solve_array *w = &solve->array[LAPACK_W], *wi = &solve->array[LAPACK_WI];
	const uint64_t bytes = (uint64_t)w->rows * element_size_bytes(solve->call.element);
	if (element_is_complex(solve->call.element) || !solve_begin_as(solve, "copy", true))
		return;
	if (solve->measures) {
		solve->room.spare_bytes = 2 * bytes;
		return;
	}
	const struct cuda_api *api = solve->lane->api;
	solve_end_copy(solve, api->memcpy_async(w->memory, solve->spare, bytes,
	                                        CUDA_COPY_BY_ADDRESS, solve->lane->stream));
	solve_end_copy(solve, api->memcpy_async(wi->memory, solve->spare + bytes, bytes,
	                                        CUDA_COPY_BY_ADDRESS, solve->lane->stream));
}
