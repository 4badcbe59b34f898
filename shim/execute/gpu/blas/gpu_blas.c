/* gpu_blas.c - BLAS calls by cuBLAS; carries out whole what has no plan of panels */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/blas/gpu_blas.h"

#include <stdlib.h>

#include "shim/base/clock.h"
#include "shim/base/observe.h"
#include "shim/execute/gpu/blas/cpu_problems.h"
#include "shim/execute/gpu/blas/gpu_panels.h"
#include "shim/execute/gpu/blas/gpu_split.h"
#include "shim/execute/gpu/device/blas_math.h"
#include "shim/execute/gpu/device/lane_owner.h"
#include "shim/execute/gpu/engine/flow.h"
#include "shim/execute/gpu/engine/mirrors.h"

/* ALIGNMENT: of the groups' results, as cudaMalloc's. */
enum { GPU_BLAS_ALIGNMENT_BYTES = 256, GPU_BLAS_FIRST_ROOM = 16 };

struct gpu_blas_step {
	struct flow_step step;
	const struct gpu_group *group;
};

struct gpu_blas_list {
	struct gpu_blas_step *steps;
	uint32_t count, room, kind_count[FLOW_KINDS];
	uint32_t groups; /* listed so far */
	const struct gpu_group *group;
	const struct gpu_operand *operand; /* that is loaded */
};

/*
 * A call without a plan. Its groups share the memory of A and B; each result has its own. shared:
 * the CPU computes a part. leader: the lane; NULL: the call has lost it (lane_owner.h). Where a
 * call is shared another thread reads the job, which must outlive a jump out of the call.
 */
struct gpu_blas_job {
	struct lane *lane, *leader;
	struct gpu_group *group;
	int64_t count;
	uint64_t size_bytes[OPERAND_COUNT], staging_bytes;
	bool meets_device; /* an operand lies in the program's device memory */
	bool publishes;    /* a result is copied there from ours */
	struct gpu_blas_list list;
	struct flow flow;
	struct flow_beside beside;
	struct cpu_problems part;
	bool shared;
};

static uint64_t gpu_blas_round(uint64_t size_bytes)
{
	const uint64_t more = operand_add_bytes(size_bytes, GPU_BLAS_ALIGNMENT_BYTES - 1);
	return more == UINT64_MAX ? more : more - more % GPU_BLAS_ALIGNMENT_BYTES;
}

static void gpu_blas_count_operand(struct gpu_blas_job *job, const struct gpu_group *group,
                                   enum operand name)
{
	const struct gpu_operand *operand = &group->operand[name];
	const uint64_t bytes = gpu_blas_round(gpu_operand_size_bytes(operand));
	const bool on_device = operand->count > 0 && operand->place != GPU_PLACE_HOST;
	job->meets_device = job->meets_device || on_device;
	if (name == OPERAND_C) {
		job->size_bytes[name] = operand_add_bytes(job->size_bytes[name], bytes);
		job->staging_bytes = operand_add_bytes(job->staging_bytes, on_device ? 0 : bytes);
		job->publishes = job->publishes || (on_device && !operand->in_place);
	} else if (bytes > job->size_bytes[name] && !(name == OPERAND_B && group->same)) {
		job->size_bytes[name] = bytes;
	}
}

static enum reason gpu_blas_place(struct gpu_blas_job *job)
{
	enum reason reason = REASON_NONE;
	for (int64_t i = 0; i < job->count && reason == REASON_NONE; i++)
		reason = gpu_batch_place(job->lane, &job->group[i]);
	return reason;
}

static void gpu_blas_count(struct gpu_blas_job *job)
{
	for (int64_t i = 0; i < job->count; i++)
		for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
			gpu_blas_count_operand(job, &job->group[i], (enum operand)name);
}

static bool gpu_blas_is_on_host(const struct gpu_blas_job *job)
{
	bool on_host = true;
	for (int64_t i = 0; i < job->count; i++)
		for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
			on_host = on_host && (job->group[i].operand[name].count == 0 ||
			                      job->group[i].operand[name].place == GPU_PLACE_HOST);
	return on_host;
}

/* Leaves the CPU's part of a batch out, if it has one. */
static void gpu_blas_divide(struct gpu_blas_job *job, const struct call *call, const void *caller,
                            const struct cpu_share *share)
{
	job->shared = gpu_blas_is_on_host(job) &&
	              cpu_problems_begin(&job->part, job->lane, call, caller, share);
	if (job->shared)
		gpu_batch_cut(job->group, &job->count, job->part.begin);
	job->beside = (struct flow_beside){.step = cpu_problems_step, .self = &job->part};
}

