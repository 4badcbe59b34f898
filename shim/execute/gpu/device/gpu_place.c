/* gpu_place.c - asks CUDA where the program's memory is */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/device/gpu_place.h"

#include "policy/call/fft_extent.h"
#include "shim/execute/gpu/device/lanes.h"
#include "shim/execute/gpu/resident/resident.h"

/* Old releases report memory that CUDA does not know as an invalid value. */
enum reason gpu_place_find(const struct cuda_api *api, const void *address,
                           struct gpu_place_found *place)
{
	struct cuda_pointer_attributes attributes = {.type = 0};
	const int error = api->pointer_get_attributes(&attributes, address);
	*place = (struct gpu_place_found){.device = -1};
	if (error != CUDA_SUCCESS)
		return error == CUDA_ERROR_INVALID_VALUE ? REASON_NONE : REASON_DEVICE_FAILED;
	place->managed = attributes.type == CUDA_MEMORY_MANAGED;
	place->on_device = attributes.type == CUDA_MEMORY_DEVICE || place->managed;
	place->locked = attributes.type == CUDA_MEMORY_HOST;
	if (place->on_device)
		place->device = attributes.device;
	/* A device may write such memory without a trace that tracking sees. */
	if (place->on_device || place->locked)
		resident_note_cuda();
	return REASON_NONE;
}

bool gpu_place_is_locked(const struct cuda_api *api, const void *memory, uint64_t size_bytes)
{
	struct gpu_place_found place;
	const char *begin = memory;
	return size_bytes > 0 && gpu_place_find(api, begin, &place) == REASON_NONE &&
	       place.locked && gpu_place_find(api, begin + size_bytes - 1, &place) == REASON_NONE &&
	       place.locked;
}

/* First byte and end; both 0: no such operand, or an empty one. */
struct place_range {
	uintptr_t begin, end;
};

static struct place_range gpu_place_find_side(const struct fft_call *fft, bool output)
{
	const uintptr_t array = (uintptr_t)(output ? fft->out : fft->in);
	struct fft_extent extent;
	if (fft->problem == NULL || !fft_extent_find(fft->problem, output, FFT_EXTENT_ALL, &extent))
		return (struct place_range){0, 0};
	return (struct place_range){array + (uintptr_t)extent.begin, array + (uintptr_t)extent.end};
}

static struct place_range gpu_place_find_range(const struct call *call, enum operand name)
{
	struct place_range range = {0, 0};
	struct matrix matrix;
	if (family_is_fft(call->family))
		return name == OPERAND_B ? range
		                         : gpu_place_find_side(&call->fft, name == OPERAND_C);
	if (operand_find(call->family, &call->blas, name, &matrix) && matrix.base != NULL)
		operand_find_extent(&matrix, call->element, &range.begin, &range.end);
	return range;
}

struct place_question {
	const struct call *call;
	enum cost_place *place;
	bool *device_only;
};

static enum cost_place gpu_place_ask(const struct cuda_api *api, struct place_range range,
                                     bool *device_only)
{
	struct gpu_place_found place;
	if (range.begin >= range.end ||
	    gpu_place_find(api, (const void *)range.begin, &place) != REASON_NONE)
		return COST_PAGEABLE;
	*device_only = *device_only || (place.on_device && !place.managed);
	if (place.on_device)
		return COST_DEVICE;
	if (place.locked)
		place.locked =
			gpu_place_find(api, (const void *)(range.end - 1), &place) == REASON_NONE &&
			place.locked;
	return place.locked ? COST_PINNED : COST_PAGEABLE;
}

static void gpu_place_answer(const struct cuda_api *api, void *self)
{
	const struct place_question *question = self;
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
		question->place[name] =
			gpu_place_ask(api, gpu_place_find_range(question->call, (enum operand)name),
		                      question->device_only);
}

void gpu_place_describe(const struct call *call, int device, enum cost_place place[OPERAND_COUNT],
                        bool *device_only)
{
	struct place_question question = {call, place, device_only};
	*device_only = false;
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
		place[name] = COST_PAGEABLE;
	if (family_is_lapack(call->family))
		return; /* always through the host's rings */
	lanes_ask(device, gpu_place_answer, &question);
}
