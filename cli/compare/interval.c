/* interval.c - Hodges-Lehmann estimate with the exact signed-rank interval */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * After J. L. Hodges and E. L. Lehmann, Estimates of location based on rank tests, Annals of
 * Mathematical Statistics 34 (1963), and F. Wilcoxon, Individual comparisons by ranking methods,
 * Biometrics Bulletin 1 (1945). Runs are few, and their noise has a long tail on one side: a mean
 * with its t-interval would follow single runs, and a bootstrap of the median is too narrow below
 * about twenty runs.
 */
#include "cli/compare/interval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/statistics.h"

/* Up to INTERVAL_EXACT differences the distribution is exact; beyond, the normal one is as good. */
enum {
	INTERVAL_EXACT = 60,
	INTERVAL_SUMS = INTERVAL_EXACT * (INTERVAL_EXACT + 1) / 2 + 1,
	INTERVAL_HALVINGS = 200
};

static double interval_count_means(size_t count)
{
	return (double)count * ((double)count + 1) / 2;
}

/* probability[s]: that the ranks 1 to count, each taken with probability 1/2, have the sum s. */
static void interval_distribute_sums(double probability[INTERVAL_SUMS], size_t count)
{
	memset(probability, 0, INTERVAL_SUMS * sizeof *probability);
	probability[0] = 1;
	for (size_t rank = 1; rank <= count; rank++)
		for (size_t sum = rank * (rank + 1) / 2 + 1; sum-- > 0;)
			probability[sum] =
				(probability[sum] + (sum >= rank ? probability[sum - rank] : 0)) /
				2;
}

/* One more than the number of pairwise means to leave out at each end; at least 1. */
static double interval_find_rank_exactly(size_t count, double confidence, double *reached)
{
	double probability[INTERVAL_SUMS], tail = 0;
	size_t rank = 0;
	interval_distribute_sums(probability, count);
	while (2 * (tail + probability[rank]) <= 1 - confidence)
		tail += probability[rank++];
	*reached = rank > 0 ? 1 - 2 * tail : 1 - 2 * probability[0];
	return rank > 0 ? (double)rank : 1;
}

/* The quantile z of the standard normal distribution for a probability above 1/2. */
static double interval_invert_normal(double probability)
{
	double low = 0, high = 40;
	for (int i = 0; i < INTERVAL_HALVINGS; i++) {
		const double middle = (low + high) / 2;
		if (erfc(-middle / sqrt(2)) / 2 < probability)
			low = middle;
		else
			high = middle;
	}
	return high;
}

static double interval_find_rank(size_t count, double confidence, double *reached)
{
	if (count <= INTERVAL_EXACT)
		return interval_find_rank_exactly(count, confidence, reached);
	const double n = (double)count, spread = sqrt(n * (n + 1) * (2 * n + 1) / 24);
	*reached = confidence;
	return floor(interval_count_means(count) / 2 -
	             interval_invert_normal((1 + confidence) / 2) * spread + 0.5);
}

/* Counts the means of two of the ascending values, each with itself too, that are at most bound. */
static double interval_count_below(const double *values, size_t count, double bound)
{
	double below = 0;
	size_t partner = count;
	for (size_t i = 0; i < count; i++) {
		while (partner > 0 && values[i] + values[partner - 1] > 2 * bound)
			partner--;
		if (partner <= i)
			break;
		below += (double)(partner - i);
	}
	return below;
}

/* The mean of this rank, from 1, by bisection: a list of all means would be quadratic in size. */
static double interval_find_mean(const double *values, size_t count, double rank)
{
	double low = values[0], high = values[count - 1];
	if (interval_count_below(values, count, low) >= rank)
		return low;
	for (int i = 0; i < INTERVAL_HALVINGS; i++) {
		const double middle = low + (high - low) / 2;
		if (middle <= low || middle >= high)
			break;
		if (interval_count_below(values, count, middle) >= rank)
			high = middle;
		else
			low = middle;
	}
	return high;
}

struct interval interval_find(const double *differences, size_t count, double confidence)
{
	struct interval found = {0};
	if (count == 0)
		return found;
	double *values = statistics_list_sorted(differences, count);
	const double means = interval_count_means(count);
	const double rank = interval_find_rank(count, confidence, &found.confidence);
	found.low = interval_find_mean(values, count, rank);
	found.high = interval_find_mean(values, count, means + 1 - rank);
	found.middle = (interval_find_mean(values, count, floor((means + 1) / 2)) +
	                interval_find_mean(values, count, floor((means + 2) / 2))) /
	               2;
	free(values);
	return found;
}

size_t interval_least_count(double confidence)
{
	size_t count = 1;
	for (double outside = 1; outside > 1 - confidence; count++)
		outside /= 2;
	return count;
}