static void gpu_blas_give_memory(struct gpu_blas_job *job, void *const memory[OPERAND_COUNT],
                                 char *staging)
{
	char *result = memory[OPERAND_C];
	for (int64_t i = 0; i < job->count; i++) {
		struct gpu_operand *operand = job->group[i].operand, *c = &operand[OPERAND_C];
		const uint64_t bytes = gpu_blas_round(gpu_operand_size_bytes(c));
		for (int name = OPERAND_A; name < OPERAND_C; name++)
			if (!operand[name].in_place)
				operand[name].memory = memory[name];
		if (job->group[i].same)
			operand[OPERAND_B].memory = operand[OPERAND_A].memory;
		if (c->in_place)
			continue;
		c->memory = result;
		result += bytes;
		c->staging = staging;
		staging += c->place == GPU_PLACE_HOST ? bytes : 0;
	}
}

/*
 * Before anything is queued, so that a lack of memory costs nothing. One block for all operands:
 * near the memory limit, a kept block that is a little too large for the first operand would leave
 * no room for the others.
 */
static enum reason gpu_blas_take_memory(struct gpu_blas_job *job)
{
	void *memory[OPERAND_COUNT] = {NULL}, *block = NULL;
	char *staging = NULL;
	uint64_t bytes = 0;
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
		if (__builtin_add_overflow(bytes, gpu_blas_round(job->size_bytes[name]), &bytes))
			return REASON_DEVICE_MEMORY;
	const enum reason reason =
		bytes > 0 ? lanes_take_memory(job->lane, bytes, &block) : REASON_NONE;
	if (reason != REASON_NONE)
		return reason;
	char *next = block;
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
		if (job->size_bytes[name] > 0) {
			memory[name] = next;
			next += gpu_blas_round(job->size_bytes[name]);
		}
	if (job->staging_bytes > 0) {
		staging = lanes_take_staging(job->lane, job->staging_bytes);
		if (staging == NULL)
			return REASON_HOST_MEMORY;
	}
	gpu_blas_give_memory(job, memory, staging);
	return REASON_NONE;
}

/* -- the call as a flow: one step of work per group -- */

static struct flow_step *gpu_blas_add_step(struct gpu_blas_list *list, enum flow_kind kind)
{
	if (list->count == list->room) {
		const uint32_t room = list->room == 0 ? GPU_BLAS_FIRST_ROOM : 2 * list->room;
		struct gpu_blas_step *steps = realloc(list->steps, room * sizeof *steps);
		if (steps == NULL)
			return NULL;
		list->steps = steps;
		list->room = room;
	}
	struct gpu_blas_step *last = &list->steps[list->count++];
	*last = (struct gpu_blas_step){.step = {.kind = kind}, .group = list->group};
	list->kind_count[kind]++;
	return &last->step;
}

/*
 * A group's loads overwrite A and B of the group before: its kernels must be complete. A triangle
 * comes in bands of rows that begin in its first column.
 */
static enum reason gpu_blas_list_load(void *self, const struct pack_area *area, char *copy)
{
	struct gpu_blas_list *list = self;
	const struct gpu_operand *operand = list->operand;
	struct flow_step *step = gpu_blas_add_step(list, FLOW_LOAD);
	if (step == NULL)
		return REASON_HOST_MEMORY;
	step->after[FLOW_WORK] = list->groups;
	step->copy =
		(struct flow_copy){.area = *area, .device = copy, .device_pitch = area->run_bytes};
	if (operand->load.part == PACK_WHOLE)
		return REASON_NONE;
	step->copy.rule = &operand->load;
	step->copy.row = (area->host - (const char *)operand->matrix.base) /
	                 (int64_t)element_size_bytes(operand->element);
	return REASON_NONE;
}

/* Whether kernels read the operand: with beta = 0 C may be uninitialised. */
static bool gpu_blas_is_read(const struct gpu_group *group, enum operand name)
{
	if (name == OPERAND_C)
		return group->reads_c;
	return !(name == OPERAND_B && group->same);
}

