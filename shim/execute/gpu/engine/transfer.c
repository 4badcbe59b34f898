/* transfer.c - one copy per operand up; down into staging, from where the result is committed */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/engine/transfer.h"

#include <string.h>

static bool transfer_is_tight(const struct transfer_area *area)
{
	return area->rows <= 1 || area->pitch_bytes == area->row_bytes;
}

/* Where a copy goes and comes from: rows of the area, each side with a pitch of its own. */
struct transfer_copy {
	char *to;
	const char *from;
	uint64_t to_pitch, from_pitch;
	int kind;
};

/* Pitches beyond what cudaMemcpy2D takes. */
static int transfer_copy_rows(struct lane *lane, const struct transfer_area *area,
                              const struct transfer_copy *copy)
{
	int error = CUDA_SUCCESS;
	for (uint64_t row = 0; row < area->rows && error == CUDA_SUCCESS; row++)
		error = lane->api->memcpy_async(copy->to + row * copy->to_pitch,
		                                copy->from + row * copy->from_pitch,
		                                area->row_bytes, copy->kind, lane->stream);
	return error;
}

static enum reason transfer_copy(struct lane *lane, const struct transfer_area *area,
                                 const struct transfer_copy *copy)
{
	int error;
	if (transfer_is_tight(area))
		error = lane->api->memcpy_async(copy->to, copy->from, transfer_size_bytes(area),
		                                copy->kind, lane->stream);
	else if (area->pitch_bytes > CUDA_PITCH_MAX_BYTES)
		error = transfer_copy_rows(lane, area, copy);
	else
		error = lane->api->memcpy_2d_async(copy->to, copy->to_pitch, copy->from,
		                                   copy->from_pitch, area->row_bytes, area->rows,
		                                   copy->kind, lane->stream);
	return error == CUDA_SUCCESS ? REASON_NONE : REASON_TRANSFER_FAILED;
}

enum reason transfer_send(struct lane *lane, void *device, const struct transfer_area *area)
{
	const struct transfer_copy copy = {
		.to = device,
		.from = area->host,
		.to_pitch = area->row_bytes,
		.from_pitch = area->pitch_bytes,
		.kind = area->on_device ? CUDA_COPY_BY_ADDRESS : CUDA_COPY_HOST_TO_DEVICE,
	};
	return transfer_copy(lane, area, &copy);
}

enum reason transfer_publish(struct lane *lane, const struct transfer_area *area,
                             const void *device)
{
	const struct transfer_copy copy = {
		.to = area->host,
		.from = device,
		.to_pitch = area->pitch_bytes,
		.from_pitch = area->row_bytes,
		.kind = CUDA_COPY_BY_ADDRESS,
	};
	return transfer_copy(lane, area, &copy);
}

void transfer_commit(const struct transfer_area *area, const void *staging)
{
	char *host = area->host;
	const char *from = staging;
	if (transfer_is_tight(area)) {
		memcpy(host, from, transfer_size_bytes(area));
		return;
	}
	for (uint64_t row = 0; row < area->rows; row++)
		memcpy(host + row * area->pitch_bytes, from + row * area->row_bytes,
		       area->row_bytes);
}
