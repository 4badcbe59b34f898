/* gpu_blas.c - BLAS calls by cuBLAS: operands to the device, kernels, results back */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/gpu_blas.h"

#include <stdlib.h>

#include "shim/execute/gpu/gpu_split.h"
#include "shim/execute/gpu/lane_build.h"
#include "shim/execute/gpu/transfer.h"

/* Results of different groups begin where cudaMalloc's memory could. */
enum { GPU_BLAS_ALIGNMENT_BYTES = 256 };

/* A call on its way. The groups take turns with the memory of A and B, each result has its own. */
struct gpu_blas_job {
	struct lane *lane;
	struct gpu_group *group;
	int64_t count;
	uint64_t size_bytes[OPERAND_COUNT], staging_bytes;
	bool meets_device; /* an operand lies in the program's device memory */
	bool publishes;    /* and a result computed in ours has to go there */
};

static uint64_t gpu_blas_round(uint64_t size_bytes)
{
	const uint64_t more = operand_add_bytes(size_bytes, GPU_BLAS_ALIGNMENT_BYTES - 1);
	return more == UINT64_MAX ? more : more - more % GPU_BLAS_ALIGNMENT_BYTES;
}

static void gpu_blas_count_operand(struct gpu_blas_job *job, const struct gpu_group *group, enum operand name)
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

static void gpu_blas_give_memory(struct gpu_blas_job *job, void *const memory[OPERAND_COUNT], char *staging)
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

/* Before anything is queued, so that a lack of memory costs nothing. */
static enum reason gpu_blas_take_memory(struct gpu_blas_job *job)
{
	void *memory[OPERAND_COUNT] = {NULL};
	char *staging = NULL;
	enum reason reason = REASON_NONE;
	for (int name = OPERAND_A; name < OPERAND_COUNT && reason == REASON_NONE; name++)
		if (job->size_bytes[name] > 0)
			reason = lanes_take_memory(job->lane, job->size_bytes[name], &memory[name]);
	if (reason != REASON_NONE)
		return reason;
	if (job->staging_bytes > 0) {
		staging = lanes_take_staging(job->lane, job->staging_bytes);
		if (staging == NULL)
			return REASON_HOST_MEMORY;
	}
	gpu_blas_give_memory(job, memory, staging);
	return REASON_NONE;
}

/* What is read goes up. C does so only if it is read: with beta = 0 it may be uninitialised. */
static enum reason gpu_blas_send(struct lane *lane, const struct gpu_group *group)
{
	enum reason reason = gpu_operand_send(lane, &group->operand[OPERAND_A]);
	if (reason == REASON_NONE && !group->same)
		reason = gpu_operand_send(lane, &group->operand[OPERAND_B]);
	if (reason == REASON_NONE && group->reads_c)
		reason = gpu_operand_send(lane, &group->operand[OPERAND_C]);
	return reason;
}

static enum reason gpu_blas_queue_group(struct lane *lane, const struct gpu_group *group)
{
	const struct gpu_operand *c = &group->operand[OPERAND_C];
	enum reason reason = gpu_blas_send(lane, group);
	if (reason == REASON_NONE)
		reason = gpu_split_run(lane, group);
	if (reason == REASON_NONE && c->place == GPU_PLACE_HOST)
		reason = transfer_receive(lane, c->staging, c->memory, gpu_operand_size_bytes(c));
	return reason;
}

/* Into the program's device memory, as into its host memory, goes only what was confirmed. */
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

/* The program's own streams may still be writing to its device memory. */
static enum reason gpu_blas_wait_for_program(const struct gpu_blas_job *job)
{
	if (!job->meets_device)
		return REASON_NONE;
	return job->lane->api->device_synchronize() == CUDA_SUCCESS ? REASON_NONE : REASON_DEVICE_FAILED;
}

static enum reason gpu_blas_queue(struct gpu_blas_job *job, enum element element)
{
	enum reason reason = lane_build_pin_math(job->lane, element);
	if (reason == REASON_NONE)
		reason = gpu_blas_place(job);
	if (reason == REASON_NONE)
		reason = gpu_blas_take_memory(job);
	if (reason == REASON_NONE)
		reason = gpu_blas_wait_for_program(job);
	for (int64_t i = 0; i < job->count && reason == REASON_NONE; i++)
		reason = gpu_blas_queue_group(job->lane, &job->group[i]);
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

static enum reason gpu_blas_run_on(struct lane *lane, const struct call *call)
{
	struct gpu_blas_job job = {.lane = lane};
	enum reason reason = gpu_batch_list(lane->api, call, &job.group, &job.count);
	if (reason == REASON_NONE)
		reason = gpu_blas_queue(&job, call->element);
	reason = lanes_finish(lane, reason);
	if (reason == REASON_NONE)
		gpu_blas_commit(&job);
	free(job.group);
	return reason;
}

enum reason gpu_blas_run(const struct call *call, int device)
{
	struct lane *lane;
	enum reason reason = lanes_take(device, &lane);
	if (reason != REASON_NONE)
		return reason;
	reason = gpu_blas_run_on(lane, call);
	lanes_give(lane);
	return reason;
}
