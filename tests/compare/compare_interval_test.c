/* compare_interval_test.c - compare's statistics on thousands of trials with known run times */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare/interval.h"
#include "cli/compare/run_order.h"
#include "cli/compare/steadiness.h"
#include "tests/compare/compare_noise.h"
#include "tests/driver/expect.h"

enum { TEST_TRIALS = 2000, TEST_RUNS = 40, TEST_PAIRS_MOST = 160 };

static const double test_confidence = 0.95;

static const char *const shape_name[COMPARE_NOISE_SHAPES] = {"log-normal", "spikes", "drift",
                                                             "correlated", "groups"};

/* A seed of zero would remain zero in xorshift. */
static struct compare_noise begin_noise(enum compare_noise_shape shape, int trial)
{
	struct compare_noise noise = {.shape = shape,
	                              .state = 0x9e3779b97f4a7c15 * (uint64_t)(trial + 1)};
	for (int i = 0; i < 8; i++)
		compare_noise_draw(&noise);
	noise.run = 0;
	return noise;
}

/* Pairs in the order in which compare runs them; the second side takes ratio times as long. */
static struct interval run_trial(enum compare_noise_shape shape, int trial, size_t pairs,
                                 double ratio)
{
	struct compare_noise noise = begin_noise(shape, trial);
	double differences[TEST_PAIRS_MOST];
	for (size_t round = 0; round < pairs; round++) {
		double time[2];
		size_t order[RUN_ORDER_SIDES];
		run_order_find(1, round, 2, order);
		for (int i = 0; i < 2; i++)
			time[order[i]] = compare_noise_draw(&noise) * (order[i] == 1 ? ratio : 1);
		differences[round] = log(time[1] / time[0]);
	}
	return interval_find(differences, pairs, test_confidence);
}

/* The share of A/A trials whose interval contains 1. */
static double find_coverage(enum compare_noise_shape shape, size_t pairs)
{
	int covered = 0;
	for (int trial = 0; trial < TEST_TRIALS; trial++) {
		const struct interval found = run_trial(shape, trial, pairs, 1);
		covered += found.low <= 0 && found.high >= 0;
	}
	return (double)covered / TEST_TRIALS;
}

static void test_coverage(void)
{
	static const size_t pairs[] = {6, 10, 20, 40};
	for (int shape = 0; shape < COMPARE_NOISE_SHAPES; shape++)
		for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
			const double share =
				find_coverage((enum compare_noise_shape)shape, pairs[i]);
			printf("%-11s %2zu pairs: %.1f %% of %d intervals have the 1\n",
			       shape_name[shape], pairs[i], share * 100, TEST_TRIALS);
			expect(share >= 0.93 && share <= 0.99,
			       "the interval has the 1 in 93 to 99 % of A/A trials");
		}
}

/* Pairs needed to find a slow-down of 2 % (the whole interval lies above 1), for each noise. */
static void test_power(void)
{
	static const size_t pairs[COMPARE_NOISE_SHAPES] = {
		[COMPARE_NOISE_LOG_NORMAL] = 30, [COMPARE_NOISE_SPIKES] = 70,
		[COMPARE_NOISE_DRIFT] = 30,      [COMPARE_NOISE_CORRELATED] = 20,
		[COMPARE_NOISE_GROUPS] = 160,
	};
	for (int shape = 0; shape < COMPARE_NOISE_SHAPES; shape++) {
		int found = 0;
		for (int trial = 0; trial < TEST_TRIALS; trial++)
			found += run_trial((enum compare_noise_shape)shape, trial, pairs[shape],
			                   1.02)
			                 .low > 0;
		printf("%-11s %3zu pairs: 2 %% slower is found in %.1f %% of %d trials\n",
		       shape_name[shape], pairs[shape], found * 100.0 / TEST_TRIALS, TEST_TRIALS);
		expect(found >= 0.9 * TEST_TRIALS, "2 % are found in 90 % of the trials");
	}
}

static int compare_values(const void *a, const void *b)
{
	const double left = *(const double *)a, right = *(const double *)b;
	return (left > right) - (left < right);
}

/*
 * The pairwise means that form the interval, all of them, against ranks from Wilcoxon's published
 * table.
 */
static void test_exact(size_t count, size_t rank, double confidence)
{
	double values[TEST_PAIRS_MOST], means[TEST_PAIRS_MOST * TEST_PAIRS_MOST];
	uint64_t state = 42 + count;
	size_t used = 0;
	for (size_t i = 0; i < count; i++)
		values[i] = compare_noise_draw_even(&state) - 0.3;
	for (size_t i = 0; i < count; i++)
		for (size_t j = i; j < count; j++)
			means[used++] = (values[i] + values[j]) / 2;
	qsort(means, used, sizeof *means, compare_values);
	const struct interval found = interval_find(values, count, test_confidence);
	const double middle = (means[(used - 1) / 2] + means[used / 2]) / 2;
	expect(fabs(found.low - means[rank - 1]) < 1e-12 &&
	               fabs(found.high - means[used - rank]) < 1e-12,
	       "the bounds are the means of the table's rank");
	expect(fabs(found.middle - middle) < 1e-12, "the estimate is the median of the means");
	expect(fabs(found.confidence - confidence) < 1e-4, "the confidence is the table's");
}

