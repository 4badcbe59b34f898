/* gpu_panels.c - plans a level-3 call; flows carry it out, the CPU finishes after a failure */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/blas/gpu_panels.h"

#include <stdlib.h>

#include "shim/base/observe.h"
#include "shim/execute/cpu/cpu_finish.h"
#include "shim/execute/gpu/blas/cpu_move.h"
#include "shim/execute/gpu/blas/device_split.h"
#include "shim/execute/gpu/blas/panel_mirrors.h"
#include "shim/execute/gpu/blas/panel_placement.h"
#include "shim/execute/gpu/blas/plan_cache.h"
#include "shim/execute/gpu/device/lane_owner.h"
#include "shim/execute/gpu/engine/engine_rates.h"
#include "shim/execute/gpu/engine/staging.h"

static struct panel_choice panels_choice;
static bool panels_chosen;

void gpu_panels_set_choice(const struct panel_choice *choice)
{
	panels_chosen = choice != NULL;
	if (panels_chosen)
		panels_choice = *choice;
}

/*
 * With A on the left an overwritten operand is committed by whole columns, which must fit into a
 * part of staging.
 */
static bool gpu_panels_is_too_tall(const struct gpu_group *group)
{
	const uint64_t column_bytes = (uint64_t)group->blas.m * element_size_bytes(group->element);
	return family_is_in_place(group->family) && group->blas.side == SIDE_LEFT &&
	       column_bytes > staging_part_bytes();
}

bool gpu_panels_takes(const struct gpu_group *group)
{
	if (!panels_takes(group->family) || group->count != 1 || group->tile != INT64_MAX ||
	    gpu_panels_is_too_tall(group))
		return false;
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
		if (group->operand[name].count > 0 && group->operand[name].place != GPU_PLACE_HOST)
			return false;
	return true;
}

static bool gpu_panels_plan(const struct lane *lane, const struct panel_problem *problem,
                            uint64_t memory_bytes, struct panel_plan *plan)
{
	struct panel_rates rates = engine_rates_find(lane, problem->element);
	rates.memory_bytes = memory_bytes;
	if (panels_chosen)
		return panels_plan_as(problem, &rates, &panels_choice, plan);
	return plan_cache_plan(problem, &rates, plan);
}

/* leader: the call's first lane; NULL: the call has lost it (lane_owner.h). */
struct gpu_panels_rest {
	const struct call *call;
	const void *caller;
	struct lane *leader;
};

/* The CPU library's routine may be left by a handler of the program, as natively. */
static void gpu_panels_finish_open(struct gpu_panels_rest *rest, const struct call *call,
                                   struct panel_span row, struct panel_span column)
{
	struct lane_gap gap;
	lane_owner_leave(rest->leader, &gap);
	cpu_finish_region(call, rest->caller, row, column);
	if (!lane_owner_come_back(&gap))
		rest->leader = NULL;
}

static void gpu_panels_finish_region(void *self, const struct panel_job_part *part,
                                     struct panel_span row, struct panel_span column)
{
	struct gpu_panels_rest *rest = self;
	struct call call = *rest->call;
	call.family = part->problem.family;
	call.blas = part->problem.blas;
	gpu_panels_finish_open(rest, &call, row, column);
}

static bool gpu_panels_has_begun(const struct flow_progress *progress)
{
	return progress->stores > 0 || progress->runs > 0 || progress->bytes > 0;
}

/* The devices of a call and their flows; the CPU's part, where the call is shared with it. */
struct gpu_panels_work {
	struct device_split split;
	struct flow flow[CUDA_DEVICES];
	struct panel_mirrors mirrors;
	struct cpu_part part;
	struct cpu_move move;
	struct flow_beside beside;
	bool shared, moves;
};

static void gpu_panels_note_work(const struct device_split *split, double sign)
{
	for (int i = 0; i < split->count; i++)
		lanes_note_call_work(split->job[i].lane, (int64_t)(sign * split->work_ns[i]));
}

static void gpu_panels_make_flows(struct gpu_panels_work *work)
{
	for (int i = 0; i < work->split.count; i++)
		work->flow[i] = (struct flow){.lane = work->split.job[i].lane,
		                              .program = panel_job_program(&work->split.job[i])};
	work->beside = (struct flow_beside){.step = cpu_part_step, .self = &work->part};
	work->moves = work->shared && work->split.count == 1 &&
	              cpu_move_begin(&work->move, &work->part, &work->split.job[0]);
	if (!work->moves)
		return;
	work->beside = (struct flow_beside){.step = cpu_move_step, .self = &work->move};
	work->flow[0].program.tail = &work->move.tail;
}

static enum reason gpu_panels_flow(struct gpu_panels_work *work)
{
	const int count = work->split.count;
	gpu_panels_note_work(&work->split, 1);
	const enum reason reason =
		flow_run_beside(work->flow, count, work->shared ? &work->beside : NULL);
	if (reason != REASON_CALL_LEFT)
		gpu_panels_note_work(&work->split, -1);
	return reason;
}

/* What is left of the CPU's part. */
static void gpu_panels_finish_part(struct cpu_part *part, struct gpu_panels_rest *rest)
{
	struct panel_span row, column;
	if (cpu_part_next(part, &row, &column))
		gpu_panels_finish_open(rest, part->call, part->row, part->column);
}

