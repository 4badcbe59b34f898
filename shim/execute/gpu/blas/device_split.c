/* device_split.c - spreads a call over idle devices where that saves time */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/blas/device_split.h"

#include <stdlib.h>

#include "policy/plan/share.h"
#include "shim/execute/gpu/device/blas_math.h"

/* No plan is tried with less memory. */
static const uint64_t device_split_least_bytes = UINT64_C(64) << 10;

/* Split only calls of at least 1 ms, and only if that saves at least 10 %. */
static const double device_split_least_ns = 1e6, device_split_gain = 0.1;

/* The problems of one device. */
struct device_share {
	int count;
	struct panel_problem problem[REGION_PROBLEMS];
};

/* Adds a problem with its plan to job number i; the arena is taken later. */
static bool device_split_plan(struct device_split *split, int i,
                              const struct panel_problem *problem, uint64_t memory_bytes)
{
	struct panel_job *job = &split->job[i];
	struct panel_plan plan;
	if (job->count == REGION_PROBLEMS ||
	    !split->planner(job->lane, problem, memory_bytes, &plan))
		return false;
	split->work_ns[i] += plan.time_ns;
	panel_job_add(job, problem, &plan, split->locked);
	return true;
}

/* Plans the share and takes its arena. *planned = false: no plan needs so little memory. */
static enum reason device_split_try(struct device_split *split, int i,
                                    const struct device_share *share, uint64_t memory_bytes,
                                    bool *planned)
{
	struct panel_job *job = &split->job[i];
	enum reason reason = REASON_DEVICE_MEMORY;
	void *arena = NULL;
	*planned = true;
	split->work_ns[i] = 0;
	for (int k = 0; k < share->count && *planned; k++)
		*planned = device_split_plan(split, i, &share->problem[k], memory_bytes);
	if (*planned)
		reason = lanes_take_memory(job->lane, panel_job_arena_bytes(job), &arena);
	job->arena = arena;
	if (reason != REASON_NONE)
		panel_job_clear(job);
	return reason;
}

/* Halves the memory, and so the panels, until an arena can be had. */
static enum reason device_split_halve(struct device_split *split, int i,
                                      const struct device_share *share, uint64_t most_bytes)
{
	enum reason reason = REASON_DEVICE_MEMORY;
	bool planned = true;
	for (uint64_t bytes = most_bytes;
	     bytes >= device_split_least_bytes && planned && reason == REASON_DEVICE_MEMORY;
	     bytes /= 2)
		reason = device_split_try(split, i, share, bytes, &planned);
	return reason;
}

/*
 * Where no arena fits beside memory that is kept for other calls, that memory is counted in too. A
 * fixed share of memory is planned for once, so that the plan does not depend on other calls.
 */
static enum reason device_split_shrink(struct device_split *split, int i,
                                       const struct device_share *share)
{
	const int device = split->job[i].lane->device;
	const uint64_t share_bytes = lanes_share_bytes(device);
	bool planned;
	if (share_bytes > 0)
		return device_split_try(split, i, share, share_bytes, &planned);
	const uint64_t available_bytes = memory_available(device),
		       obtainable_bytes = memory_obtainable(device);
	const enum reason reason = device_split_halve(split, i, share, available_bytes);
	if (reason != REASON_DEVICE_MEMORY || obtainable_bytes <= available_bytes)
		return reason;
	return device_split_halve(split, i, share, obtainable_bytes);
}

/* The device's speed for the whole problem: the inverse of the planned time; 0: no plan. */
static double device_split_weigh(const struct device_split *split, const struct lane *lane)
{
	struct panel_plan plan;
	if (!split->planner(lane, split->problem, memory_available(lane->device), &plan))
		return 0;
	const double weight = plan.time_ns > 0 ? 1 / plan.time_ns : 0;
	panel_plan_free(&plan);
	return weight;
}

static void device_split_set_device(const struct lane *lane)
{
	guest_select(lane->device);
}

