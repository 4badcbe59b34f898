/* tune_threshold.h - the threshold with the least time, for calls whose times are known */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_TUNE_TUNE_THRESHOLD_H
#define GPUSHIM_CLI_TUNE_TUNE_THRESHOLD_H

#include <stddef.h>
#include <stdint.h>

/* Calls of one size, and their time on each side. */
struct tune_item {
	uint64_t size_bytes, calls;
	double cpu_ns, gpu_ns;
};

/*
 * items: in any order before tune_threshold_sort. most_bytes: the largest call of each process;
 * where it reaches the threshold, the process starts CUDA, which takes start_ns.
 */
struct tune_weights {
	struct tune_item *items;
	uint64_t *most_bytes;
	size_t item_count, process_count;
	double start_ns;
};

#define TUNE_NONE UINT64_MAX /* a threshold that no call reaches */

/*
 * Thresholds from least_bytes to most_bytes send the same calls; bytes is the one with the fewest
 * digits.
 */
struct tune_choice {
	uint64_t bytes, least_bytes, most_bytes, gpu_calls;
	double time_ns;
};

void tune_threshold_sort(struct tune_weights *weights);

/* The best threshold of sorted weights; of equally good ones the largest. */
struct tune_choice tune_threshold_find(const struct tune_weights *weights);

/* The time with this threshold. */
double tune_threshold_time(const struct tune_weights *weights, uint64_t threshold_bytes);

/*
 * The number from least to most with the fewest digits before its trailing zeros. least > 0, or
 * both are 0.
 */
uint64_t tune_threshold_round(uint64_t least, uint64_t most);

#endif
