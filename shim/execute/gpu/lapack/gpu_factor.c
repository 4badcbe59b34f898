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

void gpu_factor_choose(enum gpu_factor_choice choice, int64_t width)
{
	atomic_store(&gpu_factor_choice, choice);
	atomic_store(&gpu_factor_width, width);
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

/* -- memory ------------------------------------------------------------------------------------ */

static int64_t gpu_factor_least(const struct factor_problem *problem)
{
	return problem->m < problem->n ? problem->m : problem->n;
}

/* The first panel, which is the largest, and the last one. */
static void gpu_factor_open_panel(const struct factor_job *job, const struct cuda_solver *api)
{
	const int64_t least = gpu_factor_least(&job->problem), width = job->plan.width,
		      last = (least - 1) % width + 1;
	*job->panel = (struct factor_panel){
		.api = api,
		.form = job->problem.form,
		.type = solve_find_type(job->problem.element),
		.triangle = job->problem.form == FACTOR_UPPER ? CUBLAS_TRIANGLE_UPPER
	                                                      : CUBLAS_TRIANGLE_LOWER,
		.rows = job->problem.m,
		.columns = width < least ? width : least,
		.count = (least + width - 1) / width,
		.last_rows = job->problem.m - least + last,
		.last_columns = last,
		.ld = job->problem.m,
		.memory = job->operands->matrix[0].device,
	};
}

static enum reason gpu_factor_measure(struct lane *lane, void *object)
{
	struct solver *solver = object;
	struct factor_panel *panel = &solver->panel;
	const enum reason reason = solver_prepare(lane, panel->api);
	panel->handle = solver->handle;
	panel->params = solver->params;
	return reason == REASON_NONE ? factor_panel_measure(lane, panel) : reason;
}

/* What the workspace depends on. k: the width of panels, in no other shape of these families. */
static struct solver_shape gpu_factor_find_shape(const struct factor_job *job)
{
	return (struct solver_shape){.family = job->operands->call->family,
	                             .element = job->problem.element,
	                             .letters = {job->panel->triangle},
	                             .m = job->problem.m,
	                             .n = job->problem.n,
	                             .k = job->plan.width};
}

static enum reason gpu_factor_find_room(const struct factor_job *job)
{
	struct solver *solver = job->operands->solver;
	struct factor_panel *panel = job->panel;
	const struct solver_shape shape = gpu_factor_find_shape(job);
	if (solver_recall(solver, &shape, &panel->room)) {
		panel->handle = solver->handle;
		panel->params = solver->params;
		return REASON_NONE;
	}
	one_off_note();
	const enum reason reason = blocking_run(job->operands->lane, gpu_factor_measure, solver, 0);
	one_off_note();
	if (reason == REASON_NONE)
		solver_note(solver, &shape, &panel->room);
	return reason;
}

/* The tail's host memory comes first: lapack_job_end writes the program's pivots from it. */
static enum reason gpu_factor_take_room(struct lapack_job *operands, struct factor_job *job)
{
	struct factor_panel *panel = job->panel;
	const int64_t least = gpu_factor_least(&job->problem);
	const struct solve_room own = factor_panel_find_room(panel, least);
	void *device;
	enum reason reason = gpu_factor_find_room(job);
	if (reason == REASON_NONE)
		reason = solver_take_host(operands->solver, operands->tail_bytes + own.host_bytes +
		                                                    panel->room.host_bytes);
	if (reason == REASON_NONE)
		reason = lanes_take_memory(operands->lane,
		                           own.device_bytes + panel->room.device_bytes, &device);
	if (reason != REASON_NONE)
		return reason;
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
		return factor_make_wide(&job->problem, &rates, width, &job->plan);
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

enum reason gpu_factor_run(struct lapack_job *operands, const struct cuda_solver *api)
{
	struct factor_job job = {.operands = operands, .panel = &operands->solver->panel};
	lapack_plan_find_problem(operands->call, &job.problem);
	if (!gpu_factor_plan(&job))
		return REASON_HOST_MEMORY;
	operands->solver->plan = job.plan;
	lanes_note_loan(operands->lane, gpu_factor_take_back, &operands->solver->plan);
	gpu_factor_open_panel(&job, api);
	enum reason reason = gpu_factor_take_room(operands, &job);
	if (reason == REASON_NONE)
		reason = lapack_job_fill_tail(operands);
	if (reason == REASON_NONE)
		reason = gpu_factor_flow(&job);
	gpu_factor_drop_plan(operands, &job, reason);
	return reason;
}