static enum reason gpu_blas_list_group(struct gpu_blas_list *list, const struct gpu_group *group)
{
	const struct gpu_operand *c = &group->operand[OPERAND_C];
	enum reason reason = REASON_NONE;
	list->group = group;
	for (int name = OPERAND_A; name < OPERAND_COUNT && reason == REASON_NONE; name++) {
		list->operand = &group->operand[name];
		if (gpu_blas_is_read(group, (enum operand)name) &&
		    list->operand->place == GPU_PLACE_HOST)
			reason = gpu_operand_visit(list->operand, PACK_WHOLE, list->operand->memory,
			                           gpu_blas_list_load, list);
	}
	if (reason != REASON_NONE)
		return reason;
	struct flow_step *step = gpu_blas_add_step(list, FLOW_WORK);
	if (step == NULL)
		return REASON_HOST_MEMORY;
	step->after[FLOW_LOAD] = list->kind_count[FLOW_LOAD];
	list->groups++;
	if (c->place != GPU_PLACE_HOST)
		return REASON_NONE;
	step = gpu_blas_add_step(list, FLOW_STORE);
	if (step == NULL)
		return REASON_HOST_MEMORY;
	const uint64_t bytes = gpu_operand_size_bytes(c);
	step->after[FLOW_WORK] = list->groups;
	step->copy = (struct flow_copy){
		.area = {c->staging, bytes, 1, bytes}, .device = c->memory, .device_pitch = bytes};
	return REASON_NONE;
}

static void gpu_blas_read_step(const void *self, uint32_t number, struct flow_step *step)
{
	const struct gpu_blas_list *list = self;
	*step = list->steps[number].step;
}

/* Device memory that kernels cannot use in place is copied on their stream. */
static enum reason gpu_blas_launch_step(const void *self, struct lane *lane, uint32_t number)
{
	const struct gpu_blas_list *list = self;
	const struct gpu_group *group = list->steps[number].group;
	enum reason reason = REASON_NONE;
	for (int name = OPERAND_A; name < OPERAND_COUNT && reason == REASON_NONE; name++)
		if (gpu_blas_is_read(group, (enum operand)name) &&
		    group->operand[name].place != GPU_PLACE_HOST)
			reason = gpu_operand_send(lane, &group->operand[name]);
	return reason == REASON_NONE ? gpu_split_run(lane, group) : reason;
}

static enum reason gpu_blas_list_groups(struct gpu_blas_job *job)
{
	enum reason reason = REASON_NONE;
	for (int64_t i = 0; i < job->count && reason == REASON_NONE; i++)
		reason = gpu_blas_list_group(&job->list, &job->group[i]);
	return reason;
}

/* In a gap: handlers may run, or jump. */
static void gpu_blas_compute_open(struct gpu_blas_job *job, const struct cpu_share *share)
{
	struct lane_gap gap;
	lane_owner_leave(job->leader, &gap);
	if (share != NULL)
		cpu_problems_compute_open(&job->part, share);
	else
		cpu_problems_finish_open(&job->part);
	if (!lane_owner_come_back(&gap))
		job->leader = NULL;
}

/*
 * Stores go to the lane's staging: all are confirmed before one enters the program's memory. As for
 * calls of panels, a thread's first slice is computed before the device begins.
 */
static enum reason gpu_blas_flow(struct gpu_blas_job *job, const struct cpu_share *share)
{
	if (job->shared && cpu_share_is_first(CPU_SHARE_BLAS, share))
		gpu_blas_compute_open(job, share);
	if (job->leader == NULL)
		return REASON_CALL_LEFT;
	job->flow = (struct flow){
		.lane = job->lane,
		.program = {&job->list, job->list.count, gpu_blas_read_step,
	                    .launch = gpu_blas_launch_step},
	};
	const enum reason reason =
		flow_run_beside(&job->flow, 1, job->shared ? &job->beside : NULL);
	if (reason == REASON_CALL_LEFT)
		job->leader = NULL;
	return reason;
}

/* Only confirmed results enter the program's device memory. */
static enum reason gpu_blas_publish(struct gpu_blas_job *job)
{
	if (!job->publishes)
		return REASON_NONE;
	enum reason reason = lanes_confirm(job->lane);
	for (int64_t i = 0; i < job->count && reason == REASON_NONE; i++) {
		const struct gpu_operand *c = &job->group[i].operand[OPERAND_C];
		if (c->place != GPU_PLACE_HOST && !c->in_place)
			reason = gpu_operand_publish(job->lane, c);
	}
	return reason;
}

/* The program's streams may still be writing to its device memory. */
static enum reason gpu_blas_wait_for_program(const struct gpu_blas_job *job)
{
	if (!job->meets_device)
		return REASON_NONE;
	return job->lane->api->device_synchronize() == CUDA_SUCCESS ? REASON_NONE
	                                                            : REASON_DEVICE_FAILED;
}

static enum reason gpu_blas_queue(struct gpu_blas_job *job, const struct cpu_share *share)
{
	enum reason reason = gpu_blas_take_memory(job);
	if (reason == REASON_NONE)
		reason = gpu_blas_wait_for_program(job);
	if (reason == REASON_NONE)
		reason = gpu_blas_list_groups(job);
	if (reason == REASON_NONE)
		reason = gpu_blas_flow(job, share);
	if (reason == REASON_NONE)
		reason = gpu_blas_publish(job);
	return reason;
}