/* Takes a lane of each idle device beside the caller's. */
static void device_split_add_lanes(struct device_split *split)
{
	const int own = split->job[0].lane->device;
	struct lane *lane;
	for (int place = 0; place < lanes_count() && split->count < CUDA_DEVICES; place++) {
		if (!lanes_take_spare(place, &lane))
			continue;
		if (lane->device == own ||
		    blas_math_pin(lane, split->problem->element) != REASON_NONE) {
			lanes_give(lane);
			continue;
		}
		split->job[split->count++] = (struct panel_job){.lane = lane};
	}
}

/* Releases the jobs beyond `count`. lanes_give restores what was current before its lane. */
static void device_split_drop_lanes(struct device_split *split, int count)
{
	while (split->count > count) {
		struct panel_job *job = &split->job[--split->count];
		panel_job_clear(job);
		lanes_give(job->lane);
	}
}

/* Prepares every job's share; false where one fails or takes too long. */
static bool device_split_assign(struct device_split *split, const struct share_part part[],
                                double alone_ns)
{
	for (int i = 0; i < split->count; i++) {
		struct device_share share = {.count = part[i].problem_count};
		for (int k = 0; k < share.count; k++)
			share.problem[k] =
				(struct panel_problem){.family = part[i].problems[k].family,
			                               .element = split->problem->element,
			                               .blas = part[i].problems[k].blas};
		device_split_set_device(split->job[i].lane);
		if (device_split_shrink(split, i, &share) != REASON_NONE ||
		    split->work_ns[i] > (1 - device_split_gain) * alone_ns)
			return false;
	}
	return true;
}

/* Divides the problem by the devices' speeds. The parts are too large for a small stack. */
static bool device_split_share(struct device_split *split, double alone_ns)
{
	const struct panel_problem *problem = split->problem;
	double weight[CUDA_DEVICES];
	struct share_part *part = malloc((size_t)split->count * sizeof *part);
	if (part == NULL)
		return false;
	for (int i = 0; i < split->count; i++)
		weight[i] = device_split_weigh(split, split->job[i].lane);
	const int count = share_cut(problem->family, &problem->blas, problem->element, weight,
	                            split->count, part);
	const bool shared = count == split->count && device_split_assign(split, part, alone_ns);
	free(part);
	return shared;
}

/*
 * Rank-2k updates are not split: both products of a block add to the same elements, and two parts
 * must not do so.
 */
static bool device_split_may_share(enum family family)
{
	return lanes_count() > 1 && !family_is_twice(family);
}

enum reason device_split_begin(struct device_split *split, struct lane *lane,
                               const struct panel_problem *problem,
                               const bool locked[OPERAND_COUNT], panel_planner *planner)
{
	const struct device_share whole = {.count = 1, .problem = {*problem}};
	struct panel_job *job = &split->job[0];
	split->problem = problem;
	split->locked = locked;
	split->planner = planner;
	split->count = 1;
	*job = (struct panel_job){.lane = lane};
	if (device_split_may_share(problem->family)) {
		const double weight = device_split_weigh(split, lane);
		if (weight > 0 && 1 / weight >= device_split_least_ns)
			device_split_add_lanes(split);
		if (split->count > 1 && device_split_share(split, 1 / weight))
			return REASON_NONE;
		device_split_drop_lanes(split, 1);
		device_split_set_device(lane);
		panel_job_clear(job);
	}
	const enum reason reason = device_split_shrink(split, 0, &whole);
	if (reason == REASON_NONE && !family_is_twice(problem->family) &&
	    split->work_ns[0] >= device_split_least_ns)
		lanes_note_lonely((int64_t)split->work_ns[0]);
	return reason;
}

void device_split_end(struct device_split *split, bool left)
{
	device_split_drop_lanes(split, 1);
	if (!left)
		device_split_set_device(split->job[0].lane);
	panel_job_clear(&split->job[0]);
}
