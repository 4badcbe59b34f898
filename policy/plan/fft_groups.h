/* fft_groups.h - how many transforms of a batch go to the device at a time, so that both links are busy; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_PLAN_FFT_GROUPS_H
#define GPUSHIM_POLICY_PLAN_FFT_GROUPS_H

#include "policy/plan/panels.h"

/* Groups on the device at a time: one on its way up, one at work, one on its way down. */
enum { FFT_GROUPS_SLOTS = 3, FFT_GROUPS_MAX = 1 << 20 };

/*
 * A batch as count pieces that can be parted, and what one of them takes: bytes up and down, bytes
 * on the device (of both sides, or of one where they share) and of the library's work area, which
 * only the group at work needs. Groups of less than least pieces are copied slowly.
 */
struct fft_batch {
	int64_t count, least;
	uint64_t input_bytes, output_bytes, device_bytes, work_bytes;
};

/* Device memory that groups of so many pieces need in all; UINT64_MAX: beyond counting. */
uint64_t fft_groups_memory_bytes(const struct fft_batch *batch, int64_t group);

/*
 * Nanoseconds that the batch is expected to take in groups of so many pieces. A kernel takes
 * rates->operation_ns, which is little beside any copy that is worth it.
 */
double fft_groups_time(const struct fft_batch *batch, const struct panel_rates *rates,
                       int64_t group);

/*
 * The pieces of a group, of which the last may be smaller: the fastest that fits into
 * rates->memory_bytes, one without a smaller last group if it is nearly as fast. 0: nothing fits.
 */
int64_t fft_groups_choose(const struct fft_batch *batch, const struct panel_rates *rates);

#endif
