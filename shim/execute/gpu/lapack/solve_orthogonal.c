/* solve_orthogonal.c - steps of recipes: QR factors */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/lapack/solve.h"

void solve_geqrf(struct solve *solve)
{
	const struct cuda_solver *api = solve->api;
	const struct solve_array *a = &solve->array[LAPACK_A];
	const int type = solve_type(solve);
	void *tau = solve->array[LAPACK_TAU].memory;
	size_t device_bytes = 0, host_bytes = 0;
	if (!solve_begin(solve, api->geqrf_size != NULL && api->geqrf != NULL))
		return;
	if (!solve->measures) {
		solve_end(solve, api->geqrf(solve->handle, solve->params, a->rows, a->columns, type,
		                            a->memory, a->ld, type, tau, type, solve->work,
		                            solve->room.device_bytes, solve->host_work,
		                            solve->room.host_bytes, solve_next_info(solve)));
		return;
	}
	const int status =
		api->geqrf_size(solve->handle, solve->params, a->rows, a->columns, type, a->memory,
	                        a->ld, type, tau, type, &device_bytes, &host_bytes);
	solve_need(solve, status, device_bytes, host_bytes);
}

void solve_orgqr(struct solve *solve)
{
	const struct solve_array *a = &solve->array[LAPACK_A], *tau = &solve->array[LAPACK_TAU];
	const int m = (int)a->rows, n = (int)a->columns, k = (int)solve->call.lapack.k;
	int count = 0;
	if (!solve_begin(solve, SOLVE_HAS(solve, orgqr_size) && SOLVE_HAS(solve, orgqr) &&
	                                solve_is_narrow(solve)))
		return;
	if (!solve->measures) {
		solve_end(solve, SOLVE_CALL(solve, orgqr, solve->handle, m, n, k, a->memory,
		                            (int)a->ld, tau->memory, solve->work,
		                            solve_count_work(solve), solve_next_info(solve)));
		return;
	}
	const int status = SOLVE_CALL(solve, orgqr_size, solve->handle, m, n, k, a->memory,
	                              (int)a->ld, tau->memory, &count);
	solve_need_elements(solve, status, count);
}

void solve_ormqr(struct solve *solve, enum side side, enum transpose trans)
{
	const struct solve_array *a = &solve->array[LAPACK_A], *c = &solve->array[LAPACK_B],
				 *tau = &solve->array[LAPACK_TAU];
	const int m = (int)c->rows, n = (int)c->columns, k = (int)a->columns,
		  operation = solve_operation(solve, trans),
		  place = side == SIDE_LEFT ? CUBLAS_ON_LEFT : CUBLAS_ON_RIGHT;
	int count = 0;
	if (!solve_begin(solve, SOLVE_HAS(solve, ormqr_size) && SOLVE_HAS(solve, ormqr) &&
	                                solve_is_narrow(solve)))
		return;
	if (!solve->measures) {
		solve_end(solve,
		          SOLVE_CALL(solve, ormqr, solve->handle, place, operation, m, n, k,
		                     a->memory, (int)a->ld, tau->memory, c->memory, (int)c->ld,
		                     solve->work, solve_count_work(solve), solve_next_info(solve)));
		return;
	}
	const int status =
		SOLVE_CALL(solve, ormqr_size, solve->handle, place, operation, m, n, k, a->memory,
	                   (int)a->ld, tau->memory, c->memory, (int)c->ld, &count);
	solve_need_elements(solve, status, count);
}