static void test_few(void)
{
	const double five[] = {0.1, 0.2, 0.3, 0.4, 0.5};
	double many[200];
	struct interval found = interval_find(five, 5, test_confidence);
	expect(found.low == 0.1 && found.high == 0.5 && found.confidence == 0.9375,
	       "five values are too few");
	found = interval_find(five, 1, test_confidence);
	expect(found.middle == 0.1 && found.low == 0.1 && found.high == 0.1 &&
	               found.confidence == 0,
	       "one value");
	expect(interval_find(NULL, 0, test_confidence).confidence == 0, "no value");
	expect(interval_least_count(0.95) == 6 && interval_least_count(0.99) == 8,
	       "how many are enough");
	for (int i = 0; i < 200; i++)
		many[i] = 7;
	found = interval_find(many, 200, test_confidence);
	expect(found.low == 7 && found.middle == 7 && found.high == 7, "equal values");
}

/* Each side runs equally often in each position. */
static void test_order(void)
{
	for (size_t sides = 2; sides <= RUN_ORDER_SIDES; sides++) {
		size_t sum[RUN_ORDER_SIDES] = {0}, order[RUN_ORDER_SIDES], again[RUN_ORDER_SIDES];
		bool balanced = true, same = true;
		for (size_t round = 0; round < 100; round++) {
			run_order_find(5, round, sides, order);
			run_order_find(5, round, sides, again);
			same = same && memcmp(order, again, sides * sizeof *order) == 0;
			for (size_t i = 0; i < sides; i++)
				sum[order[i]] += i;
		}
		for (size_t i = 0; i < sides; i++)
			balanced = balanced && sum[i] == 50 * (sides - 1);
		expect(balanced && same, "orders are balanced and come again");
	}
}

static size_t count_first(uint64_t seed)
{
	size_t order[RUN_ORDER_SIDES], first = 0;
	for (size_t round = 0; round < 200; round += 2) {
		run_order_find(seed, round, 2, order);
		first += order[0];
	}
	return first;
}

/* How often steady times with noise of a shape are reported as unsteady, in percent. */
struct unsteady {
	double drifts, splits, late;
};

static struct unsteady find_unsteady(enum compare_noise_shape shape, size_t count)
{
	struct unsteady found = {0};
	double times[TEST_PAIRS_MOST];
	for (int trial = 0; trial < TEST_TRIALS; trial++) {
		struct compare_noise noise = begin_noise(shape, trial);
		for (size_t i = 0; i < count; i++)
			times[i] = 1e7 * compare_noise_draw(&noise);
		const struct steadiness said = steadiness_find(times, count);
		found.drifts += said.drifts * 100.0 / TEST_TRIALS;
		found.splits += said.is_split * 100.0 / TEST_TRIALS;
		found.late += (said.late > 0) * 100.0 / TEST_TRIALS;
	}
	printf("%-11s %2zu runs: drifts %.1f %%, in two groups %.1f %%, with late runs %.1f %%\n",
	       shape_name[shape], count, found.drifts, found.splits, found.late);
	return found;
}

static void test_steadiness(void)
{
	for (size_t count = 10; count <= TEST_RUNS; count *= 2) {
		const struct unsteady steady = find_unsteady(COMPARE_NOISE_LOG_NORMAL, count);
		expect(steady.drifts < 1 && steady.splits < 2 && steady.late < 5,
		       "plain noise is steady");
	}
	expect(find_unsteady(COMPARE_NOISE_DRIFT, TEST_RUNS).drifts > 90, "drift is seen");
	expect(find_unsteady(COMPARE_NOISE_GROUPS, TEST_RUNS).splits > 70, "two groups are seen");
	expect(find_unsteady(COMPARE_NOISE_SPIKES, TEST_RUNS).late > 90, "spikes are seen");
}

int main(void)
{
	test_exact(6, 1, 0.9688);
	test_exact(10, 9, 0.9512);
	test_exact(20, 53, 0.9516);
	test_few();
	test_order();
	expect(count_first(1) > 30 && count_first(1) < 70 && count_first(1) != count_first(2),
	       "orders are random");
	test_coverage();
	test_power();
	test_steadiness();
	printf("%d failed\n", expect_failures);
	return expect_failures != 0;
}
