/* solve.c - steps of recipes: calls of cuSOLVER, or what they need as workspace */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/lapack/solve.h"

#include <limits.h>
#include <string.h>

enum reason solve_judge_status(int status)
{
	switch (status) {
	case CUSOLVER_SUCCESS: return REASON_NONE;
	case CUSOLVER_OUT_OF_MEMORY: return REASON_DEVICE_MEMORY;
	case CUSOLVER_NOT_OFFERED: return REASON_FUNCTION_MISSING;
	default: return REASON_LIBRARY_FAILED;
	}
}

/* -- one step ---------------------------------------------------------------------------------- */

void solve_fail(struct solve *solve, enum reason reason)
{
	if (solve->reason == REASON_NONE)
		solve->reason = reason;
}

/*
 * Waits for the steps so far: without their results the next one might follow pivots that are none,
 * which a device does not survive.
 */
static void solve_confirm(struct solve *solve)
{
	const struct cuda_api *api = solve->lane->api;
	const int *info = solve->tail;
	if (api->memcpy_async(solve->tail, solve->info, SOLVE_INFOS * sizeof(int),
	                      CUDA_COPY_DEVICE_TO_HOST, solve->lane->stream) != CUDA_SUCCESS)
		solve_fail(solve, REASON_TRANSFER_FAILED);
	const enum reason confirmed = lanes_confirm(solve->lane);
	if (confirmed != REASON_NONE)
		solve_fail(solve, confirmed);
	for (int i = 0; i < solve->infos && solve->reason == REASON_NONE; i++)
		if (info[i] != 0)
			solve_fail(solve, REASON_NOT_SOLVED);
}

void solve_tell(struct solve *solve, const char *word)
{
	const size_t used = strlen(solve->steps), gap = used > 0, length = strlen(word);
	if (used + gap + length >= sizeof solve->steps)
		return;
	if (gap > 0)
		solve->steps[used] = ' ';
	memcpy(solve->steps + used + gap, word, length + 1);
}

static void solve_tell_step(struct solve *solve, const char *name)
{
	static const char prefix[] = "solve_";
	if (name != NULL)
		solve_tell(solve, strncmp(name, prefix, sizeof prefix - 1) == 0
		                          ? name + sizeof prefix - 1
		                          : name);
}

bool solve_begin_step(struct solve *solve, const char *name, bool has)
{
	if (solve->tells) {
		solve_tell_step(solve, name);
		return has;
	}
	if (!has)
		solve_fail(solve, REASON_FUNCTION_MISSING);
	if (solve->reason == REASON_NONE && solve->infos > 0)
		solve_confirm(solve);
	if (solve->reason == REASON_NONE && !solve->measures)
		solve_tell_step(solve, name);
	return solve->reason == REASON_NONE;
}

void solve_end(struct solve *solve, int status)
{
	solve_fail(solve, solve_judge_status(status));
}

void solve_end_blas(struct solve *solve, int status)
{
	if (status != CUBLAS_SUCCESS)
		solve_fail(solve, REASON_LIBRARY_FAILED);
}

void solve_end_copy(struct solve *solve, int error)
{
	if (error != CUDA_SUCCESS)
		solve_fail(solve, REASON_TRANSFER_FAILED);
}

/* The end of a measurement: steps use the same workspace one after the other. */
void solve_need(struct solve *solve, int status, size_t device_bytes, size_t host_bytes)
{
	solve_end(solve, status);
	if (device_bytes > solve->room.device_bytes)
		solve->room.device_bytes = device_bytes;
	if (host_bytes > solve->room.host_bytes)
		solve->room.host_bytes = host_bytes;
}

int *solve_next_info(struct solve *solve)
{
	return &solve->info[solve->infos++];
}

/* -- arguments --------------------------------------------------------------------------------- */

int solve_find_type(enum element element)
{
	switch (element) {
	case ELEMENT_S: return CUDA_TYPE_R_32F;
	case ELEMENT_C: return CUDA_TYPE_C_32F;
	case ELEMENT_Z: return CUDA_TYPE_C_64F;
	default: return CUDA_TYPE_R_64F;
	}
}

int solve_type(const struct solve *solve)
{
	return solve_find_type(solve->call.element);
}

int solve_real_type(const struct solve *solve)
{
	const bool single = solve->call.element == ELEMENT_S || solve->call.element == ELEMENT_C;
	return single ? CUDA_TYPE_R_32F : CUDA_TYPE_R_64F;
}

int solve_job(const struct solve *solve)
{
	return solve->call.lapack.jobs[0] == 'V' ? CUSOLVER_VECTORS : CUSOLVER_VECTORS_NONE;
}

