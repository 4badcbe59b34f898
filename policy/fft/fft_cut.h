/* fft_cut.h - the loop of a transform that is cut, and the transform of one group; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_FFT_FFT_CUT_H
#define GPUSHIM_POLICY_FFT_FFT_CUT_H

#include "policy/fft/fft_map.h"

/*
 * A transform whose loop `loop` is cut into count pieces; groups of at least `least` pieces are
 * copied as well as the whole. count 1: no loop can be cut. input_bytes, output_bytes: distance
 * between two pieces in host memory.
 */
struct fft_cut {
	struct fft_problem problem; /* that of the call, with adjacent loops joined */
	struct fft_map whole;
	int loop;
	int64_t count, least, input_bytes, output_bytes;
};

/*
 * Finds the loop to cut: the outermost one with enough pieces, else the one with the most. shares:
 * input and output may overlap in memory; only loops with independent iterations are cut then.
 * false if the device cannot carry out the transform.
 */
bool fft_cut_find(const struct fft_call *call, bool shares, struct fft_cut *cut);

/* Describes a group of this many pieces. */
bool fft_cut_describe(const struct fft_cut *cut, int64_t pieces, struct fft_map *map);

#endif
