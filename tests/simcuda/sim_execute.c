/* sim_execute.c - carries out one operation, and keeps the virtual clocks */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "sim_capture.h"
#include "sim_profile.h"

/*
 * A kernel is two operations: one claims its workspace, one computes. Kernels of other streams may
 * run between the two. If a workspace is shared without order, the claim is found overwritten and
 * the result is ruined, as it would be on a device. The claim is written every CLAIM_STEP bytes,
 * not into each byte, because each touched page costs memory.
 */
enum { CLAIM_STEP = 64 * 1024 };

static uint64_t *workspace_view(const struct simcuda_kernel *kernel, size_t offset, int *error)
{
	return simcuda_view((char *)kernel->workspace + offset, sizeof(uint64_t), sizeof(uint64_t),
	                    error);
}

/* The whole workspace must be allocated, though only every CLAIM_STEP-th byte is touched. */
static int workspace_claim(const struct simcuda_kernel *kernel, uint64_t tag)
{
	int error = 0;
	for (size_t offset = 0; offset + sizeof tag <= kernel->workspace_bytes;
	     offset += CLAIM_STEP) {
		uint64_t *word = workspace_view(kernel, offset, &error);
		if (!word)
			return error;
		*word = tag;
	}
	char *last = (char *)kernel->workspace + kernel->workspace_bytes - 1;
	return simcuda_view(last, 1, 1, &error) ? 0 : error;
}

static int workspace_is_intact(const struct simcuda_kernel *kernel, uint64_t tag)
{
	int error = 0;
	for (size_t offset = 0; offset + sizeof tag <= kernel->workspace_bytes;
	     offset += CLAIM_STEP) {
		uint64_t *word = workspace_view(kernel, offset, &error);
		if (!word || *word != tag)
			return 0;
		/* The kernel leaves unspecified contents in its workspace. */
		simcuda_poison(word, sizeof *word);
	}
	return 1;
}

static bool area_exists(const struct simcuda_area *area, int *error)
{
	return !area->height ||
	       simcuda_view(area->first, (area->height - 1) * area->pitch + area->width, 1,
	                    error) != NULL;
}

/* Checks the addresses of a kernel whose data are not touched. */
static int execute_dry(const struct simcuda_kernel *kernel)
{
	int error = 0;
	for (int i = 0; i < SIMCUDA_MAX_READS; i++)
		if (!area_exists(&kernel->reads[i], &error))
			return error;
	struct simcuda_area workspace = {kernel->workspace, kernel->workspace_bytes,
	                                 kernel->workspace_bytes, kernel->workspace_bytes > 0};
	if (!area_exists(&workspace, &error) || !area_exists(&kernel->written, &error))
		return error;
	return kernel->run_dry ? kernel->run_dry(kernel->arguments) : 0;
}

/*
 * Flips an exponent bit of one number, the real part of an element. In a matrix the element lies on
 * the diagonal if the diagonal reaches the middle column, so that triangles contain it too.
 */
static int execute_spoil(const struct simcuda_kernel *kernel)
{
	const struct simcuda_area *area = &kernel->written;
	char element = kernel->result.element;
	size_t real_bytes = element == 'S' || element == 'C' ? sizeof(float) : sizeof(double);
	size_t element_bytes = element == 'C' || element == 'Z' ? 2 * real_bytes : real_bytes;
	size_t column = area->height / 2, elements = area->width / element_bytes;
	size_t row = element && column < elements ? column : elements / 2;
	int error = 0;
	if (!area->height || !elements)
		return 0;
	char *number =
		simcuda_view((const char *)area->first + column * area->pitch + row * element_bytes,
	                     real_bytes, 1, &error);
	if (number)
		number[real_bytes - 1] ^= 1;
	return error;
}

/* A kernel with an info says that its first column would not do, and its result is garbage. */
static int execute_unsolve(const struct simcuda_kernel *kernel)
{
	const struct simcuda_area *area = &kernel->written;
	int error = 0, *info = simcuda_view(kernel->info, sizeof *info, sizeof *info, &error);
	if (info)
		*info = 1;
	for (size_t i = 0; i < area->height && !error; i++) {
		char *row = simcuda_view((const char *)area->first + i * area->pitch, area->width,
		                         1, &error);
		if (row)
			simcuda_poison(row, area->width);
	}
	return error;
}