bool solve_is_narrow(const struct solve *solve)
{
	bool narrow = true;
	for (int name = LAPACK_A; name <= LAPACK_VT; name++)
		narrow = narrow && solve->array[name].rows <= INT_MAX &&
		         solve->array[name].columns <= INT_MAX;
	return narrow;
}

int solve_count_work(const struct solve *solve)
{
	const uint64_t count = solve->room.device_bytes / element_size_bytes(solve->call.element);
	return count < INT_MAX ? (int)count : INT_MAX;
}

void solve_need_elements(struct solve *solve, int status, int count)
{
	solve_need(solve, status, (uint64_t)count * element_size_bytes(solve->call.element), 0);
}

int solve_triangle(const struct solve *solve)
{
	return solve->call.lapack.uplo == UPLO_UPPER ? CUBLAS_TRIANGLE_UPPER
	                                             : CUBLAS_TRIANGLE_LOWER;
}

/* Real types: T for C, as for cuBLAS. */
int solve_operation(const struct solve *solve, enum transpose trans)
{
	if (trans == TRANSPOSE_N)
		return CUBLAS_OPERATION_N;
	return trans == TRANSPOSE_C && element_is_complex(solve->call.element) ? CUBLAS_OPERATION_C
	                                                                       : CUBLAS_OPERATION_T;
}

static void *solve_pivots(const struct solve *solve)
{
	return solve->array[LAPACK_IPIV].memory;
}

/* -- steps ------------------------------------------------------------------------------------- */

void solve_getrf(struct solve *solve)
{
	const struct cuda_solver *api = solve->api;
	const struct solve_array *a = &solve->array[LAPACK_A];
	const int type = solve_type(solve);
	size_t device_bytes = 0, host_bytes = 0;
	if (!solve_begin(solve, api->getrf_size != NULL && api->getrf != NULL))
		return;
	if (!solve->measures) {
		solve_end(solve, api->getrf(solve->handle, solve->params, a->rows, a->columns, type,
		                            a->memory, a->ld, solve_pivots(solve), type,
		                            solve->work, solve->room.device_bytes, solve->host_work,
		                            solve->room.host_bytes, solve_next_info(solve)));
		return;
	}
	const int status = api->getrf_size(solve->handle, solve->params, a->rows, a->columns, type,
	                                   a->memory, a->ld, type, &device_bytes, &host_bytes);
	solve_need(solve, status, device_bytes, host_bytes);
}

void solve_getrs(struct solve *solve, enum transpose trans)
{
	const struct solve_array *a = &solve->array[LAPACK_A], *b = &solve->array[LAPACK_B];
	const int type = solve_type(solve);
	if (!solve_begin(solve, solve->api->getrs != NULL) || solve->measures)
		return;
	solve_end(solve, solve->api->getrs(solve->handle, solve->params,
	                                   solve_operation(solve, trans), a->rows, b->columns, type,
	                                   a->memory, a->ld, solve_pivots(solve), type, b->memory,
	                                   b->ld, solve_next_info(solve)));
}

void solve_potrf(struct solve *solve)
{
	const struct cuda_solver *api = solve->api;
	const struct solve_array *a = &solve->array[LAPACK_A];
	const int type = solve_type(solve), uplo = solve_triangle(solve);
	size_t device_bytes = 0, host_bytes = 0;
	if (!solve_begin(solve, api->potrf_size != NULL && api->potrf != NULL))
		return;
	if (!solve->measures) {
		solve_end(solve, api->potrf(solve->handle, solve->params, uplo, a->rows, type,
		                            a->memory, a->ld, type, solve->work,
		                            solve->room.device_bytes, solve->host_work,
		                            solve->room.host_bytes, solve_next_info(solve)));
		return;
	}
	const int status = api->potrf_size(solve->handle, solve->params, uplo, a->rows, type,
	                                   a->memory, a->ld, type, &device_bytes, &host_bytes);
	solve_need(solve, status, device_bytes, host_bytes);
}

void solve_potrs(struct solve *solve)
{
	const struct solve_array *a = &solve->array[LAPACK_A], *b = &solve->array[LAPACK_B];
	const int type = solve_type(solve);
	if (!solve_begin(solve, solve->api->potrs != NULL) || solve->measures)
		return;
	solve_end(solve, solve->api->potrs(solve->handle, solve->params, solve_triangle(solve),
	                                   a->rows, b->columns, type, a->memory, a->ld, type,
	                                   b->memory, b->ld, solve_next_info(solve)));
}
