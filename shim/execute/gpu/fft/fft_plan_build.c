/* fft_plan_build.c - from a shape to a cuFFT plan, and what it costs */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/fft/fft_plan_build.h"

#include <pthread.h>

#include "shim/base/observe.h"

/* One at a time, so that each measures its own tables. */
static pthread_mutex_t fft_plan_building = PTHREAD_MUTEX_INITIALIZER;

/*
 * More than this beyond the size of the work area is not in a plan's tables: somebody else took it
 * meanwhile.
 */
static const uint64_t fft_plan_tables_most_bytes = UINT64_C(64) << 20;

static int fft_plan_build_choose_type(const struct fft_shape *shape)
{
	const bool single = shape->element == ELEMENT_C;
	switch (shape->family) {
	case FAMILY_FFT_R2C: return single ? CUFFT_TYPE_R2C : CUFFT_TYPE_D2Z;
	case FAMILY_FFT_C2R: return single ? CUFFT_TYPE_C2R : CUFFT_TYPE_Z2D;
	default: return single ? CUFFT_TYPE_C2C : CUFFT_TYPE_Z2Z;
	}
}

/*
 * Both layouts are always told: with NULL for the embedding cuFFT would ignore stride and distance.
 */
static int fft_plan_build_fill(const struct cuda_api *api, struct fft_plan *plan)
{
	const struct fft_shape *shape = &plan->shape;
	long long n[FFT_GPU_RANK], in[FFT_GPU_RANK], out[FFT_GPU_RANK];
	for (int i = 0; i < shape->rank; i++) {
		n[i] = shape->n[i];
		in[i] = shape->input.embed[i];
		out[i] = shape->output.embed[i];
	}
	const int status = api->fft_set_auto_allocation(plan->handle, 0);
	if (status != CUFFT_FINE)
		return status;
	return api->fft_make_plan_many(plan->handle, shape->rank, n, in, shape->input.stride,
	                               shape->input.distance, out, shape->output.stride,
	                               shape->output.distance, fft_plan_build_choose_type(shape),
	                               shape->batch, &plan->work_bytes);
}

static int fft_plan_build_create(const struct cuda_api *api, struct fft_plan *plan)
{
	plan->work_bytes = 0;
	int status = api->fft_create(&plan->handle);
	if (status != CUFFT_FINE)
		return status;
	status = fft_plan_build_fill(api, plan);
	if (status != CUFFT_FINE)
		api->fft_destroy(plan->handle);
	return status;
}

/*
 * No function tells what a plan holds beside its work area, so the device's free memory is asked
 * before and after. That counts in the driver's steps, and whatever other processes did meanwhile:
 * hence the bounds. The first plans also load code, which stays when they are gone.
 */
static int fft_plan_build_measure(const struct cuda_api *api, struct fft_plan *plan)
{
	int64_t before, after;
	plan->table_bytes = 0;
	const bool known = memory_measure_others(plan->device, &before);
	const int status = fft_plan_build_create(api, plan);
	if (status != CUFFT_FINE || !known || !memory_measure_others(plan->device, &after) ||
	    after <= before)
		return status;
	const uint64_t most_bytes = plan->work_bytes + fft_plan_tables_most_bytes;
	plan->table_bytes =
		(uint64_t)(after - before) < most_bytes ? (uint64_t)(after - before) : most_bytes;
	return status;
}

static enum reason fft_plan_build_judge(int status)
{
	switch (status) {
	case CUFFT_FINE: return REASON_NONE;
	case CUFFT_OUT_OF_MEMORY: return REASON_DEVICE_MEMORY;
	case CUFFT_NO_SUCH_TYPE:
	case CUFFT_NO_SUCH_VALUE:
	case CUFFT_NO_SUCH_SIZE:
	case CUFFT_NOT_BUILT:
	case CUFFT_NOT_OFFERED: return REASON_UNSUPPORTED_LAYOUT;
	default: return REASON_LIBRARY_FAILED;
	}
}

enum reason fft_plan_build(const struct cuda_api *api, struct fft_plan *plan)
{
	const int64_t begin_ns = observe_begin("make cuFFT plan");
	pthread_mutex_lock(&fft_plan_building);
	int status = fft_plan_build_measure(api, plan);
	while (status == CUFFT_OUT_OF_MEMORY && memory_shrink(plan->device))
		status = fft_plan_build_measure(api, plan);
	enum reason reason = fft_plan_build_judge(status);
	if (reason == REASON_NONE && plan->table_bytes > 0) {
		reason = memory_reserve(plan->device, plan->table_bytes);
		if (reason == REASON_DEVICE_MEMORY && lanes_share_bytes(plan->device) > 0) {
			/* What was measured may be somebody else's: not for a choice that is to be the same each time.
			 */
			plan->table_bytes = 0;
			reason = REASON_NONE;
		}
		if (reason != REASON_NONE)
			api->fft_destroy(plan->handle);
	}
	pthread_mutex_unlock(&fft_plan_building);
	observe_end("make cuFFT plan", begin_ns);
	return reason;
}

void fft_plan_build_destroy(const struct cuda_api *api, const struct fft_plan *plan)
{
	int current = plan->device;
	api->get_device(&current);
	if (current != plan->device)
		api->set_device(plan->device);
	api->fft_destroy(plan->handle);
	if (current != plan->device)
		api->set_device(current);
	memory_release(plan->device, plan->table_bytes);
}
