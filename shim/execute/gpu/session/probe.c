/* probe.c - times flows and kernels on scratch memory */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/session/probe.h"

#include "shim/base/clock.h"
#include "shim/execute/gpu/device/gpu_launch.h"
#include "shim/execute/gpu/engine/flow.h"

/* Small enough that the product costs its launch only. */
enum { PROBE_SMALL_ORDER = 8, PROBE_SMALL_BYTES = PROBE_SMALL_ORDER * PROBE_SMALL_ORDER * 8 };

/* Both factors are the same matrix, so memory for two matrices is enough. */
static struct gpu_launch probe_describe_product(const struct probe *probe, enum element element,
                                                int64_t order)
{
	struct gpu_launch launch = {.family = FAMILY_GEMM, .element = element, .count = 1};
	struct blas_call *blas = &launch.blas;
	blas->m = blas->n = blas->k = blas->lda = blas->ldb = blas->ldc = order;
	blas->a = blas->b = probe->device;
	blas->c = probe->device + (uint64_t)(order * order) * element_size_bytes(element);
	blas->alpha[0] = 1;
	return launch;
}

/* -- flows -- */

/* A program that is an array of steps. */
static void probe_read_step(const void *self, uint32_t number, struct flow_step *step)
{
	*step = ((const struct flow_step *)self)[number];
}

/* Its only kernel is a product at the beginning of the probe's device memory. */
struct probe_program {
	struct flow_step step[FLOW_KINDS];
	const struct probe *probe;
};

static enum reason probe_launch_small(const void *self, struct lane *lane, uint32_t number)
{
	const struct probe_program *program = self;
	const struct gpu_launch launch =
		probe_describe_product(program->probe, ELEMENT_D, PROBE_SMALL_ORDER);
	(void)number;
	return gpu_launch_run(lane, &launch);
}

static enum reason probe_run_flow(const struct probe *probe, const struct probe_program *program,
                                  uint32_t count, int64_t *elapsed_ns)
{
	struct flow flow = {
		.lane = probe->lane,
		.program = {program, count, probe_read_step, .launch = probe_launch_small}};
	const int64_t begin_ns = clock_monotonic_ns();
	enum reason reason = flow_run(&flow, 1);
	if (reason == REASON_NONE)
		reason = lanes_confirm(probe->lane);
	if (reason == REASON_NONE)
		*elapsed_ns = clock_monotonic_ns() - begin_ns;
	return reason;
}

static struct flow_copy probe_describe_copy(const struct probe *probe, uint64_t offset_bytes,
                                            uint64_t size_bytes)
{
	return (struct flow_copy){.area = {probe->host + offset_bytes, size_bytes, 1, size_bytes},
	                          .device = probe->device + offset_bytes,
	                          .device_pitch = size_bytes};
}

enum reason probe_copy(const struct probe *probe, enum staging_way way, uint64_t size_bytes,
                       int64_t *elapsed_ns)
{
	struct probe_program program = {.probe = probe};
	program.step[0].kind = way == STAGING_UP ? FLOW_LOAD : FLOW_STORE;
	program.step[0].copy = probe_describe_copy(probe, 0, size_bytes);
	return probe_run_flow(probe, &program, 1, elapsed_ns);
}

enum reason probe_copy_both(const struct probe *probe, uint64_t size_bytes, int64_t *elapsed_ns)
{
	const uint64_t half_bytes = size_bytes / 2;
	struct probe_program program = {.probe = probe};
	program.step[0].kind = FLOW_LOAD;
	program.step[0].copy = probe_describe_copy(probe, 0, half_bytes);
	program.step[1].kind = FLOW_STORE;
	program.step[1].copy = probe_describe_copy(probe, half_bytes, half_bytes);
	return probe_run_flow(probe, &program, 2, elapsed_ns);
}

enum reason probe_call(const struct probe *probe, int64_t *elapsed_ns)
{
	struct probe_program program = {.probe = probe};
	program.step[0].kind = FLOW_LOAD;
	program.step[0].copy = probe_describe_copy(probe, 0, PROBE_SMALL_BYTES);
	program.step[1].kind = FLOW_WORK;
	program.step[1].after[FLOW_LOAD] = 1;
	program.step[2].kind = FLOW_STORE;
	program.step[2].after[FLOW_WORK] = 1;
	program.step[2].copy = probe_describe_copy(probe, PROBE_SMALL_BYTES, PROBE_SMALL_BYTES);
	return probe_run_flow(probe, &program, FLOW_KINDS, elapsed_ns);
}

/* -- operations -- */

static enum reason probe_judge(const struct probe *probe, int error)
{
	if (error == CUDA_SUCCESS)
		return REASON_NONE;
	lanes_note_error(probe->lane, error);
	return REASON_DEVICE_FAILED;
}

/* Later work on the second stream waits for the work queued on the first. */
static enum reason probe_chain(const struct probe *probe, int kind, void *first, void *second)
{
	const struct cuda_api *api = probe->lane->api;
	void *event = NULL;
	enum reason reason = lanes_take_event(probe->lane, kind, 0, &event);
	if (reason == REASON_NONE)
		reason = probe_judge(probe, api->event_record(event, first));
	if (reason == REASON_NONE)
		reason = probe_judge(probe, api->stream_wait_event(second, event, 0));
	return reason;
}

