/* fft_extent.h - which bytes a transform's sides reach, and whether they meet; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_CALL_FFT_EXTENT_H
#define GPUSHIM_POLICY_CALL_FFT_EXTENT_H

#include "policy/call/call.h"

enum { FFT_EXTENT_ALL = -1 };

/* From the first byte to behind the last one, counted from the side's array. */
struct fft_extent {
	int64_t begin, end;
};

/*
 * The extent of one side, with only the first turn of one loop, or of all (FFT_EXTENT_ALL). false
 * where it cannot be counted.
 */
bool fft_extent_find(const struct fft_problem *problem, bool output, int without,
                     struct fft_extent *extent);

/* Bytes of an element of one side. */
uint64_t fft_extent_element_bytes(const struct fft_problem *problem, bool output);

/*
 * Whether a byte may be both read and written: by the extents alone, so that interleaved arrays
 * count as one.
 */
bool fft_extent_overlap(const struct fft_call *call);

/*
 * Whether, in spite of that, no turn of this loop writes what another one reads: each stays in a
 * part of the memory of its own.
 */
bool fft_extent_is_apart(const struct fft_call *call, const struct fft_problem *problem, int loop);

#endif
