/* solver.c - opens cuSOLVER; makes and keeps handles, sizes of workspaces, host memory */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/lapack/solver.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "shim/base/diag.h"
#include "shim/base/lasting.h"
#include "shim/base/loader_lock.h"
#include "shim/base/observe.h"
#include "shim/base/one_off.h"

/* -- the library -- */

enum solver_state { SOLVER_UNTRIED, SOLVER_OPENING, SOLVER_OPEN, SOLVER_ABSENT };

static atomic_int solver_state = SOLVER_UNTRIED;
static struct cuda_solver solver_api; /* written before SOLVER_OPEN */
static atomic_bool solver_started[CUDA_DEVICES];

static void solver_load(void)
{
	char sentence[CUDA_SENTENCE_BYTES];
	const int64_t begin_ns = observe_begin("open cuSOLVER");
	one_off_begin();
	const bool opened = cuda_solver_open(lanes_find_set(), &solver_api, sentence);
	one_off_end();
	observe_end("open cuSOLVER", begin_ns);
	if (!opened)
		diag_warn("%s; calls of LAPACK stay on the CPU", sentence);
	atomic_store(&solver_state, opened ? SOLVER_OPEN : SOLVER_ABSENT);
}

/*
 * cuSOLVER opens libraries of its own inside a call. A thread that holds a lock of the loader, as
 * in a constructor, would wait for such a call, and the call for it.
 */
enum reason solver_open(const struct cuda_solver **api)
{
	int state = atomic_load(&solver_state);
	const unsigned holders = loader_lock_find_holders(0);
	if ((holders & LOADER_HOLDER_MINE) != 0 ||
	    (state == SOLVER_UNTRIED && (holders & LOADER_HOLDER_OTHER) != 0))
		return REASON_WARMING_UP;
	if (state == SOLVER_UNTRIED &&
	    atomic_compare_exchange_strong(&solver_state, &state, SOLVER_OPENING)) {
		solver_load();
		state = atomic_load(&solver_state);
	}
	if (state == SOLVER_OPENING)
		return REASON_WARMING_UP;
	*api = &solver_api;
	return state == SOLVER_OPEN ? REASON_NONE : REASON_FUNCTION_MISSING;
}

/* -- of a lane -- */

struct solver *solver_find(struct lane *lane)
{
	if (lane->solver == NULL)
		lane->solver = lasting_take(sizeof(struct solver));
	return lane->solver;
}

enum reason solver_take_host(struct solver *solver, uint64_t size_bytes)
{
	if (size_bytes <= solver->host_bytes)
		return REASON_NONE;
	free(solver->host);
	solver->host_bytes = 0;
	solver->host = malloc(size_bytes);
	if (solver->host == NULL)
		return REASON_HOST_MEMORY;
	solver->host_bytes = size_bytes;
	return REASON_NONE;
}

bool solver_recall(const struct solver *solver, const struct solver_shape *shape,
                   struct solve_room *room)
{
	const int known = solver->sizes < SOLVER_SHAPES ? solver->sizes : SOLVER_SHAPES;
	for (int i = 0; i < known; i++)
		if (memcmp(&solver->size[i].shape, shape, sizeof *shape) == 0) {
			*room = solver->size[i].room;
			return true;
		}
	return false;
}

void solver_note(struct solver *solver, const struct solver_shape *shape,
                 const struct solve_room *room)
{
	struct solver_size *size = &solver->size[solver->sizes++ % SOLVER_SHAPES];
	size->shape = *shape;
	size->room = *room;
	if (solver->sizes == 2 * SOLVER_SHAPES)
		solver->sizes = SOLVER_SHAPES;
}

bool solver_is_started(int device)
{
	return device >= 0 && device < CUDA_DEVICES && atomic_load(&solver_started[device]);
}

static int solver_make_handle(struct lane *lane, const struct cuda_solver *api,
                              struct solver *solver)
{
	int status = CUSOLVER_SUCCESS;
	if (solver->handle == NULL)
		status = api->create(&solver->handle);
	if (status != CUSOLVER_SUCCESS) {
		solver->handle = NULL;
		return status;
	}
	status = api->set_stream(solver->handle, lane->stream);
	if (status == CUSOLVER_SUCCESS && api->set_math_mode != NULL)
		status = api->set_math_mode(solver->handle, CUSOLVER_MATH_DEFAULT);
	if (status == CUSOLVER_SUCCESS && api->set_deterministic != NULL)
		status = api->set_deterministic(solver->handle, CUSOLVER_DETERMINISTIC);
	return status;
}

static int solver_make_params(const struct cuda_solver *api, void **params)
{
	const int status = *params == NULL ? api->create_params(params) : CUSOLVER_SUCCESS;
	if (status != CUSOLVER_SUCCESS)
		*params = NULL;
	return status;
}

/*
 * One step after the other, so that a failure leaves what can be used by the next call. Modes that
 * this release does not have are its only ones.
 */
enum reason solver_prepare(struct lane *lane, const struct cuda_solver *api)
{
	struct solver *solver = lane->solver;
	if (solver->prepared)
		return REASON_NONE;
	if (api->create == NULL || api->set_stream == NULL || api->create_params == NULL ||
	    api->set_options == NULL)
		return REASON_FUNCTION_MISSING;
	int status = solver_make_handle(lane, api, solver);
	if (status == CUSOLVER_SUCCESS)
		status = solver_make_params(api, &solver->params);
	if (status == CUSOLVER_SUCCESS)
		status = solver_make_params(api, &solver->small_params);
	if (status == CUSOLVER_SUCCESS)
		status = api->set_options(solver->small_params, CUSOLVER_FUNCTION_GETRF,
		                          CUSOLVER_ALGORITHM_SMALL);
	solver->prepared = status == CUSOLVER_SUCCESS;
	if (solver->prepared)
		atomic_store(&solver_started[lane->device], true);
	return solve_judge_status(status);
}