/* In pieces of the part's size, one stream after the other. */
static enum reason probe_queue_pinned(const struct probe *probe, const struct staging *staging,
                                      enum staging_way way, uint64_t size_bytes)
{
	struct lane *lane = probe->lane;
	const bool up = way == STAGING_UP;
	void *stream = up ? lane->up_stream : lane->down_stream;
	const uint64_t most_bytes = staging->size_bytes[way];
	enum reason reason = REASON_NONE;
	for (uint64_t done = 0; done < size_bytes && reason == REASON_NONE; done += most_bytes) {
		const uint64_t left = size_bytes - done;
		char *host = staging->base[way], *device = probe->device + done;
		reason = probe_judge(probe,
		                     lane->api->memcpy_async(up ? device : host, up ? host : device,
		                                             left < most_bytes ? left : most_bytes,
		                                             up ? CUDA_COPY_HOST_TO_DEVICE
		                                                : CUDA_COPY_DEVICE_TO_HOST,
		                                             stream));
	}
	return reason == REASON_NONE
	               ? probe_chain(probe, up ? FLOW_LOAD : FLOW_STORE, stream, lane->stream)
	               : reason;
}

/* After a failure a copy may still be pending. */
static enum reason probe_confirm(const struct probe *probe, struct staging *staging,
                                 enum reason reason)
{
	const enum reason confirmed = lanes_confirm(probe->lane);
	if (reason != REASON_NONE)
		lanes_abandon(probe->lane);
	reason = reason == REASON_NONE ? confirmed : reason;
	staging_give(staging, reason == REASON_NONE);
	return reason;
}

enum reason probe_pinned(const struct probe *probe, enum staging_way way, uint64_t size_bytes,
                         int64_t *elapsed_ns)
{
	struct staging staging;
	enum reason reason = staging_take(&staging);
	if (reason != REASON_NONE)
		return reason;
	const int64_t begin_ns = clock_monotonic_ns();
	reason = probe_queue_pinned(probe, &staging, way, size_bytes);
	reason = probe_confirm(probe, &staging, reason);
	if (reason == REASON_NONE)
		*elapsed_ns = clock_monotonic_ns() - begin_ns;
	return reason;
}

static enum reason probe_hop(const struct probe *probe, const struct staging *staging)
{
	struct lane *lane = probe->lane;
	const struct gpu_launch launch =
		probe_describe_product(probe, ELEMENT_D, PROBE_SMALL_ORDER);
	enum reason reason = probe_judge(
		probe,
		lane->api->memcpy_async(probe->device, staging->base[STAGING_UP], PROBE_SMALL_BYTES,
	                                CUDA_COPY_HOST_TO_DEVICE, lane->up_stream));
	if (reason == REASON_NONE)
		reason = probe_chain(probe, FLOW_LOAD, lane->up_stream, lane->stream);
	if (reason == REASON_NONE)
		reason = gpu_launch_run(lane, &launch);
	return reason == REASON_NONE ? probe_chain(probe, FLOW_WORK, lane->stream, lane->up_stream)
	                             : reason;
}

enum reason probe_hops(const struct probe *probe, int count, int64_t *elapsed_ns)
{
	struct staging staging;
	enum reason reason = staging_take(&staging);
	if (reason != REASON_NONE)
		return reason;
	const int64_t begin_ns = clock_monotonic_ns();
	for (int i = 0; i < count && reason == REASON_NONE; i++)
		reason = probe_hop(probe, &staging);
	/* The kernels' stream is the last of the chain. */
	reason = probe_confirm(probe, &staging, reason);
	if (reason == REASON_NONE)
		*elapsed_ns = clock_monotonic_ns() - begin_ns;
	return reason;
}

/* -- products -- */

int64_t probe_most_order(const struct probe *probe, enum element element)
{
	const uint64_t numbers = probe->device_bytes / 2 / element_size_bytes(element);
	int64_t order = 1;
	while ((uint64_t)(4 * order * order) <= numbers)
		order *= 2;
	return order;
}

enum reason probe_product(const struct probe *probe, enum element element, int64_t order, int count,
                          int64_t *elapsed_ns)
{
	return probe_level3(probe, FAMILY_GEMM, element, order, count, elapsed_ns);
}

enum reason probe_level3(const struct probe *probe, enum family family, enum element element,
                         int64_t order, int count, int64_t *elapsed_ns)
{
	struct gpu_launch launch = probe_describe_product(probe, element, order);
	launch.family = family;
	const int64_t begin_ns = clock_monotonic_ns();
	enum reason reason = REASON_NONE;
	for (int i = 0; i < count && reason == REASON_NONE; i++)
		reason = gpu_launch_run(probe->lane, &launch);
	const enum reason confirmed = lanes_confirm(probe->lane);
	reason = reason == REASON_NONE ? confirmed : reason;
	if (reason == REASON_NONE)
		*elapsed_ns = clock_monotonic_ns() - begin_ns;
	return reason;
}
