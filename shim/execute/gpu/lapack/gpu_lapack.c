/* gpu_lapack.c - runs LAPACK calls by cuSOLVER: memory, loads, recipe, info, stores */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/lapack/gpu_lapack.h"

#include <stdatomic.h>
#include <string.h>

#include "policy/call/lapack_flops.h"
#include "shim/base/observe.h"
#include "shim/base/one_off.h"
#include "shim/execute/gpu/device/blas_math.h"
#include "shim/execute/gpu/device/gpu_place.h"
#include "shim/execute/gpu/device/lane_owner.h"
#include "shim/execute/gpu/engine/blocking.h"
#include "shim/execute/gpu/lapack/gpu_factor.h"
#include "shim/execute/gpu/lapack/lapack_flows.h"
#include "shim/execute/gpu/lapack/lapack_mirrors.h"
#include "shim/execute/gpu/lapack/lapack_recipe.h"
#include "shim/execute/gpu/lapack/lapack_scale.h"

/*
 * A call of cuSOLVER shows no progress until its end: it may take as long as a GPU would take that
 * does so many operations in a second, beyond the option patience.
 */
static const double gpu_lapack_least_flops = 1e11;

static int64_t gpu_lapack_allow_ns(const struct call *call)
{
	return (int64_t)(lapack_flops_count(call) / gpu_lapack_least_flops * 1e9);
}

/* -- on the blocking thread -- */

static enum reason gpu_lapack_measure(struct lane *lane, void *object)
{
	struct solver *solver = object;
	struct solve *solve = &solver->solve;
	const enum reason reason = solver_prepare(lane, solve->api);
	if (reason != REASON_NONE)
		return reason;
	solve->handle = solver->handle;
	solve->params = solve->frugal ? solver->small_params : solver->params;
	solve->measures = true;
	solve->reason = REASON_NONE;
	solve->room = (struct solve_room){.device_bytes = 0};
	lapack_recipe_find(solve->call.family)(solve);
	solve->measures = false;
	return solve->reason;
}

bool gpu_lapack_is_started(int device)
{
	return solver_is_started(device);
}

static enum reason gpu_lapack_fetch_tail(const struct solve *solve)
{
	const int error =
		solve->lane->api->memcpy_async(solve->tail, solve->info, solve->tail_bytes,
	                                       CUDA_COPY_DEVICE_TO_HOST, solve->lane->stream);
	return error == CUDA_SUCCESS ? REASON_NONE : REASON_TRANSFER_FAILED;
}

/* Nothing is pending on the stream afterwards, or the lane is broken. */
static enum reason gpu_lapack_solve(struct lane *lane, void *object)
{
	struct solver *solver = object;
	struct solve *solve = &solver->solve;
	enum reason reason = solver_prepare(lane, solve->api);
	solve->handle = solver->handle;
	solve->params = solve->frugal ? solver->small_params : solver->params;
	solve->steps[0] = '\0';
	if (reason == REASON_NONE) {
		lapack_recipe_find(solve->call.family)(solve);
		reason = solve->reason;
	}
	if (reason == REASON_NONE && !lapack_flows_have_late_infos(&solve->call))
		reason = gpu_lapack_fetch_tail(solve);
	const enum reason confirmed = lanes_confirm(lane);
	return confirmed == REASON_NONE ? reason : confirmed;
}

/* -- workspace -- */

static struct solver_shape gpu_lapack_find_shape(const struct lapack_job *job, bool frugal)
{
	const struct call *call = job->call;
	const struct lapack_call *lapack = &call->lapack;
	return (struct solver_shape){
		.family = call->family,
		.element = call->element,
		.letters = {(int)lapack->side | (int)lapack->uplo << 1 | (int)lapack->diag << 2 |
	                            (int)frugal << 3,
	                    (int)lapack->trans, lapack->itype, lapack->jobs[0], lapack->jobs[1],
	                    lapack->range},
		.m = lapack->m,
		.n = lapack->n,
		.k = lapack->range == 'I' ? lapack->il : lapack->k,
		.nrhs = lapack->range == 'I' ? lapack->iu : lapack->nrhs,
		.ld = job->solver->solve.array[LAPACK_A].ld,
	};
}

static enum reason gpu_lapack_find_room(struct lapack_job *job, struct solve_room *room)
{
	struct solver *solver = job->solver;
	const struct solver_shape shape = gpu_lapack_find_shape(job, solver->solve.frugal);
	if (solver_recall(solver, &shape, room))
		return REASON_NONE;
	const int64_t begin_ns = observe_begin("measure workspace");
	one_off_note();
	const enum reason reason = blocking_run(job->lane, gpu_lapack_measure, solver, 0);
	one_off_note();
	observe_end("measure workspace", begin_ns);
	if (reason != REASON_NONE)
		return reason;
	*room = solver->solve.room;
	solver_note(solver, &shape, room);
	return REASON_NONE;
}

