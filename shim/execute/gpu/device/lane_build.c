/* lane_build.c - creates a lane, one library call per step, since exit and fork wait for it */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/device/lane.h"

#include "shim/execute/gpu/cuda/cuda_exit.h"
#include "shim/execute/gpu/device/blas_math.h"
#include "shim/execute/gpu/device/math_proof.h"

/* cuBLAS's own workspace sizes: 4 MiB, and 32 MiB from compute capability 9.0 on. */
static const uint64_t lane_workspace_bytes[2] = {UINT64_C(4) << 20, UINT64_C(32) << 20};

/* One workspace takes at most this part of the memory limit. */
enum { LANE_WORKSPACE_PART = 16, LANE_WORKSPACE_LEAST_BYTES = 256 };

static uint64_t lane_build_choose_workspace(const struct lane *lane)
{
	uint64_t size_bytes = memory_limit(lane->device) / LANE_WORKSPACE_PART;
	const uint64_t most_bytes = lane_workspace_bytes[lane->card->capability >= 90];
	/*
	 * Emulation needs several times the operands' size; with less workspace cuBLAS does not
	 * emulate.
	 */
	if (size_bytes > most_bytes && blas_math_mode(ELEMENT_D) != CUBLAS_MATH_EMULATED_DOUBLE)
		size_bytes = most_bytes;
	size_bytes -= size_bytes % LANE_WORKSPACE_LEAST_BYTES;
	return size_bytes > 0 ? size_bytes : LANE_WORKSPACE_LEAST_BYTES;
}

/* Library calls in their order. */
enum lane_step {
	LANE_STREAM,
	LANE_UP_STREAM,
	LANE_DOWN_STREAM,
	LANE_BLAS,
	LANE_SET_STREAM,
	LANE_TAKE_WORKSPACE,
	LANE_SET_WORKSPACE,
	LANE_SET_POINTER_MODE,
	LANE_SET_ATOMICS_MODE,
	LANE_SET_MATH,
	LANE_STEPS
};

static enum reason lane_build_create_stream(const struct cuda_api *api, void **stream)
{
	const int error = api->stream_create(stream, CUDA_STREAM_NON_BLOCKING);
	return error == CUDA_SUCCESS ? REASON_NONE : REASON_DEVICE_FAILED;
}

static enum reason lane_build_judge(int status)
{
	return status == CUBLAS_SUCCESS ? REASON_NONE : REASON_LIBRARY_FAILED;
}

static enum reason lane_build_take_step(struct lane *lane, enum lane_step step)
{
	const struct cuda_api *api = lane->api;
	switch (step) {
	case LANE_STREAM: return lane_build_create_stream(api, &lane->stream);
	case LANE_UP_STREAM: return lane_build_create_stream(api, &lane->up_stream);
	case LANE_DOWN_STREAM: return lane_build_create_stream(api, &lane->down_stream);
	case LANE_BLAS: return lane_build_judge(api->blas_create(&lane->blas));
	case LANE_SET_STREAM:
		/* Before the workspace: cublasSetStream resets it to the handle's own. */
		return lane_build_judge(api->blas_set_stream(lane->blas, lane->stream));
	case LANE_TAKE_WORKSPACE:
		return memory_take(lane->device, lane_build_choose_workspace(lane),
		                   &lane->workspace);
	case LANE_SET_WORKSPACE:
		/*
		 * Not the block's size: cuBLAS chooses kernels by the workspace size, which has to
		 * be the same for every lane.
		 */
		return lane_build_judge(
			api->blas_set_workspace(lane->blas, lane->workspace->pointer,
		                                (size_t)lane_build_choose_workspace(lane)));
	case LANE_SET_POINTER_MODE:
		return lane_build_judge(
			api->blas_set_pointer_mode(lane->blas, CUBLAS_POINTERS_ON_HOST));
	case LANE_SET_ATOMICS_MODE:
		return lane_build_judge(api->blas_set_atomics_mode(lane->blas, CUBLAS_ATOMICS_OFF));
	default:
		return blas_math_pin(lane, ELEMENT_S) == REASON_NONE &&
		                       blas_math_pin(lane, ELEMENT_D) == REASON_NONE
		               ? REASON_NONE
		               : REASON_MATH_NOT_NATIVE;
	}
}

static void lane_build_destroy_streams(struct lane *lane, const struct cuda_set *set)
{
	void **const stream[] = {&lane->stream, &lane->up_stream, &lane->down_stream};
	for (size_t i = 0; i < sizeof stream / sizeof stream[0]; i++) {
		if (*stream[i] != NULL)
			set->api.stream_destroy(*stream[i]);
		*stream[i] = NULL;
	}
}

/* There are no events yet: they are created by calls. */
static void lane_build_destroy(struct lane *lane, const struct cuda_set *set)
{
	if (lane->blas != NULL)
		set->api.blas_destroy(lane->blas);
	lane_build_destroy_streams(lane, set);
	memory_give(lane->workspace);
	lane->blas = NULL;
	lane->workspace = NULL;
}

enum reason lane_build(struct lane *lane, const struct cuda_set *set,
                       const struct cuda_device *card, const struct cuda_guard *guard)
{
	enum reason reason = REASON_NONE;
	lane->api = &set->api;
	lane->card = card;
	lane->device = card->number;
	lane->math_mode = -1;
	for (int step = 0; step < LANE_STEPS && reason == REASON_NONE; step++) {
		if (!cuda_api_enter(guard))
			return REASON_EXITING;
		reason = lane_build_take_step(lane, (enum lane_step)step);
		if (guard != NULL)
			cuda_exit_register();
		cuda_api_leave(guard);
	}
	/* Only the first lane of a device is built with a guard; its proof holds for the device. */
	if (reason == REASON_NONE && guard != NULL)
		return math_proof_run(lane, guard);
	if (reason == REASON_NONE)
		return reason;
	if (!cuda_api_enter(guard))
		return REASON_EXITING;
	lane_build_destroy(lane, set);
	cuda_api_leave(guard);
	return reason;
}
