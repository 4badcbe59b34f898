/* fft_groups.h - how many transforms of a batch are sent at a time; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_FFT_FFT_GROUPS_H
#define GPUSHIM_POLICY_FFT_FFT_GROUPS_H

#include "policy/machine/panel_rates.h"

/* Groups on the device at a time: one on its way up, one in work, one on its way down. */
enum { FFT_GROUPS_SLOTS = 3, FFT_GROUPS_MAX = 1 << 20 };

/*
 * A batch as count separable pieces, and the needs of one piece: bytes up and down, bytes on the
 * device (of both sides, or of one where they share memory), and of the work area of cuFFT, which
 * only the group in work needs. Groups of less than least pieces are slow to copy.
 */
struct fft_batch {
	int64_t count, least;
	uint64_t input_bytes, output_bytes, device_bytes, work_bytes;
	int operations; /* of a group on the device, beside the transform */
};

/* Device memory for groups of this many pieces; UINT64_MAX on overflow. */
uint64_t fft_groups_memory_bytes(const struct fft_batch *batch, int64_t group);

/*
 * The expected time of the batch in nanoseconds, in groups of this many pieces. An operation
 * on the device takes rates->operation_ns, a copy behind another one rates->copy_ns.
 */
double fft_groups_time(const struct fft_batch *batch, const struct panel_rates *rates,
                       int64_t group);

/*
 * Chooses the pieces of a group: the fastest size that fits into rates->memory_bytes, or one
 * without a smaller last group if it is nearly as fast. 0 if nothing fits.
 */
int64_t fft_groups_choose(const struct fft_batch *batch, const struct panel_rates *rates);

#endif
