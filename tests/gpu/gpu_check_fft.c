/* gpu_check_fft.c - transforms whose arrays have one of the orders of enum gpu_check_order */
/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_check.h"

/* The strides of one side, in elements. padded: rows of a real in-place transform. */
struct fft_lines {
	int64_t stride[FFT_RANK_MAX], distance;
};

static struct fft_lines lines_make(const struct gpu_check_fft *w, bool output)
{
	const bool real = w->family == (output ? FAMILY_FFT_C2R : FAMILY_FFT_R2C);
	const bool pad = w->in_place && w->family != FAMILY_FFT_C2C;
	const int64_t half = w->n[w->rank - 1] / 2 + 1;
	int64_t step = w->order == ORDER_STRIDED       ? 2
	               : w->order == ORDER_INTERLEAVED ? w->howmany
	                                               : 1;
	struct fft_lines lines;
	for (int axis = w->rank - 1; axis >= 0; axis--) {
		int64_t length = w->n[axis];
		if (axis == w->rank - 1 && w->family != FAMILY_FFT_C2C)
			length = !real ? half : pad ? 2 * half : length;
		if (axis == w->rank - 1 && !pad && w->order == ORDER_PADDED)
			length += real ? 2 : 1;
		lines.stride[axis] = step;
		step *= length;
	}
	lines.distance = w->order == ORDER_INTERLEAVED
	                         ? 1
	                         : step + (w->order == ORDER_STRIDED ? (real ? 6 : 3) : 0);
	if (w->order == ORDER_REVERSED)
		lines.stride[0] = -lines.stride[0];
	return lines;
}

enum reason gpu_check_run_fft(const struct gpu_check_fft *w, int device)
{
	const struct fft_lines in = lines_make(w, false), out = lines_make(w, true);
	struct fft_problem problem = {.family = w->family,
	                              .element = w->element,
	                              .rank = w->rank,
	                              .loops = 1,
	                              .loop = {{w->howmany, in.distance, out.distance}},
	                              .howmany = w->howmany,
	                              .sign = w->sign,
	                              .in_place = w->in_place};
	for (int i = 0; i < w->rank; i++)
		problem.dims[i] = (struct fft_dim){w->n[i], in.stride[i], out.stride[i]};
	return gpu_check_run_problem(&problem, w->offset_bytes, w->key, device);
}
