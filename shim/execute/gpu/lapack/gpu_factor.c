/* gpu_factor.c - plans a factorization, runs its flow, and commits it or restores the operands */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/lapack/gpu_factor.h"

#include <limits.h>
#include <stdatomic.h>

#include "policy/decide/lapack_plan.h"
#include "policy/factor/factor.h"
#include "shim/base/clock.h"
#include "shim/base/one_off.h"
#include "shim/execute/gpu/engine/blocking.h"
#include "shim/execute/gpu/engine/engine_rates.h"
#include "shim/execute/gpu/lapack/factor_job.h"

static const int64_t gpu_factor_stop_ns = INT64_C(2000000000);

static _Atomic int gpu_factor_choice = GPU_FACTOR_BY_TIME;
static _Atomic int64_t gpu_factor_width;
static _Atomic uint64_t gpu_factor_room;

void gpu_factor_choose(enum gpu_factor_choice choice, int64_t width, uint64_t room)
{
	atomic_store(&gpu_factor_choice, choice);
	atomic_store(&gpu_factor_width, width);
	atomic_store(&gpu_factor_room, room);
}

/* -- whether ----------------------------------------------------------------------------------- */

static struct factor_rates gpu_factor_find_rates(const struct lapack_job *job)
{
	const struct lane *lane = job->lane;
	const struct panel_rates rates = engine_rates_find(lane, job->call->element);
	return lapack_plan_find_rates(
		engine_rates_find_machine(), job->call, &rates,
		panel_rates_find_memory(lane->card->capability, lane->card->multiprocessors));
}

static bool gpu_factor_is_possible(const struct factor_problem *problem,
                                   const struct cuda_solver *api)
{
	if (problem->m > INT_MAX || problem->n > INT_MAX || problem->right > INT_MAX)
		return false;
	if (problem->form == FACTOR_LU)
		return api->getrf != NULL && api->getrf_size != NULL &&
		       factor_job_find_swap(api, problem->element) != NULL;
	return api->potrf != NULL && api->potrf_size != NULL;
}

bool gpu_factor_wants(const struct lapack_job *job, const struct cuda_solver *api)
{
	struct factor_problem problem;
	const int choice = atomic_load(&gpu_factor_choice);
	if (choice == GPU_FACTOR_NEVER || !lapack_plan_find_problem(job->call, &problem) ||
	    !gpu_factor_is_possible(&problem, api))
		return false;
	if (choice == GPU_FACTOR_ALWAYS)
		return true;
	const struct factor_rates rates = gpu_factor_find_rates(job);
	return lapack_plan_wants(&problem, &rates);
}

/* The memory that the call can have; of a fixed share all but what rounding may take. */
static uint64_t gpu_factor_find_free(const struct lapack_job *job)
{
	enum { ROUNDING_PARTS = 16 };
	const uint64_t share_bytes = lanes_share_bytes(job->lane->device);
	if (share_bytes == 0)
		return memory_obtainable(job->lane->device);
	return share_bytes - share_bytes / ROUNDING_PARTS;
}

bool gpu_factor_takes(const struct call *call)
{
	struct factor_problem problem;
	return lapack_plan_find_problem(call, &problem);
}

bool gpu_factor_can_stream(const struct lapack_job *job, const struct cuda_solver *api)
{
	struct factor_problem problem;
	return atomic_load(&gpu_factor_choice) != GPU_FACTOR_NEVER &&
	       lapack_plan_find_problem(job->call, &problem) &&
	       gpu_factor_is_possible(&problem, api) &&
	       lapack_plan_find_share(&problem, (double)gpu_factor_find_free(job)) > 0;
}

bool gpu_factor_streams(const struct lapack_job *job, const struct cuda_solver *api)
{
	/* What panels need beside the operands is at most about one such part. */
	enum { WORK_PARTS = 32 };
	return gpu_factor_can_stream(job, api) &&
	       (atomic_load(&gpu_factor_room) > 0 ||
	        job->device_bytes + job->device_bytes / WORK_PARTS > gpu_factor_find_free(job));
}

/* -- memory ------------------------------------------------------------------------------------ */

static int64_t gpu_factor_least(const struct factor_problem *problem)
{
	return problem->m < problem->n ? problem->m : problem->n;
}

