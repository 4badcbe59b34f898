/* tune_threshold.h - the threshold with which calls of known times take least: all that differ are tried */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_TUNE_TUNE_THRESHOLD_H
#define GPUSHIM_CLI_TUNE_TUNE_THRESHOLD_H

#include <stddef.h>
#include <stdint.h>

/* Calls of one size, and what they all take on each side. */
struct tune_item {
	uint64_t size_bytes, calls;
	double cpu_ns, gpu_ns;
};

/*
 * What is to be weighed. items: in any order; they are sorted by size. most_bytes: of each process
 * the largest call, also sorted: it starts CUDA, for start_ns, where that one reaches the
 * threshold.
 */
struct tune_weights {
	struct tune_item *items;
	uint64_t *most_bytes;
	size_t item_count, process_count;
	double start_ns;
};

#define TUNE_NONE UINT64_MAX /* the threshold that no call reaches */

/*
 * least_bytes: as small as the threshold may be without another call reaching it; bytes: the
 * roundest one.
 */
struct tune_choice {
	uint64_t bytes, least_bytes, most_bytes, gpu_calls;
	double time_ns;
};

void tune_threshold_sort(struct tune_weights *weights);

/* Of sorted ones: the best of all thresholds; of equally good ones the largest. */
struct tune_choice tune_threshold_find(const struct tune_weights *weights);

/* What they take with this threshold. */
double tune_threshold_time(const struct tune_weights *weights, uint64_t threshold_bytes);

/* The number with the fewest digits that are no zeros, from least to most, least > 0 or both 0. */
uint64_t tune_threshold_round(uint64_t least, uint64_t most);

#endif
