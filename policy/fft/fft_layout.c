/* fft_layout.c - merges the axes of one side of a transform; gathers and scatters along them */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/fft/fft_layout.h"

#include <string.h>

void fft_layout_begin(struct fft_layout *layout, uint64_t element_bytes)
{
	*layout = (struct fft_layout){.element_bytes = element_bytes, .count = 1};
}

bool fft_layout_add_axis(struct fft_layout *layout, int64_t n, int64_t stride)
{
	int64_t stride_bytes;
	if (n < 1 || __builtin_mul_overflow(layout->count, (uint64_t)n, &layout->count) ||
	    layout->count > INT64_MAX)
		return false;
	if (n == 1)
		return true;
	if (__builtin_mul_overflow(stride, (int64_t)layout->element_bytes, &stride_bytes))
		return false;
	struct fft_layout_axis *outer = layout->axes == 0 ? NULL : &layout->axis[layout->axes - 1];
	int64_t extent_bytes;
	if (outer != NULL && !__builtin_mul_overflow(n, stride_bytes, &extent_bytes) &&
	    outer->stride_bytes == extent_bytes)
		*outer = (struct fft_layout_axis){outer->n * n, stride_bytes};
	else
		layout->axis[layout->axes++] = (struct fft_layout_axis){n, stride_bytes};
	return true;
}

static enum fft_layout_kind fft_layout_find_kind(const struct fft_layout *layout)
{
	const struct fft_layout_axis *axis = layout->axis;
	const int64_t element_bytes = (int64_t)layout->element_bytes;
	if (layout->axes == 0 || (layout->axes == 1 && axis[0].stride_bytes == element_bytes))
		return FFT_LAYOUT_TIGHT;
	if (layout->axes == 2 && axis[1].stride_bytes == element_bytes &&
	    axis[0].stride_bytes / element_bytes >= axis[1].n)
		return FFT_LAYOUT_PITCHED;
	return FFT_LAYOUT_SCATTERED;
}

bool fft_layout_end(struct fft_layout *layout)
{
	uint64_t size_bytes;
	layout->kind = fft_layout_find_kind(layout);
	return !__builtin_mul_overflow(layout->count, layout->element_bytes, &size_bytes) &&
	       size_bytes <= INT64_MAX;
}

/*
 * Copies n elements, each side at its own stride. The sizes are constants so that each element is
 * one load and one store.
 */
static void fft_layout_copy_run(char *to, int64_t to_stride, const char *from, int64_t from_stride,
                                int64_t n, uint64_t element_bytes)
{
	if (to_stride == (int64_t)element_bytes && from_stride == to_stride) {
		memcpy(to, from, (size_t)n * element_bytes);
		return;
	}
	for (int64_t i = 0; i < n; i++, to += to_stride, from += from_stride) {
		if (element_bytes == 4)
			memcpy(to, from, 4);
		else if (element_bytes == 8)
			memcpy(to, from, 8);
		else
			memcpy(to, from, 16);
	}
}

/* Goes through host memory in tight order, a run of the innermost axis at a time. */
static void fft_layout_copy(const struct fft_layout *layout, char *program, char *tight,
                            bool gather)
{
	const struct fft_layout_axis single = {1, (int64_t)layout->element_bytes};
	const struct fft_layout_axis *inner =
		layout->axes == 0 ? &single : &layout->axis[layout->axes - 1];
	const uint64_t runs = layout->count / (uint64_t)inner->n;
	const int64_t tight_stride = (int64_t)layout->element_bytes;
	int64_t index[FFT_LAYOUT_AXES] = {0};
	for (uint64_t run = 0; run < runs; run++) {
		if (gather)
			fft_layout_copy_run(tight, tight_stride, program, inner->stride_bytes,
			                    inner->n, layout->element_bytes);
		else
			fft_layout_copy_run(program, inner->stride_bytes, tight, tight_stride,
			                    inner->n, layout->element_bytes);
		tight += inner->n * tight_stride;
		for (int i = layout->axes - 2; i >= 0; i--) {
			program += layout->axis[i].stride_bytes;
			if (++index[i] < layout->axis[i].n)
				break;
			program -= layout->axis[i].n * layout->axis[i].stride_bytes;
			index[i] = 0;
		}
	}
}

void fft_layout_gather(const struct fft_layout *layout, void *tight, const void *program)
{
	fft_layout_copy(layout, (char *)(uintptr_t)program, tight, true);
}

void fft_layout_scatter(const struct fft_layout *layout, void *program, const void *tight)
{
	fft_layout_copy(layout, program, (char *)(uintptr_t)tight, false);
}
