/* fft_symmetrise.c - the two planes of a c2r input: transformed, zeroed, scaled, back */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/fft/fft_symmetrise.h"

/* Elements of a vector that one call scales: cuBLAS counts in 32 bits. */
enum { SYMMETRISE_SCAL_MOST = 1 << 30 };

enum { SYMMETRISE_FORWARD = -1, SYMMETRISE_BACKWARD = 1 };

static char *fft_symmetrise_find_plane(const struct fft_symmetrise *work, char *input, int plane)
{
	return input + plane * work->planes->apart * (int64_t)work->map->input.element_bytes;
}

/* One direction, of each plane, at each step of the map. */
static enum reason fft_symmetrise_transform(const struct fft_symmetrise *work,
                                            const struct lane *lane, char *input, int direction)
{
	const struct fft_planes *planes = work->planes;
	const bool single = planes->shape.element == ELEMENT_C;
	struct fft_map_place place = {{0}, 0, 0};
	int status = CUFFT_FINE;
	if (planes->points == 1)
		return REASON_NONE;
	do
		for (int plane = 0; plane < (planes->joined ? 1 : planes->count); plane++) {
			char *data =
				fft_symmetrise_find_plane(work, input, plane) + place.input_bytes;
			if (status == CUFFT_FINE)
				status = (single ? lane->api->fft_exec_c2c
				                 : lane->api->fft_exec_z2z)(work->handle, data,
				                                            data, direction);
		}
	while (status == CUFFT_FINE && fft_map_advance(work->map, &place));
	return status == CUFFT_FINE ? REASON_NONE : REASON_LIBRARY_FAILED;
}

static enum reason fft_symmetrise_zero(const struct fft_symmetrise *work, const struct lane *lane,
                                       char *run)
{
	const size_t element_bytes = work->map->input.element_bytes, part_bytes = element_bytes / 2;
	const int error = lane->api->memset_2d_async(
		run + part_bytes, (size_t)work->planes->step * element_bytes, 0, part_bytes,
		(size_t)work->planes->n, lane->stream);
	return error == CUDA_SUCCESS ? REASON_NONE : REASON_DEVICE_FAILED;
}

/* The real parts, by the number of points, which both transforms together multiply them by. */
static enum reason fft_symmetrise_scale(const struct fft_symmetrise *work, const struct lane *lane,
                                        char *run)
{
	const struct fft_planes *planes = work->planes;
	const bool single = planes->shape.element == ELEMENT_C;
	const double factor = 1 / (double)planes->points;
	const float single_factor = (float)factor;
	const int64_t element_bytes = (int64_t)work->map->input.element_bytes;
	int status = CUBLAS_SUCCESS;
	if (planes->points == 1)
		return REASON_NONE;
	for (int64_t i = 0; i < planes->n && status == CUBLAS_SUCCESS; i += SYMMETRISE_SCAL_MOST) {
		const int64_t left = planes->n - i;
		const int n = (int)(left < SYMMETRISE_SCAL_MOST ? left : SYMMETRISE_SCAL_MOST);
		status = (single ? lane->api->sscal : lane->api->dscal)(
			lane->blas, n, single ? (const void *)&single_factor : &factor,
			run + i * planes->step * element_bytes, (int)(2 * planes->step));
	}
	return status == CUBLAS_SUCCESS ? REASON_NONE : REASON_LIBRARY_FAILED;
}

static enum reason fft_symmetrise_drop_imaginary(const struct fft_symmetrise *work,
                                                 const struct lane *lane, char *plane)
{
	const int64_t step_bytes = work->planes->run_step * (int64_t)work->map->input.element_bytes;
	enum reason reason = REASON_NONE;
	for (int64_t i = 0; i < work->planes->runs && reason == REASON_NONE; i++) {
		reason = fft_symmetrise_zero(work, lane, plane + i * step_bytes);
		if (reason == REASON_NONE)
			reason = fft_symmetrise_scale(work, lane, plane + i * step_bytes);
	}
	return reason;
}

enum reason fft_symmetrise_launch(const struct fft_symmetrise *work, struct lane *lane, char *input)
{
	if (work->planes->count == 0)
		return REASON_NONE;
	enum reason reason = fft_symmetrise_transform(work, lane, input, SYMMETRISE_BACKWARD);
	for (int plane = 0; plane < work->planes->count && reason == REASON_NONE; plane++)
		reason = fft_symmetrise_drop_imaginary(
			work, lane, fft_symmetrise_find_plane(work, input, plane));
	if (reason == REASON_NONE)
		reason = fft_symmetrise_transform(work, lane, input, SYMMETRISE_FORWARD);
	return reason;
}