/* The first panel, which is the largest, and the last one. Memory that is not there yet is NULL. */
static void gpu_factor_open_panel(const struct factor_job *job, const struct cuda_solver *api)
{
	const int64_t least = gpu_factor_least(&job->problem), width = job->plan.width,
		      last = (least - 1) % width + 1;
	*job->panel = (struct factor_panel){
		.api = api,
		.form = job->problem.form,
		.frugal = job->problem.room > 0,
		.type = solve_find_type(job->problem.element),
		.triangle = job->problem.form == FACTOR_UPPER ? CUBLAS_TRIANGLE_UPPER
	                                                      : CUBLAS_TRIANGLE_LOWER,
		.rows = job->problem.m,
		.columns = width < least ? width : least,
		.count = (least + width - 1) / width,
		.last_rows = job->problem.m - least + last,
		.last_columns = last,
		.ld = job->operands->matrix[0].ld,
		.memory = job->operands->matrix[0].device,
	};
}

static enum reason gpu_factor_measure(struct lane *lane, void *object)
{
	struct solver *solver = object;
	struct factor_panel *panel = &solver->panel;
	const enum reason reason = solver_prepare(lane, panel->api);
	panel->handle = solver->handle;
	panel->params = panel->frugal ? solver->small_params : solver->params;
	return reason == REASON_NONE ? factor_panel_measure(lane, panel) : reason;
}

/* What the workspace depends on. k: the width of panels, in no other shape of these families. */
static struct solver_shape gpu_factor_find_shape(const struct factor_job *job)
{
	return (struct solver_shape){.family = job->operands->call->family,
	                             .element = job->problem.element,
	                             .letters = {job->panel->triangle, job->panel->frugal},
	                             .m = job->problem.m,
	                             .n = job->problem.n,
	                             .k = job->plan.width,
	                             .ld = job->panel->ld};
}

static enum reason gpu_factor_find_room(const struct factor_job *job)
{
	struct solver *solver = job->operands->solver;
	struct factor_panel *panel = job->panel;
	const struct solver_shape shape = gpu_factor_find_shape(job);
	if (solver_recall(solver, &shape, &panel->room)) {
		panel->handle = solver->handle;
		panel->params = panel->frugal ? solver->small_params : solver->params;
		return REASON_NONE;
	}
	one_off_note();
	const enum reason reason = blocking_run(job->operands->lane, gpu_factor_measure, solver, 0);
	one_off_note();
	if (reason == REASON_NONE)
		solver_note(solver, &shape, &panel->room);
	return reason;
}

/* cudaMalloc's alignment, to which pieces of memory are rounded. */
enum { GPU_FACTOR_ALIGNMENT = 256 };

static uint64_t gpu_factor_round(uint64_t size_bytes)
{
	return (size_bytes + GPU_FACTOR_ALIGNMENT - 1) / GPU_FACTOR_ALIGNMENT *
	       GPU_FACTOR_ALIGNMENT;
}

/* What a streamed matrix has of the device's memory beside what panels need. */
struct gpu_factor_place {
	uint64_t block_bytes, right_bytes;
};

/* B lies behind the blocks of A. */
static void gpu_factor_set_place(struct lapack_job *operands, char *device,
                                 const struct gpu_factor_place *place)
{
	for (int i = 0; i < operands->matrices && place->block_bytes > 0; i++) {
		struct lapack_matrix *matrix = &operands->matrix[i];
		const bool of_b = matrix->operand->name == LAPACK_B;
		matrix->device = of_b ? device + place->block_bytes : device;
	}
}

/*
 * The tail's host memory comes first: lapack_job_end writes the program's pivots from it.
 * Of the device's memory one piece, so that the next call of its kind finds it as it is:
 * the place, and behind it what panels need.
 */
