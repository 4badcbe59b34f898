/* measure_solver.c - the speed of cuSOLVER, by the shim's own recipes */
/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/measure_solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/random.h"
#include "shim/base/clock.h"
#include "shim/execute/gpu/lapack/lapack_recipe.h"

/* As cudaMalloc aligns. */
enum { SOLVER_ALIGNMENT_BYTES = 256, SOLVER_SEED = 9 };

enum reason measure_solver_open(struct measure_solver *measure, const struct probe *probe)
{
	const int64_t begin_ns = clock_monotonic_ns();
	const struct cuda_solver *api;
	*measure = (struct measure_solver){.probe = probe};
	enum reason reason = solver_open(&api);
	if (reason != REASON_NONE)
		return reason;
	measure->solver = solver_find(probe->lane);
	if (measure->solver == NULL)
		return REASON_HOST_MEMORY;
	measure->solver->solve.api = api;
	reason = solver_prepare(probe->lane, api);
	measure->start_ns = (double)(clock_monotonic_ns() - begin_ns);
	return reason;
}

/* Nothing is read at the addresses. */
static struct call measure_solver_describe(enum family family, int64_t n)
{
	static char there;
	const bool singular = family == FAMILY_GESDD, general = family == FAMILY_GEEV;
	return (struct call){.family = family,
	                     .element = ELEMENT_D,
	                     .lapack = {.uplo = UPLO_LOWER,
	                                .jobs = {general    ? 'N'
	                                         : singular ? 'S'
	                                                    : 'V',
	                                         'V'},
	                                .range = 'A',
	                                .m = n,
	                                .n = n,
	                                .lda = n,
	                                .ldu = n,
	                                .ldvt = n,
	                                .a = &there,
	                                .u = &there,
	                                .vt = &there,
	                                .w = &there,
	                                .wi = &there,
	                                .tau = &there,
	                                .ipiv = &there,
	                                .info = &there}};
}

/* The next part of the device's memory. */
static char *measure_solver_next(const struct measure_solver *measure, uint64_t *used_bytes,
                                 uint64_t size_bytes)
{
	char *memory = measure->probe->device + *used_bytes;
	*used_bytes += size_bytes + (SOLVER_ALIGNMENT_BYTES - size_bytes % SOLVER_ALIGNMENT_BYTES) %
	                                    SOLVER_ALIGNMENT_BYTES;
	return memory;
}

/* Elements, numbers and pivots have 8 bytes each. */
static uint64_t measure_solver_place(struct measure_solver *measure)
{
	struct solve *solve = &measure->solver->solve;
	struct lapack_operands operands;
	uint64_t used_bytes = 0;
	measure->given = measure_solver_next(measure, &used_bytes, measure->matrix_bytes);
	solve->info =
		(int *)(void *)measure_solver_next(measure, &used_bytes, SOLVE_INFOS * sizeof(int));
	lapack_operand_list(&solve->call, &operands);
	for (int i = 0; i < operands.count; i++) {
		const struct lapack_operand *operand = &operands.list[i];
		if (operand->name > LAPACK_IPIV)
			continue;
		const uint64_t bytes = (uint64_t)(operand->rows * operand->columns) * 8;
		solve->array[operand->name] =
			(struct solve_array){measure_solver_next(measure, &used_bytes, bytes),
		                             operand->rows, operand->columns, operand->rows};
	}
	return used_bytes;
}

/* Asks for the workspace, and places it behind the used bytes. */
static enum reason measure_solver_place_room(struct measure_solver *measure, uint64_t used_bytes)
{
	struct solve *solve = &measure->solver->solve;
	solve->measures = true;
	lapack_recipe_find(solve->call.family)(solve);
	solve->measures = false;
	if (solve->reason != REASON_NONE)
		return solve->reason;
	solve->work = measure_solver_next(measure, &used_bytes, solve->room.device_bytes);
	solve->spare = measure_solver_next(measure, &used_bytes, solve->room.spare_bytes);
	if (used_bytes > measure->probe->device_bytes)
		return REASON_DEVICE_MEMORY;
	free(measure->host_work);
	measure->host_work = solve->host_work = malloc(solve->room.host_bytes + 1);
	return solve->host_work != NULL ? REASON_NONE : REASON_HOST_MEMORY;
}

