/* tracking_cost_test.c - operands and results that are worth tracking, by pages and link */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "policy/resident/tracking_cost.h"

/* As measured for a GiB on one machine: 8.7 + 8.7, 19 and 2.7 ms of small pages; see the times. */
static const struct tracking_rates gen5 = {
	.small = {34000, 37000, 5300}, .large = {450, 160, 72}, .send_bytes_s = 55.3e9};

static struct tracking_extent extent(uint64_t pages, uint64_t large)
{
	return (struct tracking_extent){pages, large, pages * 4096, 1, 0};
}

Test(tracking_cost, inputs_pay_on_any_pages)
{
	const struct tracking_extent small = extent(1 << 15, 0), large = extent(1 << 15, 1 << 15);
	cr_expect(tracking_cost_pays_input(&gen5, &small));
	cr_expect(tracking_cost_pays_input(&gen5, &large));
}

Test(tracking_cost, results_pay_on_large_pages_or_slow_links)
{
	const struct tracking_extent small = extent(1 << 15, 0), large = extent(1 << 15, 1 << 15),
				     mixed = extent(1 << 15, 1 << 14);
	struct tracking_rates slow = gen5;
	cr_expect(!tracking_cost_pays_result(&gen5, &small));
	cr_expect(tracking_cost_pays_result(&gen5, &large));
	cr_expect(tracking_cost_pays_result(&gen5, &mixed));
	slow.search_ns = 3000000; /* 2.4 ms is what sending takes */
	cr_expect(!tracking_cost_pays_result(&slow, &large));
	cr_expect(tracking_cost_pays_input(&slow, &large));
	slow.send_bytes_s = 12e9;
	cr_expect(tracking_cost_pays_result(&slow, &small));
}

/* 128 MiB in parts take 1.9 ms on small pages, beside 2.2; what is armed as a whole takes 3.2. */
Test(tracking_cost, half_of_what_copy_threads_arm_and_disarm_is_seen)
{
	struct tracking_rates rates = gen5;
	rates.small = (struct tracking_times){20000, 30000, 5300};
	const struct tracking_extent parts = extent(1 << 15, 0), whole = extent(1 << 11, 0);
	struct tracking_extent apart = parts;
	apart.apart = 2;
	cr_expect(tracking_cost_pays_result(&rates, &parts));
	cr_expect(!tracking_cost_pays_result(&rates, &whole));
	cr_expect(!tracking_cost_pays_result(&rates, &apart));
}

Test(tracking_cost, calls_pay_for_page_faults_by_the_rate_of_the_link)
{
	/* 4096 bytes take 74 ns at 55.3 GB/s, and 341 ns at 12 GB/s; a page fault takes 800. */
	const struct tracking_extent all = extent(1 << 15, 0), half = {100, 0, 50 * 4096, 1, 0};
	struct tracking_rates rates = gen5;
	cr_expect_eq(tracking_cost_count_paid(&rates, &all, 800), 17);
	cr_expect_eq(tracking_cost_count_paid(&rates, &half, 800), 33);
	rates.send_bytes_s = 12e9;
	cr_expect_eq(tracking_cost_count_paid(&rates, &all, 800), 4);
	cr_expect_eq(tracking_cost_count_paid(&rates, &all, 1000000), 1000);
	rates.send_bytes_s = 0;
	cr_expect_eq(tracking_cost_count_paid(&rates, &all, 800), 0);
}

Test(tracking_cost, an_unknown_link_is_taken_to_be_slow)
{
	const struct tracking_extent small = extent(1 << 15, 0);
	struct tracking_rates unknown = gen5;
	unknown.send_bytes_s = 0;
	cr_expect(tracking_cost_pays_result(&unknown, &small));
}

/* However few the pages, a look at them has its time. */
Test(tracking_cost, small_inputs_do_not_pay_for_the_look)
{
	const struct tracking_extent small = extent(256, 0), large = extent(4096, 0);
	struct tracking_rates rates = gen5;
	cr_expect(tracking_cost_pays_input(&rates, &small));
	rates.look_ns = 20000;
	cr_expect(!tracking_cost_pays_input(&rates, &small));
	cr_expect(tracking_cost_pays_input(&rates, &large));
}

/* 512 pages in rows of 16 KiB, of which half is sent each time; and in rows of 128 KiB. */
Test(tracking_cost, short_rows_do_not_pay)
{
	const struct tracking_extent few = {512, 0, 512 * 4096 / 16 * 15, 16, 0},
				     many = {512, 0, 512 * 4096 / 2, 128, 0};
	cr_expect(tracking_cost_pays_input(&gen5, &few));
	cr_expect(!tracking_cost_pays_input(&gen5, &many));
}

/* A result whose rows are armed and disarmed one by one, over large pages. */
Test(tracking_cost, results_of_rows_apart_do_not_pay)
{
	struct tracking_extent result = {1 << 15, 1 << 15, (UINT64_C(1) << 15) * 3072, 4000, 0};
	struct tracking_rates rates = gen5;
	rates.look_ns = 3400;
	cr_expect(tracking_cost_pays_result(&rates, &result));
	result.apart = result.rows;
	cr_expect(!tracking_cost_pays_result(&rates, &result));
	cr_expect(tracking_cost_pays_input(&rates, &result));
}

/* Both together may take a fifth of the time to send: 50 microseconds, a megabyte at 20 GB/s. */
Test(tracking_cost, small_operands_are_not_sampled)
{
	struct tracking_rates rates = {.look_ns = 4000, .sample_ns = 6000, .send_bytes_s = 20e9};
	cr_expect(!tracking_cost_pays_sample(&rates, 990000));
	cr_expect(tracking_cost_pays_sample(&rates, 1010000));
	/* The same time at least where the kernel is quicker. */
	rates.look_ns = rates.sample_ns = 1000;
	cr_expect(!tracking_cost_pays_sample(&rates, 990000));
	cr_expect(tracking_cost_pays_sample(&rates, 1010000));
	rates.send_bytes_s = 0;
	cr_expect(tracking_cost_pays_sample(&rates, 1000));
}