static enum reason gpu_factor_take_room(struct lapack_job *operands, struct factor_job *job,
                                        const struct gpu_factor_place *place)
{
	const uint64_t place_bytes = place->block_bytes + place->right_bytes;
	struct factor_panel *panel = job->panel;
	const int64_t least = gpu_factor_least(&job->problem);
	const struct solve_room own = factor_panel_find_room(panel, least);
	char *device;
	void *memory;
	enum reason reason = gpu_factor_find_room(job);
	if (reason == REASON_NONE)
		reason = solver_take_host(operands->solver, operands->tail_bytes + own.host_bytes +
		                                                    panel->room.host_bytes);
	if (reason == REASON_NONE)
		reason = lanes_take_memory(
			operands->lane, place_bytes + own.device_bytes + panel->room.device_bytes,
			&memory);
	if (reason != REASON_NONE)
		return reason;
	device = memory;
	gpu_factor_set_place(operands, device, place);
	device += place_bytes;
	operands->work_bytes = own.device_bytes + panel->room.device_bytes;
	operands->tail = operands->solver->host;
	factor_panel_place(panel, device, operands->tail + operands->tail_bytes, least);
	for (int i = 0; i < operands->vectors; i++)
		if (operands->vector[i].operand->name == LAPACK_IPIV)
			panel->kept =
				(int64_t *)(void *)(operands->tail + operands->vector[i].begin);
	return REASON_NONE;
}

/* -- run --------------------------------------------------------------------------------------- */

/*
 * A flow that fails does not wait for the panel under way, and one that is done knows nothing of
 * the infos of panels without pivots. After REASON_CALL_LEFT the lane is another call's.
 */
static enum reason gpu_factor_end(const struct factor_job *job, enum reason reason)
{
	struct lane *lane = job->operands->lane;
	if (reason == REASON_CALL_LEFT || (reason == REASON_NONE && job->problem.form == FACTOR_LU))
		return reason;
	if (!blocking_stop(lane, clock_monotonic_ns() + gpu_factor_stop_ns) ||
	    reason == REASON_DEVICE_SILENT) {
		lanes_abandon(lane);
		return reason;
	}
	const enum reason ended = blocking_run(lane, factor_panel_end, job->panel, 0);
	return reason == REASON_NONE || ended == REASON_CALL_LEFT ? ended : reason;
}

static enum reason gpu_factor_flow(const struct factor_job *job)
{
	struct flow flow = {.lane = job->operands->lane, .program = factor_job_program(job)};
	const enum reason reason = gpu_factor_end(job, flow_run(&flow, 1));
	return lapack_job_end(job->operands, reason, &flow.progress, factor_job_restore, job);
}

static bool gpu_factor_plan(struct factor_job *job)
{
	const struct factor_rates rates = gpu_factor_find_rates(job->operands);
	const int64_t width = atomic_load(&gpu_factor_width);
	if (width > 0)
		return factor_fits(&job->problem, width) &&
		       factor_make_wide(&job->problem, &rates, width, &job->plan);
	return factor_make(&job->problem, &rates, &job->plan);
}

/* A thread that comes back to its call frees the plan itself. */
static void gpu_factor_take_back(void *plan, bool reusable, bool gone)
{
	(void)reusable;
	if (gone)
		factor_plan_free(plan);
}

static void gpu_factor_drop_plan(struct lapack_job *operands, struct factor_job *job,
                                 enum reason reason)
{
	if (reason != REASON_CALL_LEFT)
		operands->solver->plan = (struct factor_plan){.width = 0};
	factor_plan_free(&job->plan);
}

/* Notes the plan, so that a jump out of the call frees it. */
static void gpu_factor_note_plan(struct lapack_job *operands, const struct factor_job *job)
{
	operands->solver->plan = job->plan;
	lanes_note_loan(operands->lane, gpu_factor_take_back, &operands->solver->plan);
}

/* All operands lie on the device. */
static enum reason gpu_factor_prepare(struct lapack_job *operands, struct factor_job *job,
                                      const struct cuda_solver *api)
{
	const enum reason reason = lapack_job_take_memory(operands);
	if (reason != REASON_NONE)
		return reason;
	if (!gpu_factor_plan(job))
		return REASON_HOST_MEMORY;
	gpu_factor_note_plan(operands, job);
	gpu_factor_open_panel(job, api);
	return gpu_factor_take_room(operands, job, &(struct gpu_factor_place){.block_bytes = 0});
}

static struct gpu_factor_place gpu_factor_find_place(const struct factor_job *job)
{
	const uint64_t size = element_size_bytes(job->problem.element),
		       right = (uint64_t)job->problem.m * (uint64_t)job->problem.right;
	return (struct gpu_factor_place){gpu_factor_round(job->problem.room * size),
	                                 gpu_factor_round(right * size)};
}

