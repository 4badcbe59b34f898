/* fft_share.h - divides a batch of transforms between a device and the CPU; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_FFT_FFT_SHARE_H
#define GPUSHIM_POLICY_FFT_FFT_SHARE_H

#include "policy/fft/fft_cut.h"

/*
 * A batch of transforms that is divided along its loop, the one of cut: the device has the first
 * turns, `device` of them, and the CPU the others, in whole slices of `slice` turns. The slices of
 * the whole call end where it ends: its first turns, fewer than a slice, are the rest. cpu_share:
 * the CPU's part of the work.
 */
struct fft_share {
	struct fft_cut cut;
	int64_t slice, rest, device;
	double cpu_share;
};

/* Whether calls like this may be divided. fft_share_cut tells of a certain one. */
bool fft_share_takes(const struct call *call);

/*
 * Divides the transform so that the CPU has the part `share` of the work, more than 0 and less than
 * 1, as nearly as whole slices allow; each side has a turn at least. slice and rest are the same
 * for all shares. false: no loop can be cut, or turns of it may overwrite what others read or
 * write. The CPU may overwrite the input of its turns only where the transform is in place, or of
 * complex numbers to real ones.
 */
bool fft_share_cut(const struct fft_call *call, double share, struct fft_share *found);

/* The transform of so many turns, and the place of a turn: all of it but plan_key and rigour. */
struct fft_problem fft_share_count(const struct fft_share *share, int64_t turns);
struct fft_call fft_share_place(const struct fft_share *share, const struct fft_call *call,
                                const struct fft_problem *turns, int64_t first);

#endif
