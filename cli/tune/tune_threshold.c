/* tune_threshold.c - finds the threshold with the least time by trying all */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/tune/tune_threshold.h"

#include <stdlib.h>

static int tune_threshold_compare_items(const void *one, const void *other)
{
	const struct tune_item *left = one, *right = other;
	return (left->size_bytes < right->size_bytes) - (left->size_bytes > right->size_bytes);
}

static int tune_threshold_compare_bytes(const void *one, const void *other)
{
	const uint64_t *left = one, *right = other;
	return (*left < *right) - (*left > *right);
}

/* Sorts both lists in descending order. */
void tune_threshold_sort(struct tune_weights *weights)
{
	if (weights->item_count > 0)
		qsort(weights->items, weights->item_count, sizeof *weights->items,
		      tune_threshold_compare_items);
	if (weights->process_count > 0)
		qsort(weights->most_bytes, weights->process_count, sizeof *weights->most_bytes,
		      tune_threshold_compare_bytes);
}

/* Sums of the items on each side of a threshold that is lowered item by item. */
struct threshold_walk {
	size_t next, starting;
	uint64_t gpu_calls;
	double cpu_ns, gpu_ns;
};

static struct threshold_walk tune_threshold_begin(const struct tune_weights *weights)
{
	struct threshold_walk walk = {0};
	for (size_t i = 0; i < weights->item_count; i++)
		walk.cpu_ns += weights->items[i].cpu_ns;
	return walk;
}

/* Lowers the threshold to the next size, and moves its items to the GPU. */
static void tune_threshold_lower(const struct tune_weights *weights, struct threshold_walk *walk)
{
	const uint64_t size_bytes = weights->items[walk->next].size_bytes;
	for (; walk->next < weights->item_count &&
	       weights->items[walk->next].size_bytes == size_bytes;
	     walk->next++) {
		walk->cpu_ns -= weights->items[walk->next].cpu_ns;
		walk->gpu_ns += weights->items[walk->next].gpu_ns;
		walk->gpu_calls += weights->items[walk->next].calls;
	}
	while (walk->starting < weights->process_count &&
	       weights->most_bytes[walk->starting] >= size_bytes)
		walk->starting++;
}

static double tune_threshold_sum(const struct tune_weights *weights,
                                 const struct threshold_walk *walk)
{
	return walk->cpu_ns + walk->gpu_ns + (double)walk->starting * weights->start_ns;
}

/* The number of digits before the trailing zeros: 12000 has two. */
static int tune_threshold_count_digits(uint64_t number)
{
	int digits = 0;
	while (number > 0 && number % 10 == 0)
		number /= 10;
	for (; number > 0; number /= 10)
		digits++;
	return digits;
}

uint64_t tune_threshold_round(uint64_t least, uint64_t most)
{
	uint64_t best = most;
	for (uint64_t unit = 1; unit <= most; unit *= 10) {
		const uint64_t rounded = most / unit * unit;
		if (rounded >= least && rounded > 0 &&
		    tune_threshold_count_digits(rounded) < tune_threshold_count_digits(best))
			best = rounded;
		if (unit > UINT64_MAX / 10)
			break;
	}
	return best;
}

/*
 * Stores the current threshold as the choice. All thresholds down to just above the next size send
 * the same calls.
 */
static void tune_threshold_take(const struct tune_weights *weights,
                                const struct threshold_walk *walk, struct tune_choice *choice)
{
	const struct tune_item *items = weights->items;
	choice->time_ns = tune_threshold_sum(weights, walk);
	choice->gpu_calls = walk->gpu_calls;
	choice->most_bytes = walk->next > 0 ? items[walk->next - 1].size_bytes : TUNE_NONE;
	choice->least_bytes =
		walk->next < weights->item_count ? items[walk->next].size_bytes + 1 : 0;
	if (walk->next > 0)
		choice->bytes = tune_threshold_round(choice->least_bytes, choice->most_bytes);
	else
		choice->bytes = TUNE_NONE;
}

struct tune_choice tune_threshold_find(const struct tune_weights *weights)
{
	/*
	 * Sums that are built by adding and subtracting have rounding errors: a smaller difference
	 * is not a gain.
	 */
	static const double rounding = 1e-12;
	struct tune_choice best;
	struct threshold_walk walk = tune_threshold_begin(weights);
	const double slack_ns = walk.cpu_ns * rounding;
	tune_threshold_take(weights, &walk, &best);
	while (walk.next < weights->item_count) {
		tune_threshold_lower(weights, &walk);
		if (tune_threshold_sum(weights, &walk) < best.time_ns - slack_ns)
			tune_threshold_take(weights, &walk, &best);
	}
	return best;
}

double tune_threshold_time(const struct tune_weights *weights, uint64_t threshold_bytes)
{
	struct threshold_walk walk = tune_threshold_begin(weights);
	while (walk.next < weights->item_count &&
	       weights->items[walk.next].size_bytes >= threshold_bytes)
		tune_threshold_lower(weights, &walk);
	return tune_threshold_sum(weights, &walk);
}