static enum reason gpu_lapack_take_room(struct lapack_job *job, bool frugal)
{
	struct solve_room room;
	job->solver->solve.frugal = frugal;
	const enum reason reason = gpu_lapack_find_room(job, &room);
	return reason == REASON_NONE ? lapack_job_take_room(job, &room) : reason;
}

/* Before anything is copied, so that a lack of memory costs nothing. */
static enum reason gpu_lapack_take_memory(struct lapack_job *job, const struct cuda_solver *api)
{
	enum reason reason = lapack_job_take_memory(job);
	if (reason != REASON_NONE)
		return reason;
	job->solver->solve.api = api;
	reason = gpu_lapack_take_room(job, false);
	if (reason == REASON_DEVICE_MEMORY)
		reason = gpu_lapack_take_room(job, true);
	return reason;
}

/* -- in, solve, out -- */

/* The first call of a kind loads kernels; those of a planned call are others. */
static bool gpu_lapack_is_first(const struct call *call, int device, bool planned)
{
	static atomic_bool seen[CUDA_DEVICES][FAMILY_COUNT][ELEMENT_BLAS_COUNT][2];
	return !atomic_exchange(&seen[device][call->family][call->element][planned], true);
}

static enum reason gpu_lapack_load(struct lapack_job *job)
{
	lane_owner_copy(true);
	enum reason reason = lapack_job_fill_tail(job);
	lane_owner_copy(false);
	struct flow flow = {.lane = job->lane, .program = lapack_flows_loads(job)};
	if (reason == REASON_NONE)
		reason = flow_run(&flow, 1);
	return reason == REASON_NONE ? lapack_scale_judge(job) : reason;
}

static enum reason gpu_lapack_compute(struct lapack_job *job)
{
	const bool first = gpu_lapack_is_first(job->call, job->lane->device, false);
	const int64_t begin_ns = observe_begin("solve");
	if (first)
		one_off_note();
	enum reason reason = blocking_run_beside(job->lane, gpu_lapack_solve, job->solver,
	                                         gpu_lapack_allow_ns(job->call),
	                                         job->defers ? lapack_flows_prove_part : NULL, job);
	if (first)
		one_off_note();
	observe_end("solve", begin_ns);
	if (reason != REASON_NONE || lapack_flows_have_late_infos(job->call))
		return reason;
	return lapack_job_judge_tail(job);
}

static enum reason gpu_lapack_store(struct lapack_job *job)
{
	struct flow flow = {.lane = job->lane, .program = lapack_flows_stores(job)};
	enum reason reason = flow_run(&flow, 1);
	if (reason == REASON_NONE && lapack_flows_have_late_infos(job->call))
		reason = lapack_job_judge_tail(job);
	return lapack_job_end(job, reason, &flow.progress, lapack_flows_restore, job);
}

/* With its copies overlapped. */
static enum reason gpu_lapack_factor(struct lapack_job *job, const struct cuda_solver *api,
                                     bool streams)
{
	const bool first = gpu_lapack_is_first(job->call, job->lane->device, true);
	if (first)
		one_off_note();
	const enum reason reason = gpu_factor_run(job, api, streams);
	if (first)
		one_off_note();
	return reason;
}

static enum reason gpu_lapack_run_whole(struct lapack_job *job, const struct cuda_solver *api)
{
	enum reason reason = gpu_lapack_take_memory(job, api);
	if (reason == REASON_NONE)
		reason = gpu_lapack_load(job);
	if (reason == REASON_NONE)
		reason = gpu_lapack_compute(job);
	return reason == REASON_NONE ? gpu_lapack_store(job) : reason;
}

/* Memory that only the device can read is no operand of LAPACK's on any side. */
static enum reason gpu_lapack_judge_places(const struct lapack_job *job)
{
	enum reason reason = REASON_NONE;
	for (int i = 0; i < job->matrices && reason == REASON_NONE; i++) {
		struct gpu_place_found place;
		reason = gpu_place_find(job->lane->api, job->matrix[i].operand->base, &place);
		if (reason == REASON_NONE && place.on_device && !place.managed)
			reason = REASON_UNSUPPORTED_LAYOUT;
	}
	return reason;
}

/* way: of a planned call, else NULL. */
static void gpu_lapack_account_for(const struct lapack_job *job, const char *way,
                                   struct gpu_lapack_account *account)
{
	struct solve *solve = &job->solver->solve;
	const enum family family = job->call->family;
	const bool is_lu = family == FAMILY_GETRF || family == FAMILY_GESV;
	_Static_assert(sizeof account->recipe == sizeof solve->steps, "one text");
	if (way != NULL)
		solve->steps[0] = '\0';
	if (way != NULL || (solve->frugal && is_lu))
		solve_tell(solve, way != NULL ? way : "alg_1");
	memcpy(account->recipe, solve->steps, sizeof account->recipe);
	account->work_bytes = job->work_bytes;
}

