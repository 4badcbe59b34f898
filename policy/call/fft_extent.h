/* fft_extent.h - the bytes that both sides of a transform cover, and whether they overlap; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_CALL_FFT_EXTENT_H
#define GPUSHIM_POLICY_CALL_FFT_EXTENT_H

#include "policy/call/call.h"

enum { FFT_EXTENT_ALL = -1 };

/*
 * The offset of the first byte and of the byte behind the last one, from the address of the array.
 */
struct fft_extent {
	int64_t begin, end;
};

/*
 * Finds the extent of input or output. Loop number `without` counts with its first iteration only;
 * FFT_EXTENT_ALL counts every loop in full. false on overflow.
 */
bool fft_extent_find(const struct fft_problem *problem, bool output, int without,
                     struct fft_extent *extent);

/* Bytes of an element of input or output. */
uint64_t fft_extent_element_bytes(const struct fft_problem *problem, bool output);

/*
 * Whether input and output may share a byte. Only the extents are compared: interleaved arrays
 * count as overlapping. true where an extent is not known.
 */
bool fft_extent_overlap(const struct fft_call *call);

/*
 * Whether iterations of this loop are independent even though input and output overlap: each
 * iteration reads and writes only a part of the memory that no other one touches.
 */
bool fft_extent_is_apart(const struct fft_call *call, const struct fft_problem *problem, int loop);

#endif
