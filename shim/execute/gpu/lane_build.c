/* lane_build.c - one library call a step, so that exit and fork wait for one call at most */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/lane_build.h"

#include <stdlib.h>
#include <string.h>

/* What cuBLAS itself takes for its workspace: 32 MiB from compute capability 9.0 on, 4 MiB before. */
static const uint64_t lane_workspace_bytes[2] = {UINT64_C(4) << 20, UINT64_C(32) << 20};

/* At most this part of the memory allowed goes into one workspace. */
enum { LANE_WORKSPACE_PART = 16, LANE_WORKSPACE_LEAST_BYTES = 256 };

static enum reason lane_create_one_stream(const struct cuda_set *set, void **stream)
{
	const int error = set->api.stream_create(stream, CUDA_STREAM_NON_BLOCKING);
	return error == CUDA_SUCCESS ? REASON_NONE : REASON_DEVICE_FAILED;
}

static enum reason lane_create_stream(struct lane *lane, const struct cuda_set *set)
{
	return lane_create_one_stream(set, &lane->stream);
}

static enum reason lane_create_up_stream(struct lane *lane, const struct cuda_set *set)
{
	return lane_create_one_stream(set, &lane->up_stream);
}

static enum reason lane_create_down_stream(struct lane *lane, const struct cuda_set *set)
{
	return lane_create_one_stream(set, &lane->down_stream);
}

static enum reason lane_create_blas(struct lane *lane, const struct cuda_set *set)
{
	return set->api.blas_create(&lane->blas) == CUBLAS_SUCCESS ? REASON_NONE : REASON_LIBRARY_FAILED;
}

/* Before the workspace: cublasSetStream falls back to the handle's own. */
static enum reason lane_set_stream(struct lane *lane, const struct cuda_set *set)
{
	return set->api.blas_set_stream(lane->blas, lane->stream) == CUBLAS_SUCCESS ? REASON_NONE
	                                                                            : REASON_LIBRARY_FAILED;
}

static enum reason lane_take_workspace(struct lane *lane, const struct cuda_set *set)
{
	uint64_t size_bytes = memory_limit(lane->device) / LANE_WORKSPACE_PART;
	const uint64_t most_bytes = lane_workspace_bytes[lane->card->capability >= 90];
	(void)set;
	if (size_bytes > most_bytes)
		size_bytes = most_bytes;
	size_bytes -= size_bytes % LANE_WORKSPACE_LEAST_BYTES;
	if (size_bytes == 0)
		size_bytes = LANE_WORKSPACE_LEAST_BYTES;
	return memory_take(lane->device, size_bytes, &lane->workspace);
}

static enum reason lane_set_workspace(struct lane *lane, const struct cuda_set *set)
{
	const struct memory_block *workspace = lane->workspace;
	const int status = set->api.blas_set_workspace(lane->blas, workspace->pointer, (size_t)workspace->size_bytes);
	return status == CUBLAS_SUCCESS ? REASON_NONE : REASON_LIBRARY_FAILED;
}

static enum reason lane_set_pointer_mode(struct lane *lane, const struct cuda_set *set)
{
	const int status = set->api.blas_set_pointer_mode(lane->blas, CUBLAS_POINTERS_ON_HOST);
	return status == CUBLAS_SUCCESS ? REASON_NONE : REASON_LIBRARY_FAILED;
}

static enum reason lane_set_atomics_mode(struct lane *lane, const struct cuda_set *set)
{
	const int status = set->api.blas_set_atomics_mode(lane->blas, CUBLAS_ATOMICS_OFF);
	return status == CUBLAS_SUCCESS ? REASON_NONE : REASON_LIBRARY_FAILED;
}

/* Whether the environment asks cuBLAS for arithmetic that is not native: then only the pedantic mode ignores it. */
static bool lane_is_overridden(void)
{
	static const char *const name[] = {"NVIDIA_TF32_OVERRIDE", "CUBLAS_EMULATE_DOUBLE_PRECISION",
	                                   "CUBLAS_EMULATE_SINGLE_PRECISION", "CUBLAS_EMULATION_STRATEGY"};
	for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
		const char *value = getenv(name[i]);
		if (value != NULL && value[0] != '\0' && strcmp(value, "0") != 0)
			return true;
	}
	return false;
}

/*
 * Pedantic keeps every step in the element's own precision, whatever the environment says. It also turns the tensor
 * cores off. Those of FP64 are native arithmetic and twice as fast, so D and Z use the default mode where nothing
 * overrides it; single precision has nothing to lose.
 */
static int lane_choose_math(const struct lane *lane, enum element element)
{
	const bool is_double = element == ELEMENT_D || element == ELEMENT_Z;
	return is_double && !lane->overridden ? CUBLAS_MATH_DEFAULT : CUBLAS_MATH_PEDANTIC;
}

enum reason lane_build_pin_math(struct lane *lane, enum element element)
{
	const int mode = lane_choose_math(lane, element);
	if (mode == lane->math_mode)
		return REASON_NONE;
	lane->math_mode = -1;
	if (lane->api->blas_set_math_mode(lane->blas, mode) != CUBLAS_SUCCESS)
		return REASON_LIBRARY_FAILED;
	lane->math_mode = mode;
	return REASON_NONE;
}

static enum reason lane_try_math(struct lane *lane, const struct cuda_set *set)
{
	(void)set;
	lane->overridden = lane_is_overridden();
	if (lane_build_pin_math(lane, ELEMENT_S) != REASON_NONE || lane_build_pin_math(lane, ELEMENT_D) != REASON_NONE)
		return REASON_MATH_NOT_NATIVE;
	return REASON_NONE;
}

static void lane_destroy_streams(struct lane *lane, const struct cuda_set *set)
{
	void **const stream[] = {&lane->stream, &lane->up_stream, &lane->down_stream};
	for (size_t i = 0; i < sizeof stream / sizeof stream[0]; i++) {
		if (*stream[i] != NULL)
			set->api.stream_destroy(*stream[i]);
		*stream[i] = NULL;
	}
}

/* There are no events yet: a lane gets them by its calls. */
static void lane_destroy(struct lane *lane, const struct cuda_set *set)
{
	if (lane->blas != NULL)
		set->api.blas_destroy(lane->blas);
	lane_destroy_streams(lane, set);
	memory_give(lane->workspace);
	lane->blas = NULL;
	lane->workspace = NULL;
}

enum reason lane_build(struct lane *lane, const struct cuda_set *set, const struct cuda_device *card,
                       const struct cuda_gate *gate)
{
	static enum reason (*const steps[])(struct lane *, const struct cuda_set *) = {
		lane_create_stream,    lane_create_up_stream, lane_create_down_stream, lane_create_blas,
		lane_set_stream,       lane_take_workspace,   lane_set_workspace,      lane_set_pointer_mode,
		lane_set_atomics_mode, lane_try_math,
	};
	enum reason reason = REASON_NONE;
	lane->api = &set->api;
	lane->card = card;
	lane->device = card->number;
	lane->math_mode = -1;
	for (size_t i = 0; i < sizeof steps / sizeof steps[0] && reason == REASON_NONE; i++) {
		if (!cuda_gate_enter(gate))
			return REASON_EXITING;
		reason = steps[i](lane, set);
		cuda_gate_leave(gate);
	}
	if (reason == REASON_NONE)
		return reason;
	if (!cuda_gate_enter(gate))
		return REASON_EXITING;
	lane_destroy(lane, set);
	cuda_gate_leave(gate);
	return reason;
}
