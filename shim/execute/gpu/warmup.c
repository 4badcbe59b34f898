/* warmup.c - from nothing to a device that takes calls */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/warmup.h"

#include "shim/base/diag.h"
#include "shim/execute/gpu/lanes.h"
#include "shim/execute/gpu/memory.h"

static const uint64_t warmup_megabyte = 1000000;

/* Both are too large for a stack of the program's choice, and the set is used for ever. */
static struct cuda_set warmup_set;
static struct cuda_search warmup_search;

/* What the thread had, and the last error of a CUDA call: the sentence names it. */
static int warmup_caller_device, warmup_error;

static enum reason warmup_judge(int error)
{
	warmup_error = error;
	return error == CUDA_SUCCESS ? REASON_NONE : REASON_CUDA_START_FAILED;
}

static enum reason warmup_read_device(const struct options *options)
{
	(void)options;
	return warmup_judge(warmup_set.api.get_device(&warmup_caller_device));
}

static enum reason warmup_set_device(const struct options *options)
{
	(void)options;
	return warmup_judge(warmup_set.api.set_device(warmup_set.device));
}

/* Freeing nothing is the customary way to have the context made now. */
static enum reason warmup_create_context(const struct options *options)
{
	(void)options;
	return warmup_judge(warmup_set.api.free(NULL));
}

static enum reason warmup_start_memory(const struct options *options)
{
	size_t free_bytes = 0, total_bytes = 0;
	uint64_t limit_bytes;
	const enum reason reason = warmup_judge(warmup_set.api.mem_get_info(&free_bytes, &total_bytes));
	if (reason != REASON_NONE)
		return reason;
	limit_bytes = (uint64_t)free_bytes / 5 * 4;
	if (options->memory_limit > UINT64_MAX / warmup_megabyte)
		limit_bytes = UINT64_MAX;
	else if (options->memory_limit != 0)
		limit_bytes = options->memory_limit * warmup_megabyte;
	memory_start(&warmup_set.api, limit_bytes);
	return REASON_NONE;
}

static enum reason warmup_restore_device(const struct options *options)
{
	(void)options;
	if (warmup_caller_device == warmup_set.device)
		return REASON_NONE;
	return warmup_judge(warmup_set.api.set_device(warmup_caller_device));
}

static enum reason warmup_take_steps(const struct options *options, const struct cuda_gate *gate,
                                     enum reason (*const steps[])(const struct options *), size_t count)
{
	enum reason reason = REASON_NONE;
	for (size_t i = 0; i < count && reason == REASON_NONE; i++) {
		if (!cuda_gate_enter(gate))
			return REASON_EXITING;
		reason = steps[i](options);
		cuda_gate_leave(gate);
	}
	return reason;
}

/* A lane's reasons are about calls; here they all mean that CUDA did not start. */
static enum reason warmup_create_lane(const struct cuda_gate *gate)
{
	const enum reason reason = lanes_create_first(gate);
	if (reason == REASON_NONE || reason == REASON_EXITING || reason == REASON_MATH_NOT_NATIVE)
		return reason;
	if (reason == REASON_DEVICE_MEMORY)
		diag_warn("GPU %d has no memory left for cuBLAS's workspace; every call stays on the CPU",
		          warmup_set.device);
	else
		diag_warn("GPU %d does not take a stream or a cuBLAS handle; every call stays on the CPU",
		          warmup_set.device);
	warmup_error = CUDA_SUCCESS;
	return REASON_CUDA_START_FAILED;
}

static void warmup_say_search(enum reason reason)
{
	const struct cuda_refusal *refusal = cuda_find_refusal(&warmup_search);
	if (reason != REASON_EXITING && refusal != NULL && !refusal->expected)
		diag_warn("%s; every call stays on the CPU", refusal->sentence);
}

static void warmup_say_start(enum reason reason)
{
	if (reason == REASON_MATH_NOT_NATIVE)
		diag_warn("cuBLAS does not pin native precision; every call stays on the CPU");
	else if (reason == REASON_CUDA_START_FAILED && warmup_error != CUDA_SUCCESS)
		diag_warn("CUDA does not start on GPU %d: %s; every call stays on the CPU", warmup_set.device,
		          warmup_set.api.get_error_string(warmup_error));
}

static enum reason warmup_start_device(const struct options *options, const struct cuda_gate *gate)
{
	static enum reason (*const begin[])(const struct options *) = {warmup_read_device, warmup_set_device,
	                                                               warmup_create_context, warmup_start_memory};
	static enum reason (*const end[])(const struct options *) = {warmup_restore_device};
	enum reason reason = warmup_take_steps(options, gate, begin, sizeof begin / sizeof begin[0]);
	if (reason != REASON_NONE)
		return reason;
	gate->opened();
	lanes_start(&warmup_set);
	reason = warmup_create_lane(gate);
	if (reason != REASON_NONE)
		return reason;
	return warmup_take_steps(options, gate, end, sizeof end / sizeof end[0]);
}

enum reason warmup_run(const struct options *options, const struct cuda_gate *gate, int *device)
{
	enum reason reason = cuda_open(options->cuda_path, options->devices, gate, &warmup_set, &warmup_search);
	if (reason != REASON_NONE) {
		warmup_say_search(reason);
		return reason;
	}
	reason = warmup_start_device(options, gate);
	if (reason != REASON_NONE)
		warmup_say_start(reason);
	*device = warmup_set.device;
	return reason;
}