/* Numbers beside the diagonal are at most a half, so that the matrix of potrf is definite. */
static enum reason measure_solver_fill(const struct measure_solver *measure)
{
	const struct lane *lane = measure->probe->lane;
	const struct call *call = &measure->solver->solve.call;
	const int64_t n = call->lapack.n;
	double *matrix = (double *)(void *)measure->probe->host;
	random_fill(matrix, (size_t)(n * n), false, SOLVER_SEED, 0);
	for (int64_t i = 0; i < n && call->family == FAMILY_POTRF; i++)
		matrix[i * (n + 1)] += (double)n;
	if (lane->api->memcpy_async(measure->given, matrix, measure->matrix_bytes,
	                            CUDA_COPY_HOST_TO_DEVICE, lane->stream) != CUDA_SUCCESS)
		return REASON_TRANSFER_FAILED;
	return lanes_confirm(measure->probe->lane);
}

enum reason measure_solver_take(struct measure_solver *measure, enum family family, int64_t order)
{
	static int infos[SOLVE_INFOS];
	const struct probe *probe = measure->probe;
	struct solver *solver = measure->solver;
	const uint64_t square = (uint64_t)order * (uint64_t)order * sizeof(double);
	/* The matrix and its copy at the least. */
	if (square > probe->host_bytes || square > probe->device_bytes / 2)
		return REASON_DEVICE_MEMORY;
	measure->matrix_bytes = square;
	solver->solve = (struct solve){.api = solver->solve.api,
	                               .lane = probe->lane,
	                               .handle = solver->handle,
	                               .params = solver->params,
	                               .call = measure_solver_describe(family, order),
	                               .tail = infos,
	                               .tail_bytes = sizeof infos};
	const uint64_t used_bytes = measure_solver_place(measure);
	if (used_bytes > probe->device_bytes)
		return REASON_DEVICE_MEMORY;
	const enum reason reason = measure_solver_place_room(measure, used_bytes);
	return reason == REASON_NONE ? measure_solver_fill(measure) : reason;
}

/* A copy of the matrix for the call, which overwrites it. */
static bool measure_solver_restore(const struct measure_solver *measure)
{
	struct lane *lane = measure->probe->lane;
	struct solve *solve = &measure->solver->solve;
	solve->infos = 0;
	solve->steps[0] = '\0';
	return lane->api->memcpy_async(solve->array[LAPACK_A].memory, measure->given,
	                               measure->matrix_bytes, CUDA_COPY_BY_ADDRESS,
	                               lane->stream) == CUDA_SUCCESS &&
	       lanes_confirm(lane) == REASON_NONE;
}

/* Whether each step reports that it has solved its part. */
static bool measure_solver_judge(const struct measure_solver *measure)
{
	struct lane *lane = measure->probe->lane;
	const struct solve *solve = &measure->solver->solve;
	const int *info = solve->tail;
	if (lane->api->memcpy_async(solve->tail, solve->info, solve->tail_bytes,
	                            CUDA_COPY_DEVICE_TO_HOST, lane->stream) != CUDA_SUCCESS ||
	    lanes_confirm(lane) != REASON_NONE)
		return false;
	for (int i = 0; i < solve->infos; i++)
		if (info[i] != 0)
			return false;
	return true;
}

double measure_solver_call(struct measure_solver *measure)
{
	struct lane *lane = measure->probe->lane;
	struct solve *solve = &measure->solver->solve;
	if (!measure_solver_restore(measure))
		return (double)NAN;
	const int64_t begin_ns = clock_monotonic_ns();
	lapack_recipe_find(solve->call.family)(solve);
	const enum reason confirmed = lanes_confirm(lane);
	const int64_t end_ns = clock_monotonic_ns();
	const bool solved = solve->reason == REASON_NONE && confirmed == REASON_NONE &&
	                    measure_solver_judge(measure);
	return solved ? (double)(end_ns - begin_ns) / 1e9 : (double)NAN;
}

enum reason measure_solver_find_reason(const struct measure_solver *measure)
{
	const enum reason reason = measure->solver->solve.reason;
	return reason != REASON_NONE ? reason : REASON_NOT_SOLVED;
}