/*
 * How a call is to be run, and was: streams, since the device has no room for it as a whole;
 * mirrors: operands may have some. defers: see mirrors_defer; refuted: that was in vain.
 */
struct gpu_lapack_way {
	bool streams, mirrors, defers, refuted;
};

static enum reason gpu_lapack_run_on(struct lane *lane, const struct cuda_solver *api,
                                     const struct call *call, struct gpu_lapack_account *account,
                                     struct gpu_lapack_way *way)
{
	struct lapack_job job;
	struct solver *solver = solver_find(lane);
	if (solver == NULL)
		return REASON_HOST_MEMORY;
	enum reason reason = lapack_job_begin(&job, lane, call, solver);
	if (reason == REASON_NONE)
		reason = gpu_lapack_judge_places(&job);
	if (reason != REASON_NONE)
		return reason;
	if (way->streams && !gpu_factor_can_stream(&job, api))
		return REASON_DEVICE_MEMORY;
	way->streams = way->streams || gpu_factor_streams(&job, api);
	const bool planned = way->streams || gpu_factor_wants(&job, api);
	lapack_mirrors_begin(&job, way->mirrors && !way->streams, way->defers && !planned);
	reason = planned ? gpu_lapack_factor(&job, api, way->streams)
	                 : gpu_lapack_run_whole(&job, api);
	way->refuted = reason == REASON_NOT_SOLVED && job.defers && job.mirrors->refuted;
	if (way->refuted)
		mirrors_retreat(job.mirrors);
	else if (reason != REASON_CALL_LEFT)
		mirrors_end(job.mirrors, reason == REASON_NONE);
	if (reason == REASON_NONE)
		gpu_lapack_account_for(&job,
		                       way->streams ? "streamed"
		                       : planned    ? "panels"
		                                    : NULL,
		                       account);
	return reason;
}

/*
 * cuSOLVER calls a cuBLAS of its own, whose arithmetic cannot be pinned where a variable asks for
 * another one.
 */
static enum reason gpu_lapack_judge(const struct call *call)
{
	const enum reason reason = lapack_recipe_judge(call);
	if (reason != REASON_NONE)
		return reason;
	return blas_math_find_doubt(call->element) != NULL ? REASON_MATH_NOT_NATIVE : REASON_NONE;
}

/*
 * Whether the device answers: then the memory of a streamed call, which is nearly all that there
 * is, is given back. A small call that found it idle would take it as a whole.
 */
static bool gpu_lapack_is_sound(enum reason reason)
{
	return reason == REASON_NONE || reason == REASON_NOT_SOLVED || reason == REASON_NOT_FINITE;
}

static enum reason gpu_lapack_run_once(const struct call *call, int device,
                                       const struct cuda_solver *api,
                                       struct gpu_lapack_account *account,
                                       struct gpu_lapack_way *way)
{
	struct lane *lane;
	const int64_t begin_ns = observe_begin("take lane");
	const enum reason taken = lanes_take(device, &lane);
	observe_end("take lane", begin_ns);
	if (taken != REASON_NONE)
		return taken;
	const enum reason reason = gpu_lapack_run_on(lane, api, call, account, way);
	lanes_give(lane);
	return reason;
}

/* Workspaces that are not known beforehand may be what the device has no room for. */
enum reason gpu_lapack_run(const struct call *call, int device, struct gpu_lapack_account *account,
                           bool *finished)
{
	const struct cuda_solver *api;
	struct gpu_lapack_way way = {.mirrors = true, .defers = true};
	*finished = false;
	enum reason reason = gpu_lapack_judge(call);
	if (reason == REASON_NONE)
		reason = solver_open(&api);
	if (reason == REASON_NONE)
		reason = gpu_lapack_run_once(call, device, api, account, &way);
	if (way.refuted) {
		way.defers = false;
		reason = gpu_lapack_run_once(call, device, api, account, &way);
	}
	if (!way.streams && mirrors_give_way(reason)) {
		way.mirrors = false;
		reason = gpu_lapack_run_once(call, device, api, account, &way);
	}
	if (reason == REASON_DEVICE_MEMORY && !way.streams && gpu_factor_takes(call)) {
		lanes_trim();
		way.streams = true;
		reason = gpu_lapack_run_once(call, device, api, account, &way);
	}
	*finished = reason == REASON_NONE;
	if (way.streams && gpu_lapack_is_sound(reason))
		lanes_trim();
	return reason;
}
