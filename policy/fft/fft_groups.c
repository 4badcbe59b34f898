/* fft_groups.c - small groups overlap well, large ones cost few operations: finds the best size */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/fft/fft_groups.h"

/*
 * Numbers of groups are tried in steps of 1/64; sizes near the best one are tried for one without a
 * rest.
 */
enum { GROUPS_STEP = 64, GROUPS_NEAR = 256 };
static const double groups_nearly = 1.02, groups_ns_per_second = 1e9;

static int64_t fft_groups_divide_up(int64_t count, int64_t by)
{
	return (count - 1) / by + 1;
}

uint64_t fft_groups_memory_bytes(const struct fft_batch *batch, int64_t group)
{
	const int64_t groups = fft_groups_divide_up(batch->count, group);
	const uint64_t slots = groups < FFT_GROUPS_SLOTS ? (uint64_t)groups : FFT_GROUPS_SLOTS;
	uint64_t piece_bytes, size_bytes;
	if (__builtin_mul_overflow(batch->device_bytes, slots, &piece_bytes) ||
	    __builtin_add_overflow(piece_bytes, batch->work_bytes, &piece_bytes) ||
	    __builtin_mul_overflow(piece_bytes, (uint64_t)group, &size_bytes))
		return UINT64_MAX;
	return size_bytes;
}

static double fft_groups_time_copy(uint64_t piece_bytes, int64_t group, double bytes_s,
                                   const struct panel_rates *rates)
{
	const double bytes = (double)piece_bytes * (double)group;
	const double operations = rates->copy_bytes > 0
	                                  ? (double)(int64_t)(bytes / (double)rates->copy_bytes) + 1
	                                  : 1;
	return bytes / bytes_s * groups_ns_per_second + operations * rates->copy_ns;
}

double fft_groups_time(const struct fft_batch *batch, const struct panel_rates *rates,
                       int64_t group)
{
	const int64_t groups = fft_groups_divide_up(batch->count, group);
	const double kept = groups > 1 ? rates->duplex : 1;
	const double up_ns =
		fft_groups_time_copy(batch->input_bytes, group, rates->up_bytes_s * kept, rates);
	const double down_ns =
		fft_groups_time_copy(batch->output_bytes, group, rates->down_bytes_s * kept, rates);
	const double work_ns = (1 + batch->operations) * rates->operation_ns,
		     slower_ns = up_ns > down_ns ? up_ns : down_ns;
	/* The first copy of either way finds its link at rest. */
	const double first_ns = 2 * (rates->operation_ns - rates->copy_ns);
	return first_ns + up_ns + work_ns + down_ns + (double)(groups - 1) * slower_ns;
}

static bool fft_groups_fit(const struct fft_batch *batch, const struct panel_rates *rates,
                           int64_t group)
{
	return fft_groups_divide_up(batch->count, group) <= FFT_GROUPS_MAX &&
	       fft_groups_memory_bytes(batch, group) <= rates->memory_bytes;
}

/*
 * The fastest size that fits, 0 if none does. The smallest size is tried last, because the steps
 * may miss it.
 */
static int64_t fft_groups_find_fastest(const struct fft_batch *batch,
                                       const struct panel_rates *rates)
{
	int64_t fastest = 0;
	double least_ns = 0;
	for (int64_t groups = 1; groups <= batch->count && groups <= FFT_GROUPS_MAX;
	     groups += 1 + groups / GROUPS_STEP) {
		const int64_t group = fft_groups_divide_up(batch->count, groups);
		if (group < batch->least && fastest > 0)
			break;
		if (!fft_groups_fit(batch, rates, group))
			continue;
		const double time_ns = fft_groups_time(batch, rates, group);
		if (fastest == 0 || time_ns < least_ns) {
			fastest = group;
			least_ns = time_ns;
		}
	}
	const int64_t smallest = fft_groups_divide_up(batch->count, FFT_GROUPS_MAX);
	return fastest == 0 && fft_groups_fit(batch, rates, smallest) ? smallest : fastest;
}

/* Whether this size leaves no rest and is nearly as fast. */
static bool fft_groups_suit(const struct fft_batch *batch, const struct panel_rates *rates,
                            int64_t group, double most_ns)
{
	return group >= 1 && group >= batch->least && group <= batch->count &&
	       batch->count % group == 0 && fft_groups_fit(batch, rates, group) &&
	       fft_groups_time(batch, rates, group) <= most_ns;
}

int64_t fft_groups_choose(const struct fft_batch *batch, const struct panel_rates *rates)
{
	const int64_t fastest = fft_groups_find_fastest(batch, rates);
	if (fastest == 0)
		return 0;
	const double most_ns = fft_groups_time(batch, rates, fastest) * groups_nearly;
	for (int64_t away = 0; away < GROUPS_NEAR; away++) {
		if (fft_groups_suit(batch, rates, fastest - away, most_ns))
			return fastest - away;
		if (fft_groups_suit(batch, rates, fastest + away, most_ns))
			return fastest + away;
	}
	return fastest;
}
