/* fft_layout.h - the places of the elements of a transform in host memory; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_FFT_FFT_LAYOUT_H
#define GPUSHIM_POLICY_FFT_FFT_LAYOUT_H

#include "policy/call/call.h"

enum { FFT_LAYOUT_AXES = FFT_LOOPS_MAX + FFT_GPU_RANK };

enum fft_layout_kind {
	FFT_LAYOUT_TIGHT, /* one contiguous run */
	/* runs of equal length at a constant distance, which is at least that length */
	FFT_LAYOUT_PITCHED,
	FFT_LAYOUT_SCATTERED /* anything else: strided, negative, interleaved */
};

/* n elements, stride_bytes apart in host memory. */
struct fft_layout_axis {
	int64_t n, stride_bytes;
};

/*
 * Tight order, that of the device, follows the axes, outermost first. Axes of length 1 are left
 * out, and axes that continue each other are merged. No axis: one element.
 */
struct fft_layout {
	enum fft_layout_kind kind;
	int axes;
	struct fft_layout_axis axis[FFT_LAYOUT_AXES];
	uint64_t element_bytes, count; /* bytes of one element; number of all elements */
};

/*
 * fft_layout_begin describes one element. fft_layout_add_axis adds the axes, outermost first, with
 * strides in elements. fft_layout_end finds the kind.
 */
void fft_layout_begin(struct fft_layout *layout, uint64_t element_bytes);

/*
 * At most FFT_LAYOUT_AXES axes. false if n is not positive, or the whole does not fit into 63 bits.
 */
bool fft_layout_add_axis(struct fft_layout *layout, int64_t n, int64_t stride);
bool fft_layout_end(struct fft_layout *layout);

static inline uint64_t fft_layout_size_bytes(const struct fft_layout *layout)
{
	return layout->element_bytes * layout->count;
}

/*
 * Copies every element, and no byte between elements, from host memory into tight order, and back.
 */
void fft_layout_gather(const struct fft_layout *layout, void *tight, const void *program);
void fft_layout_scatter(const struct fft_layout *layout, void *program, const void *tight);

#endif
