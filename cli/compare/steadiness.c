/* steadiness.c - the Mann-Kendall test, Otsu's threshold, and the median absolute deviation */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/compare/steadiness.h"

#include <math.h>
#include <stdlib.h>

#include "cli/common/statistics.h"

enum { STEADINESS_DRIFT_LEAST = 8, STEADINESS_SPLIT_LEAST = 10, STEADINESS_LATE_LEAST = 5 };

/* Mann-Kendall: 3 standard deviations, which 3 of 1000 steady series exceed. */
static const double steadiness_z = 3;
/* Drifts and groups that differ by less than 2 % are not reported. */
static const double steadiness_change = 0.02;
/*
 * The share of the variance that the split into two groups has to explain: it explains 0.64 of a
 * normal distribution and 0.75 of a uniform one. Doubt / count is added, because a few runs form
 * groups by chance.
 */
static const double steadiness_explained = 0.8, steadiness_doubt = 1.2;
/* The smaller group has at least this share of the runs; a smaller one is a few late runs. */
static const double steadiness_share = 0.2;
/*
 * A late run is above the median by 7.4 median absolute deviations, which are five standard
 * deviations of a normal distribution, and by 10 %.
 */
static const double steadiness_late = 7.4, steadiness_late_least = 0.1;

static double steadiness_median(const double *times, size_t count)
{
	double *sorted = statistics_list_sorted(times, count);
	const double median = statistics_compute(sorted, count).median;
	free(sorted);
	return median;
}

/* After H. B. Mann, Nonparametric tests against trend, Econometrica 13 (1945). */
static void steadiness_find_drift(struct steadiness *found, const double *times, size_t count)
{
	const double n = (double)count, spread = sqrt(n * (n - 1) * (2 * n + 5) / 18);
	double score = 0;
	if (count < STEADINESS_DRIFT_LEAST)
		return;
	for (size_t i = 0; i < count; i++)
		for (size_t j = i + 1; j < count; j++)
			score += (times[j] > times[i]) - (times[j] < times[i]);
	found->drift = steadiness_median(times + count - count / 3, count / 3) /
	               steadiness_median(times, count / 3);
	found->drifts =
		fabs(score) > steadiness_z * spread && fabs(found->drift - 1) > steadiness_change;
}

/*
 * After N. Otsu, A threshold selection method from gray-level histograms, IEEE Trans. SMC 9 (1979).
 */
static size_t steadiness_find_cut(const double *sorted, size_t count, double *explained)
{
	double sum = 0, squares = 0, left = 0, best = -1;
	size_t cut = 0;
	for (size_t i = 0; i < count; i++) {
		sum += sorted[i] - sorted[0];
		squares += (sorted[i] - sorted[0]) * (sorted[i] - sorted[0]);
	}
	for (size_t i = 1; i < count; i++) {
		left += sorted[i - 1] - sorted[0];
		const double lead = left / (double)i - (sum - left) / (double)(count - i);
		const double between =
			lead * lead * (double)i * (double)(count - i) / (double)count;
		if (between > best) {
			best = between;
			cut = i;
		}
	}
	const double variance = squares - sum * sum / (double)count;
	*explained = variance > 0 ? best / variance : 0;
	return cut;
}

static void steadiness_find_groups(struct steadiness *found, const double *sorted, size_t count)
{
	double explained = 0;
	if (count < STEADINESS_SPLIT_LEAST)
		return;
	const size_t cut = steadiness_find_cut(sorted, count, &explained);
	const size_t fewer = cut < count - cut ? cut : count - cut;
	found->length[0] = cut;
	found->length[1] = count - cut;
	found->group[0] = steadiness_median(sorted, cut);
	found->group[1] = steadiness_median(sorted + cut, count - cut);
	found->is_split = explained > steadiness_explained + steadiness_doubt / (double)count &&
	                  (double)fewer >= steadiness_share * (double)count &&
	                  found->group[1] > found->group[0] * (1 + steadiness_change);
}

static void steadiness_count_late(struct steadiness *found, const double *times, double *scratch,
                                  size_t count)
{
	const struct statistics statistics = statistics_compute(scratch, count);
	const double far = fmax(statistics.deviation * steadiness_late,
	                        statistics.median * steadiness_late_least);
	for (size_t i = 0; i < count; i++)
		found->late += times[i] > statistics.median + far;
}

struct steadiness steadiness_find(const double *times, size_t count)
{
	struct steadiness found = {0};
	if (count == 0)
		return found;
	double *sorted = statistics_list_sorted(times, count);
	steadiness_find_drift(&found, times, count);
	steadiness_find_groups(&found, sorted, count);
	if (!found.is_split && count >= STEADINESS_LATE_LEAST)
		steadiness_count_late(&found, times, sorted, count);
	free(sorted);
	return found;
}
