/* fft_groups_test.c - groups of transforms: near the links' bound, within memory, few sizes */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "policy/fft/fft_groups.h"

/* An H200 behind PCIe Gen5 as in the tests of the planner; copies of 32 MB. */
static struct panel_rates make_rates(void)
{
	return (struct panel_rates){.up_bytes_s = 55.3e9,
	                            .down_bytes_s = 53e9,
	                            .duplex = 0.92,
	                            .operation_ns = 8000,
	                            .copy_ns = 8000,
	                            .copy_bytes = UINT64_C(32) << 20,
	                            .memory_bytes = UINT64_C(100) << 30};
}

static struct fft_batch make_batch(int64_t count, uint64_t input_bytes, uint64_t output_bytes)
{
	return (struct fft_batch){
		count, 1, input_bytes, output_bytes, input_bytes + output_bytes, output_bytes, 0};
}

static double bound_ns(const struct fft_batch *batch, const struct panel_rates *rates)
{
	const double up_ns = (double)batch->count * (double)batch->input_bytes / rates->up_bytes_s;
	const double down_ns =
		(double)batch->count * (double)batch->output_bytes / rates->down_bytes_s;
	return (up_ns > down_ns ? up_ns : down_ns) / rates->duplex * 1e9;
}

/* From 256 MB on; below that the fixed time of operations shows. */
Test(fft_groups, batches_come_near_the_bound)
{
	static const int64_t counts[] = {16, 60, 101, 1000, 4099, 100000, 1000003};
	struct panel_rates rates = make_rates();
	for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
		for (int kind = 0; kind < 3; kind++) {
			const uint64_t bytes = (UINT64_C(1) << 28) / (uint64_t)counts[c] + 16;
			const struct fft_batch batch =
				make_batch(counts[c], kind == 1 ? bytes / 2 : bytes,
			                   kind == 2 ? bytes / 2 : bytes);
			const int64_t group = fft_groups_choose(&batch, &rates);
			const double ratio =
				fft_groups_time(&batch, &rates, group) / bound_ns(&batch, &rates);
			cr_expect(ratio <= 1.10, "%ld pieces, kind %d: %g in groups of %ld",
			          (long)counts[c], kind, ratio, (long)group);
		}
}

/* The model: three stages, the slowest of which counts for all groups but one. */
Test(fft_groups, the_time_is_that_of_a_pipeline)
{
	const struct panel_rates rates = {.up_bytes_s = 1e9,
	                                  .down_bytes_s = 2e9,
	                                  .duplex = 0.5,
	                                  .operation_ns = 10,
	                                  .copy_ns = 10,
	                                  .copy_bytes = 1 << 20};
	const struct fft_batch batch = make_batch(8, 1000, 1000);
	cr_expect_float_eq(fft_groups_time(&batch, &rates, 8), 8010 + 10 + 4010, 1e-6);
	cr_expect_float_eq(fft_groups_time(&batch, &rates, 2), 4010 + 10 + 2010 + 3 * 4010, 1e-6);
	struct panel_rates small = rates;
	small.copy_bytes = 1500;
	cr_expect_float_eq(fft_groups_time(&batch, &small, 8), 8060 + 10 + 4060, 1e-6,
	                   "six copies each way");
}

Test(fft_groups, memory_is_that_of_the_slots_and_one_work_area)
{
	const struct fft_batch batch = {10, 1, 30, 40, 70, 5, 0};
	cr_expect_eq(fft_groups_memory_bytes(&batch, 10), 10 * 75);
	cr_expect_eq(fft_groups_memory_bytes(&batch, 5), 5 * (2 * 70 + 5));
	cr_expect_eq(fft_groups_memory_bytes(&batch, 1), 3 * 70 + 5);
	const struct fft_batch huge = {10, 1, 1, 1, UINT64_MAX / 2, 5, 0};
	cr_expect_eq(fft_groups_memory_bytes(&huge, 5), UINT64_MAX);
}

Test(fft_groups, what_is_chosen_fits)
{
	struct panel_rates rates = make_rates();
	for (int64_t count = 1; count < 3000; count += 1 + count / 3)
		for (uint64_t memory_bytes = 100; memory_bytes < (UINT64_C(1) << 32);
		     memory_bytes *= 3) {
			const struct fft_batch batch = make_batch(count, 1 << 20, 1 << 19);
			rates.memory_bytes = memory_bytes;
			const int64_t group = fft_groups_choose(&batch, &rates);
			const bool smallest_fits =
				fft_groups_memory_bytes(&batch, 1) <= memory_bytes;
			cr_expect(group >= 0 && group <= count);
			cr_expect(group > 0 || !smallest_fits, "%ld pieces in %lu bytes",
			          (long)count, (unsigned long)memory_bytes);
			cr_expect(group == 0 ||
			          fft_groups_memory_bytes(&batch, group) <= memory_bytes);
		}
}

Test(fft_groups, little_is_not_cut)
{
	const struct panel_rates rates = make_rates();
	const struct fft_batch batch = make_batch(1000, 96, 96);
	cr_expect_eq(fft_groups_choose(&batch, &rates), 1000);
}

Test(fft_groups, a_size_without_rest_is_preferred)
{
	const struct panel_rates rates = make_rates();
	static const int64_t counts[] = {96, 1000, 1024, 5000, 99000};
	for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
		const struct fft_batch batch =
			make_batch(counts[c], 1000000000 / (uint64_t)counts[c],
		                   1000000000 / (uint64_t)counts[c]);
		const int64_t group = fft_groups_choose(&batch, &rates);
		cr_expect(group < counts[c] && counts[c] % group == 0, "%ld in %ld",
		          (long)counts[c], (long)group);
	}
}

/* Short rows are slow to copy, but still better than none. */
Test(fft_groups, least_holds_while_there_is_memory)
{
	struct panel_rates rates = make_rates();
	struct fft_batch batch = make_batch(1000, 1000000, 1000000);
	batch.least = 128;
	cr_expect_geq(fft_groups_choose(&batch, &rates), 128);
	rates.memory_bytes = 3 * 20 * UINT64_C(2000000);
	const int64_t group = fft_groups_choose(&batch, &rates);
	cr_expect(group >= 1 && group <= 20, "%ld", (long)group);
}
