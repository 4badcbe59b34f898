/* tune_threshold_test.c - the best threshold against all thresholds, each tried by itself */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/tune/tune_threshold.h"
#include "measure/random.h"

enum { TEST_ROUNDS = 2000, TEST_ITEMS = 60, TEST_PROCESSES = 5 };
static const double test_slack = 1e-9;
static int failures;

static void expect(bool holds, const char *what, int round)
{
	if (holds)
		return;
	printf("round %d: %s\n", round, what);
	failures++;
}

static uint64_t draw(uint64_t round, uint64_t index, uint64_t most)
{
	return random_bits(round, index) % most;
}

/* Few sizes, so that many items share one. Which side is faster varies from item to item. */
static void make_weights(struct tune_weights *weights, uint64_t round)
{
	weights->item_count = draw(round, 0, TEST_ITEMS);
	weights->process_count = draw(round, 1, TEST_PROCESSES + 1);
	weights->start_ns = (double)draw(round, 2, 3) * (double)draw(round, 3, 2000);
	for (size_t i = 0; i < weights->item_count; i++) {
		const uint64_t bytes =
			draw(round, 10 + 4 * i, 40) * 1000 + draw(round, 11 + 4 * i, 2);
		weights->items[i] = (struct tune_item){
			.size_bytes = bytes,
			.calls = 1 + draw(round, 12 + 4 * i, 9),
			.cpu_ns = (double)draw(round, 13 + 4 * i, 1000) * (double)bytes / 20000,
			.gpu_ns = (double)draw(round, 7000 + i, 600)};
	}
	for (size_t i = 0; i < weights->process_count; i++)
		weights->most_bytes[i] = draw(round, 9000 + i, 40) * 1000;
}

/* The time with a threshold, summed over all items. */
static double time_plainly(const struct tune_weights *weights, uint64_t threshold,
                           uint64_t *gpu_calls)
{
	double time_ns = 0;
	*gpu_calls = 0;
	for (size_t i = 0; i < weights->item_count; i++) {
		const bool gpu = weights->items[i].size_bytes >= threshold;
		time_ns += gpu ? weights->items[i].gpu_ns : weights->items[i].cpu_ns;
		*gpu_calls += gpu ? weights->items[i].calls : 0;
	}
	for (size_t i = 0; i < weights->process_count; i++)
		time_ns += weights->most_bytes[i] >= threshold ? weights->start_ns : 0;
	return time_ns;
}

static double find_plainly(const struct tune_weights *weights)
{
	uint64_t calls;
	double least_ns = time_plainly(weights, TUNE_NONE, &calls);
	for (size_t i = 0; i < weights->item_count; i++) {
		const double time_ns = time_plainly(weights, weights->items[i].size_bytes, &calls);
		least_ns = time_ns < least_ns ? time_ns : least_ns;
	}
	return least_ns;
}

static bool is_near(double one, double other)
{
	return fabs(one - other) <= test_slack * (fabs(one) + fabs(other) + 1);
}

static void test_round(struct tune_weights *weights, int round)
{
	uint64_t calls;
	make_weights(weights, (uint64_t)round);
	/*
	 * The largest call of a process cannot be larger than all items, so it is the size of one
	 * of them.
	 */
	tune_threshold_sort(weights);
	for (size_t i = 0; i < weights->process_count; i++)
		weights->most_bytes[i] =
			weights->item_count > 0 ? weights->items[i % weights->item_count].size_bytes
						: 0;
	tune_threshold_sort(weights);
	const struct tune_choice choice = tune_threshold_find(weights);
	expect(is_near(choice.time_ns, find_plainly(weights)), "another threshold takes less",
	       round);
	expect(is_near(choice.time_ns, time_plainly(weights, choice.bytes, &calls)),
	       "the time is not that threshold's", round);
	expect(choice.gpu_calls == calls, "the calls are not that threshold's", round);
	expect(is_near(choice.time_ns, tune_threshold_time(weights, choice.bytes)),
	       "the plot differs", round);
	if (choice.bytes == TUNE_NONE)
		return;
	expect(choice.bytes >= choice.least_bytes && choice.bytes <= choice.most_bytes,
	       "rounded out of range", round);
	time_plainly(weights, choice.least_bytes, &calls);
	expect(choice.gpu_calls == calls, "the least of the range sends others", round);
}

static void test_rounding(void)
{
	static const struct {
		uint64_t least, most, want;
	} rows[] = {{0, 0, 0},
	            {1, 1, 1},
	            {1, 99, 90},
	            {1001, 1999, 1900},
	            {1234, 1239, 1239},
	            {999, 1000, 1000},
	            {98305, 240000, 200000},
	            {UINT64_MAX - 5, UINT64_MAX - 1, UINT64_C(18446744073709551610)}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		expect(tune_threshold_round(rows[i].least, rows[i].most) == rows[i].want,
		       "rounded otherwise", (int)i);
}

int main(void)
{
	static struct tune_item items[TEST_ITEMS];
	static uint64_t most_bytes[TEST_PROCESSES];
	struct tune_weights weights = {.items = items, .most_bytes = most_bytes};
	for (int round = 0; round < TEST_ROUNDS; round++)
		test_round(&weights, round);
	test_rounding();
	printf("%d failures\n", failures);
	return failures > 0;
}