/* The room for blocks in so much memory, beside what panels need. */
static uint64_t gpu_factor_count_room(const struct factor_job *job, uint64_t free_bytes,
                                      uint64_t work_bytes)
{
	const uint64_t chosen = atomic_load(&gpu_factor_room),
		       beside_bytes = work_bytes + UINT64_C(2) * GPU_FACTOR_ALIGNMENT;
	if (chosen > 0)
		return chosen;
	return free_bytes > beside_bytes
	               ? (free_bytes - beside_bytes) / element_size_bytes(job->problem.element)
	               : 0;
}

/* The steps of a plan that is only asked for its width. */
static void gpu_factor_keep_width(struct factor_job *job)
{
	const int64_t width = job->plan.width;
	factor_plan_free(&job->plan);
	job->plan.width = width;
}

/*
 * Finds room and width: the best width first for all of the memory, and then for what its panels
 * leave of that; those of a smaller width leave more.
 */
static enum reason gpu_factor_find_stream(struct factor_job *job, const struct cuda_solver *api,
                                          uint64_t free_bytes)
{
	enum { ATTEMPTS = 4 };
	const int64_t least = gpu_factor_least(&job->problem);
	uint64_t work_bytes = 0;
	for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
		job->problem.room = gpu_factor_count_room(job, free_bytes, work_bytes);
		if (job->problem.room == 0 || !gpu_factor_plan(job))
			return REASON_DEVICE_MEMORY;
		gpu_factor_keep_width(job);
		gpu_factor_open_panel(job, api);
		const enum reason reason = gpu_factor_find_room(job);
		if (reason != REASON_NONE)
			return reason;
		work_bytes = factor_panel_find_room(job->panel, least).device_bytes +
		             job->panel->room.device_bytes;
		const uint64_t room = gpu_factor_count_room(job, free_bytes, work_bytes),
			       most = factor_find_most_room(&job->problem, job->plan.width);
		job->problem.room = room < most ? room : most;
		if (room > 0 && factor_fits(&job->problem, job->plan.width))
			return REASON_NONE;
	}
	return REASON_DEVICE_MEMORY;
}

/* Takes what is free, or less where other programs were faster. */
static enum reason gpu_factor_take_stream(struct lapack_job *operands, struct factor_job *job,
                                          const struct cuda_solver *api)
{
	enum { ATTEMPTS = 8, LESS_PARTS = 8 };
	const uint64_t right_bytes = gpu_factor_find_place(job).right_bytes;
	uint64_t free_bytes = gpu_factor_find_free(operands);
	enum reason reason = REASON_DEVICE_MEMORY;
	if (free_bytes <= right_bytes)
		return reason;
	free_bytes -= right_bytes;
	for (int attempt = 0; attempt < ATTEMPTS && reason == REASON_DEVICE_MEMORY; attempt++) {
		reason = gpu_factor_find_stream(job, api, free_bytes);
		const struct gpu_factor_place place = gpu_factor_find_place(job);
		if (reason == REASON_NONE)
			reason = gpu_factor_take_room(operands, job, &place);
		free_bytes -= free_bytes / LESS_PARTS;
	}
	return reason;
}

static enum reason gpu_factor_prepare_stream(struct lapack_job *operands, struct factor_job *job,
                                             const struct cuda_solver *api)
{
	const struct factor_rates rates = gpu_factor_find_rates(operands);
	enum reason reason = lapack_job_take_shadows(operands);
	operands->solver->solve = (struct solve){.lane = operands->lane, .call = *operands->call};
	if (reason == REASON_NONE)
		reason = gpu_factor_take_stream(operands, job, api);
	if (reason == REASON_NONE &&
	    !factor_make_wide(&job->problem, &rates, job->plan.width, &job->plan))
		reason = REASON_HOST_MEMORY;
	if (reason == REASON_NONE)
		gpu_factor_note_plan(operands, job);
	return reason;
}

enum reason gpu_factor_run(struct lapack_job *operands, const struct cuda_solver *api, bool streams)
{
	struct factor_job job = {.operands = operands, .panel = &operands->solver->panel};
	lapack_plan_find_problem(operands->call, &job.problem);
	job.result.element = job.problem.element;
	enum reason reason = streams ? gpu_factor_prepare_stream(operands, &job, api)
	                             : gpu_factor_prepare(operands, &job, api);
	if (reason == REASON_NONE)
		reason = lapack_job_fill_tail(operands);
	if (reason == REASON_NONE)
		reason = gpu_factor_flow(&job);
	gpu_factor_drop_plan(operands, &job, reason);
	return reason;
}