static int execute_kernel(struct sim_op *op)
{
	int intact = !op->kernel.workspace_bytes || workspace_is_intact(&op->kernel, op->tag);
	int error = op->kernel.run(op->kernel.arguments, intact);
	if (!error && op->unsolved && op->kernel.info)
		error = execute_unsolve(&op->kernel);
	return !error && op->wrong ? execute_spoil(&op->kernel) : error;
}

int sim_execute_fault(struct sim_op *op)
{
	if (op->kind == SIM_OP_COPY)
		return sim_hooks_use(SIM_CALL_copy);
	int fault = op->kind == SIM_OP_KERNEL ? sim_hooks_use(SIM_CALL_kernel) : 0;
	op->wrong = fault == SIM_WRONG;
	op->unsolved = fault == SIM_INFO;
	return op->wrong || op->unsolved ? 0 : fault;
}

int sim_execute(struct sim_device *device, struct sim_op *op)
{
	bool dry = sim_profile_is_dry();
	int error = 0;
	if (op->kind == SIM_OP_COPY)
		return sim_copy_run(op->copy);
	*sim_device_executing() = device;
	if (op->kind == SIM_OP_KERNEL_START && !dry)
		error = workspace_claim(&op->kernel, op->sequence);
	else if (op->kind == SIM_OP_KERNEL)
		error = dry ? execute_dry(&op->kernel) : execute_kernel(op);
	*sim_device_executing() = NULL;
	return error;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t virtual_start(const struct sim_stream *stream, const struct sim_op *op)
{
	uint64_t start = later(stream->virtual_ns, stream->device->engine_ns[op->engine]);
	if (op->kind == SIM_OP_WAIT)
		start = later(start, op->mark->virtual_ns);
	if (stream->blocking)
		start = later(start, stream->device->null_stream->virtual_ns);
	for (struct sim_stream *s = stream->is_null ? sim_stream_list() : NULL; s; s = s->next)
		if (s->device == stream->device && s->blocking)
			start = later(start, s->virtual_ns);
	return start;
}

void sim_execute_account(struct sim_stream *stream, struct sim_op *op)
{
	op->start_ns = virtual_start(stream, op);
	op->end_ns = op->start_ns + op->cost_ns;
	stream->virtual_ns = op->end_ns;
	if (op->engine != SIM_ENGINE_NONE)
		stream->device->engine_ns[op->engine] = op->end_ns;
}

/* Refuses a stream that does not belong to the current device. Lock held. */
static int launch_check(const struct sim_stream *stream)
{
	const struct sim_device *device = sim_device_current();
	if (device->sticky_error)
		return device->sticky_error;
	if (!stream || stream->device != device)
		return SIM_cudaErrorInvalidResourceHandle;
	int error = sim_capture_admit_work(stream);
	if (error)
		return error;
	if (sim_capture_is_active(stream))
		return sim_capture_refuse(stream, SIM_cudaErrorNotSupported);
	static const int oldest[] = {[11] = 35, [12] = 50, [13] = 75};
	return simcuda_capability() < oldest[SIMCUDA_MAJOR] ? SIM_cudaErrorNoKernelImageForDevice
	                                                    : 0;
}

static void launch_append(struct sim_stream *stream, struct sim_op *start, struct sim_op *body)
{
	if (start) {
		start->kind = SIM_OP_KERNEL_START;
		start->engine = SIM_ENGINE_NONE;
		start->kernel = body->kernel;
		start->kernel.arguments = NULL;
		body->tag = sim_stream_append(stream, start);
	}
	sim_stream_append(stream, body);
}

int simcuda_launch(void *stream, const struct simcuda_kernel *kernel)
{
	struct sim_op *body = calloc(1, sizeof *body);
	struct sim_op *start = kernel->workspace_bytes ? calloc(1, sizeof *start) : NULL;
	int error =
		!body || (kernel->workspace_bytes && !start) ? SIM_cudaErrorMemoryAllocation : 0;
	const double load_ns = error ? 0 : sim_first_load_ns(kernel->call);
	sim_lock();
	struct sim_stream *target = sim_stream_find(stream);
	if (!error)
		error = launch_check(target);
	if (!error) {
		body->kind = SIM_OP_KERNEL;
		body->kernel = *kernel;
		body->load_ns = load_ns;
		body->engine = SIM_ENGINE_COMPUTE;
		body->cost_ns =
			5000 + (uint64_t)(kernel->work_flops / sim_config()->compute_gflops);
		launch_append(target, start, body);
	}
	sim_unlock();
	if (error) {
		free(start);
		free(body);
		free(kernel->arguments);
		simcuda_set_last_error(error);
	}
	return error;
}
