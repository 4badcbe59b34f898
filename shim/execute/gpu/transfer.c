/* transfer.c - one copy per operand up; down into staging, from where the result is committed */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/transfer.h"

#include <string.h>

static bool transfer_is_tight(const struct transfer_area *area)
{
	return area->rows <= 1 || area->pitch_bytes == area->row_bytes;
}

/* Pitches beyond what cudaMemcpy2D takes. */
static int transfer_send_rows(struct lane *lane, char *device, const struct transfer_area *area)
{
	const char *host = area->host;
	int error = CUDA_SUCCESS;
	for (uint64_t row = 0; row < area->rows && error == CUDA_SUCCESS; row++)
		error = lane->api->memcpy_async(device + row * area->row_bytes, host + row * area->pitch_bytes,
		                                area->row_bytes, CUDA_COPY_HOST_TO_DEVICE, lane->stream);
	return error;
}

enum reason transfer_send(struct lane *lane, void *device, const struct transfer_area *area)
{
	int error;
	if (transfer_is_tight(area))
		error = lane->api->memcpy_async(device, area->host, transfer_size_bytes(area), CUDA_COPY_HOST_TO_DEVICE,
		                                lane->stream);
	else if (area->pitch_bytes > CUDA_PITCH_MAX_BYTES)
		error = transfer_send_rows(lane, device, area);
	else
		error = lane->api->memcpy_2d_async(device, area->row_bytes, area->host, area->pitch_bytes,
		                                   area->row_bytes, area->rows, CUDA_COPY_HOST_TO_DEVICE, lane->stream);
	return error == CUDA_SUCCESS ? REASON_NONE : REASON_TRANSFER_FAILED;
}

enum reason transfer_receive(struct lane *lane, void *staging, const void *device, uint64_t size_bytes)
{
	const int error = lane->api->memcpy_async(staging, device, size_bytes, CUDA_COPY_DEVICE_TO_HOST, lane->stream);
	return error == CUDA_SUCCESS ? REASON_NONE : REASON_TRANSFER_FAILED;
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
		memcpy(host + row * area->pitch_bytes, from + row * area->row_bytes, area->row_bytes);
}
