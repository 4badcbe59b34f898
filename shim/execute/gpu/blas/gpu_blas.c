/* gpu_blas.c - BLAS calls by cuBLAS; carries out whole what has no plan of panels */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/blas/gpu_blas.h"

#include <stdlib.h>

#include "shim/base/observe.h"
#include "shim/execute/gpu/blas/gpu_panels.h"
#include "shim/execute/gpu/blas/gpu_split.h"
#include "shim/execute/gpu/device/blas_math.h"
#include "shim/execute/gpu/device/lane_owner.h"
#include "shim/execute/gpu/engine/flow.h"
#include "shim/execute/gpu/engine/mirrors.h"

/* ALIGNMENT: of the groups' results, as cudaMalloc's. */
enum { GPU_BLAS_ALIGNMENT_BYTES = 256, GPU_BLAS_FIRST_ROOM = 16 };

/* A call without a plan. Its groups share the memory of A and B; each result has its own. */
struct gpu_blas_job {
	struct lane *lane;
	struct gpu_group *group;
	int64_t count;
	uint64_t size_bytes[OPERAND_COUNT], staging_bytes;
	bool meets_device; /* an operand lies in the program's device memory */
	bool publishes;    /* a result is copied there from ours */
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
	for (int64_t i = 0; i < job->count && reason == REASON_NONE; i++) {
		reason = gpu_batch_place(job->lane, &job->group[i]);
		for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
			gpu_blas_count_operand(job, &job->group[i], (enum operand)name);
	}
	return reason;
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

/* Stores go to the lane's staging: all are confirmed before one enters the program's memory. */
static enum reason gpu_blas_flow(struct gpu_blas_job *job)
{
	struct gpu_blas_list list = {.steps = NULL};
	enum reason reason = REASON_NONE;
	for (int64_t i = 0; i < job->count && reason == REASON_NONE; i++)
		reason = gpu_blas_list_group(&list, &job->group[i]);
	if (reason == REASON_NONE) {
		struct flow flow = {
			.lane = job->lane,
			.program = {&list, list.count, gpu_blas_read_step,
		                    .launch = gpu_blas_launch_step},
		};
		reason = flow_run(&flow, 1);
	}
	free(list.steps);
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

static enum reason gpu_blas_queue(struct gpu_blas_job *job)
{
	enum reason reason = gpu_blas_take_memory(job);
	if (reason == REASON_NONE)
		reason = gpu_blas_wait_for_program(job);
	if (reason == REASON_NONE)
		reason = gpu_blas_flow(job);
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

static enum reason gpu_blas_run_whole(struct gpu_blas_job *job, bool *finished)
{
	enum reason reason = gpu_blas_queue(job);
	if (reason == REASON_NONE)
		reason = lanes_confirm(job->lane);
	*finished = reason == REASON_NONE;
	if (*finished) {
		const int64_t begin_ns = observe_begin("commit");
		gpu_blas_overwrite(job);
		lane_owner_copy(true);
		gpu_blas_commit(job);
		lane_owner_copy(false);
		observe_end("commit", begin_ns);
	}
	return reason;
}

static enum reason gpu_blas_run_on(struct lane *lane, const struct call *call, const void *caller,
                                   struct cpu_share *share, bool *finished)
{
	struct gpu_blas_job job = {.lane = lane};
	enum reason reason = blas_math_pin(lane, call->element);
	if (reason == REASON_NONE)
		reason = gpu_batch_list(lane->api, call, &job.group, &job.count);
	if (reason == REASON_NONE)
		reason = gpu_blas_place(&job);
	if (reason == REASON_NONE && job.count == 1 && gpu_panels_takes(job.group))
		reason = gpu_panels_run(lane, call, job.group, caller, share, finished);
	else if (reason == REASON_NONE)
		reason = gpu_blas_run_whole(&job, finished);
	free(job.group);
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