static void gpu_blas_commit(const struct gpu_blas_job *job)
{
	for (int64_t i = 0; i < job->count; i++)
		if (job->group[i].operand[OPERAND_C].place == GPU_PLACE_HOST)
			gpu_operand_commit(&job->group[i].operand[OPERAND_C]);
}

static enum reason gpu_blas_overwrite_area(void *unused, const struct pack_area *area,
                                           char *staging)
{
	(void)unused, (void)staging;
	mirrors_overwrite(area);
	return REASON_NONE;
}

/* Results that are about to be committed. */
static void gpu_blas_overwrite(const struct gpu_blas_job *job)
{
	for (int64_t i = 0; i < job->count && mirrors_are_on(); i++) {
		const struct gpu_operand *c = &job->group[i].operand[OPERAND_C];
		if (c->place == GPU_PLACE_HOST)
			gpu_operand_visit(c, PACK_WHOLE, c->staging, gpu_blas_overwrite_area, NULL);
	}
}

static void gpu_blas_commit_results(const struct gpu_blas_job *job)
{
	const int64_t begin_ns = observe_begin("commit");
	gpu_blas_overwrite(job);
	lane_owner_copy(true);
	gpu_blas_commit(job);
	lane_owner_copy(false);
	observe_end("commit", begin_ns);
}

/* Nothing of a failed device was committed. Its problems are the CPU's, once that has begun. */
static bool gpu_blas_finish(struct gpu_blas_job *job)
{
	if (!job->shared || (!job->beside.stepped && job->part.elapsed_ns == 0))
		return false;
	gpu_blas_compute_open(job, NULL);
	return true;
}

/* The device's time ends with the commit. */
static void gpu_blas_tell_share(const struct gpu_blas_job *job, int64_t commit_ns,
                                struct cpu_share *share)
{
	share->done = job->part.share;
	share->cpu_ns = job->part.elapsed_ns;
	share->device_ns = job->beside.conducted_ns + commit_ns;
}

static enum reason gpu_blas_run_whole(struct gpu_blas_job *job, struct cpu_share *share,
                                      bool *finished)
{
	gpu_blas_count(job);
	enum reason reason = gpu_blas_queue(job, share);
	if (reason == REASON_NONE)
		reason = lanes_confirm(job->lane);
	const int64_t begin_ns = clock_monotonic_ns();
	if (reason == REASON_NONE)
		gpu_blas_commit_results(job);
	const int64_t commit_ns = clock_monotonic_ns() - begin_ns;
	*finished = reason == REASON_NONE || gpu_blas_finish(job);
	if (*finished && job->shared)
		gpu_blas_tell_share(job, commit_ns, share);
	if (job->shared && job->leader != NULL)
		cpu_share_end();
	return reason;
}

static enum reason gpu_blas_carry_out(struct gpu_blas_job *job, const struct call *call,
                                      const void *caller, struct cpu_share *share, bool *finished)
{
	enum reason reason = blas_math_pin(job->lane, call->element);
	if (reason == REASON_NONE)
		reason = gpu_batch_list(job->lane->api, call, &job->group, &job->count);
	if (reason == REASON_NONE)
		reason = gpu_blas_place(job);
	if (reason != REASON_NONE)
		return reason;
	if (job->count == 1 && gpu_panels_takes(job->group))
		return gpu_panels_run(job->lane, call, job->group, caller, share, finished);
	gpu_blas_divide(job, call, caller, share);
	return gpu_blas_run_whole(job, share, finished);
}

static enum reason gpu_blas_run_on(struct lane *lane, const struct call *call, const void *caller,
                                   struct cpu_share *share, bool *finished)
{
	struct gpu_blas_job *job = calloc(1, sizeof *job);
	if (job == NULL)
		return REASON_HOST_MEMORY;
	job->lane = job->leader = lane;
	const enum reason reason = gpu_blas_carry_out(job, call, caller, share, finished);
	free(job->list.steps);
	free(job->group);
	free(job);
	return reason;
}

enum reason gpu_blas_run(const struct call *call, const void *caller, int device,
                         struct cpu_share *share, bool *finished)
{
	struct lane *lane;
	*finished = false;
	enum reason reason = blas_math_judge(call->element);
	const int64_t begin_ns = observe_begin("take lane");
	if (reason == REASON_NONE)
		reason = lanes_take(device, &lane);
	observe_end("take lane", begin_ns);
	if (reason != REASON_NONE)
		return reason;
	reason = gpu_blas_run_on(lane, call, caller, share, finished);
	lanes_give(lane);
	return reason;
}
