/* solve_spectrum.c - steps of recipes: eigenvalues and eigenvectors of symmetric matrices */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/lapack/solve.h"

static int solve_spectrum_type(const struct solve *solve)
{
	const bool single = solve->call.element == ELEMENT_S || solve->call.element == ELEMENT_C;
	return single ? CUDA_TYPE_R_32F : CUDA_TYPE_R_64F;
}

static int solve_spectrum_job(const struct solve *solve)
{
	return solve->call.lapack.jobs[0] == 'V' ? CUSOLVER_VECTORS : CUSOLVER_VECTORS_NONE;
}

void solve_syevd(struct solve *solve)
{
	const struct cuda_solver *api = solve->api;
	const struct solve_array *a = &solve->array[LAPACK_A], *w = &solve->array[LAPACK_W];
	const int type = solve_type(solve), real = solve_spectrum_type(solve),
		  job = solve_spectrum_job(solve), uplo = solve_triangle(solve);
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
	const int type = solve_type(solve), real = solve_spectrum_type(solve),
		  job = solve_spectrum_job(solve), uplo = solve_triangle(solve),
		  range = CUSOLVER_RANGE_INDICES;
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
