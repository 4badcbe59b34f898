/* fft_cut.h - which loop of a transform is cut into groups, and what one group is; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_PLAN_FFT_CUT_H
#define GPUSHIM_POLICY_PLAN_FFT_CUT_H

#include "policy/plan/fft_map.h"

/*
 * A transform whose loop can be cut into count pieces; groups of least pieces and more are copied
 * as well as the whole. count 1: no loop can be. input_bytes and output_bytes: from a piece to the
 * next one in the program's memory.
 */
struct fft_cut {
	struct fft_problem
		problem; /* the call's, its loops joined where they continue each other */
	struct fft_map whole;
	int loop;
	int64_t count, least, input_bytes, output_bytes;
};

/*
 * The loop to cut: the outermost one that has enough pieces, else the one with most. shares: both
 * sides may meet in memory, and what cannot be parted then is not. false where the transform has no
 * form on the device.
 */
bool fft_cut_find(const struct fft_call *call, bool shares, struct fft_cut *cut);

/* The form of so many pieces. */
bool fft_cut_describe(const struct fft_cut *cut, int64_t pieces, struct fft_map *map);

#endif