/* If anything was committed the CPU computes the rest; else the program's memory is unchanged. */
static bool gpu_panels_finish(struct gpu_panels_work *work, struct gpu_panels_rest *rest)
{
	bool begun = work->shared && (work->beside.stepped || work->part.elapsed_ns > 0);
	for (int i = 0; i < work->split.count; i++)
		begun = begun || gpu_panels_has_begun(&work->flow[i].progress);
	for (int i = 0; i < work->split.count && begun; i++)
		panel_job_visit_rest(&work->split.job[i], &work->flow[i].progress,
		                     gpu_panels_finish_region, rest);
	if (begun && work->shared)
		gpu_panels_finish_part(&work->part, rest);
	return begun;
}

/*
 * The first slice of a thread is computed before anything else, with signals open: threads that the
 * library makes for it inherit what is blocked. false: the call was taken over meanwhile.
 */
static bool gpu_panels_begin_part(struct gpu_panels_work *work, struct gpu_panels_rest *rest,
                                  const struct cpu_share *share)
{
	struct lane_gap gap;
	if (!work->shared || !cpu_share_is_first(CPU_SHARE_BLAS, share))
		return true;
	lane_owner_leave(rest->leader, &gap);
	cpu_part_compute_open(&work->part, share);
	if (!lane_owner_come_back(&gap))
		rest->leader = NULL;
	return rest->leader != NULL;
}

static void gpu_panels_tell_share(const struct gpu_panels_work *work, struct cpu_share *share)
{
	if (!work->shared)
		return;
	share->done = work->part.share;
	share->cpu_ns = work->part.elapsed_ns;
	share->device_ns = work->beside.conducted_ns;
}

/* With mirrors, or without any where the device has no room beside them, or has a part only. */
static enum reason gpu_panels_begin(struct gpu_panels_work *work, struct lane *lane,
                                    const struct gpu_group *group, struct panel_problem *problem,
                                    const bool locked[OPERAND_COUNT], bool defers)
{
	const int64_t begin_ns = observe_begin("plan");
	panel_mirrors_begin(&work->mirrors, lane, group, problem, !work->shared, defers);
	enum reason reason =
		device_split_begin(&work->split, lane, problem, locked, gpu_panels_plan);
	if (panel_mirrors_give_way(&work->mirrors, reason)) {
		device_split_end(&work->split, false);
		panel_mirrors_begin(&work->mirrors, lane, group, problem, false, false);
		reason = device_split_begin(&work->split, lane, problem, locked, gpu_panels_plan);
	}
	if (reason == REASON_NONE && work->split.count == 1 && !work->shared)
		panel_mirrors_use(&work->mirrors, &work->split.job[0]);
	else
		panel_mirrors_skip(&work->mirrors);
	observe_end("plan", begin_ns);
	if (reason == REASON_NONE && work->split.count == 1)
		panel_placement_note(lane, group);
	return reason;
}

/* The devices' part, beside the CPU's. */
static enum reason gpu_panels_execute(struct gpu_panels_work *work, struct gpu_panels_rest *rest,
                                      struct cpu_share *share, bool *finished)
{
	enum reason reason = REASON_CALL_LEFT;
	gpu_panels_make_flows(work);
	if (gpu_panels_begin_part(work, rest, share))
		reason = gpu_panels_flow(work);
	if (reason == REASON_CALL_LEFT)
		rest->leader = NULL;
	if (work->moves)
		cpu_move_end(&work->move);
	*finished = reason == REASON_NONE || gpu_panels_finish(work, rest);
	if (*finished)
		gpu_panels_tell_share(work, share);
	return reason;
}

enum reason gpu_panels_run(struct lane *lane, const struct call *call,
                           const struct gpu_group *group, const void *caller,
                           struct cpu_share *share, bool *finished)
{
	struct panel_problem problem = {.family = group->family,
	                                .element = group->element,
	                                .blas = group->blas,
	                                .same = group->same};
	struct gpu_panels_work *work = malloc(sizeof *work);
	struct gpu_panels_rest rest = {call, caller, lane};
	bool locked[OPERAND_COUNT];
	if (work == NULL)
		return REASON_HOST_MEMORY;
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
		locked[name] = group->operand[name].locked;
	work->shared = cpu_part_begin(&work->part, lane, call, caller, share, &problem);
	problem.moves = work->shared;
	enum reason reason = gpu_panels_begin(work, lane, group, &problem, locked, true);
	if (reason == REASON_NONE)
		reason = gpu_panels_execute(work, &rest, share, finished);
	if (rest.leader != NULL && panel_mirrors_retreat(&work->mirrors)) {
		device_split_end(&work->split, false);
		reason = gpu_panels_begin(work, lane, group, &problem, locked, false);
		if (reason == REASON_NONE)
			reason = gpu_panels_execute(work, &rest, share, finished);
	}
	if (rest.leader != NULL)
		panel_mirrors_end(&work->mirrors, reason == REASON_NONE);
	device_split_end(&work->split, rest.leader == NULL);
	if (work->shared && rest.leader != NULL)
		cpu_share_end();
	free(work);
	return reason;
}
