/* fft_layout.h - where the elements of a transform lie in the program's memory; pure arithmetic and copying */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_PLAN_FFT_LAYOUT_H
#define GPUSHIM_POLICY_PLAN_FFT_LAYOUT_H

#include "policy/call/call.h"

enum { FFT_LAYOUT_AXES = FFT_LOOPS_MAX + FFT_GPU_RANK };

enum fft_layout_kind {
	FFT_LAYOUT_TIGHT,   /* one run */
	FFT_LAYOUT_PITCHED, /* runs of equal length at a constant distance of at least that length */
	FFT_LAYOUT_SCATTERED /* anything else: strided, negative, interleaved */
};

/* n elements, stride_bytes apart in the program's memory. */
struct fft_layout_axis {
	int64_t n, stride_bytes;
};

/*
 * The tight order is that of the axes, the outermost first: element after element as they follow
 * each other on the device. Axes of length 1 are left out and neighbours that continue each other
 * are merged. No axis at all: one element.
 */
struct fft_layout {
	enum fft_layout_kind kind;
	int axes;
	struct fft_layout_axis axis[FFT_LAYOUT_AXES];
	uint64_t element_bytes, count; /* of one element; of all of them */
};

/*
 * Begins with one element; the axes follow, the outermost first, strides in elements; the end finds
 * the kind.
 */
void fft_layout_begin(struct fft_layout *layout, uint64_t element_bytes);

/*
 * false where n is not positive or the whole does not fit into 63 bits; at most FFT_LAYOUT_AXES of
 * them.
 */
bool fft_layout_add_axis(struct fft_layout *layout, int64_t n, int64_t stride);
bool fft_layout_end(struct fft_layout *layout);

static inline uint64_t fft_layout_size_bytes(const struct fft_layout *layout)
{
	return layout->element_bytes * layout->count;
}

/*
 * Copies every element, and nothing but elements, from the program's memory into tight order, and
 * back.
 */
void fft_layout_gather(const struct fft_layout *layout, void *tight, const void *program);
void fft_layout_scatter(const struct fft_layout *layout, void *program, const void *tight);

#endif
