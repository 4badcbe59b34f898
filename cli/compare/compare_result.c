/* compare_result.c - ratios with their intervals, and their description */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/compare/compare_parts.h"
#include "cli/compare/interval.h"

static const double compare_confidence = 0.95;

static struct interval compare_result_estimate(const struct trial_runs *trial, size_t side,
                                               size_t other, double confidence)
{
	double *differences = trial_runs_list_differences(trial, side, other);
	const struct interval found = interval_find(differences, trial->rounds, confidence);
	free(differences);
	return found;
}

struct compare_result compare_result_find(const struct trial_runs *trial, size_t side)
{
	const struct interval found =
		compare_result_estimate(trial, side, TRIAL_RUNS_OFF, compare_confidence);
	struct compare_result result = {exp(found.middle), exp(found.low), exp(found.high),
	                                found.confidence, COMPARE_EQUAL};
	if (trial->rounds < interval_least_count(compare_confidence))
		result.verdict = COMPARE_UNKNOWN;
	else if (found.high < 0)
		result.verdict = COMPARE_FASTER;
	else if (found.low > 0)
		result.verdict = COMPARE_SLOWER;
	return result;
}

const char *compare_result_name(enum compare_verdict verdict)
{
	static const char *const names[] = {"unknown", "no_difference", "faster", "slower"};
	return names[verdict];
}

static void compare_result_format(double ratio, int digits, char out[COMPARE_NUMBER_BYTES])
{
	if (ratio < 10)
		snprintf(out, COMPARE_NUMBER_BYTES, "%.*f", digits, ratio);
	else
		snprintf(out, COMPARE_NUMBER_BYTES, "%.3g", ratio);
}

/* Enough decimals to show that a bound is not 1. */
static int compare_result_choose_digits(const struct compare_result *result)
{
	if (result->verdict != COMPARE_EQUAL &&
	    fmin(fabs(result->low - 1), fabs(result->high - 1)) < 0.001)
		return 4;
	return result->ratio > 0.5 && result->ratio < 2 ? 3 : 2;
}

void compare_result_describe(const struct compare_result *result, char out[COMPARE_WORDS_BYTES])
{
	const bool inverted = result->verdict == COMPARE_FASTER ||
	                      (result->verdict == COMPARE_UNKNOWN && result->ratio < 1);
	const char *how = inverted ? "fast" : "long";
	const int digits = compare_result_choose_digits(result);
	char middle[COMPARE_NUMBER_BYTES], low[COMPARE_NUMBER_BYTES], high[COMPARE_NUMBER_BYTES];
	compare_result_format(inverted ? 1 / result->ratio : result->ratio, digits, middle);
	compare_result_format(inverted ? 1 / result->high : result->low, digits, low);
	compare_result_format(inverted ? 1 / result->low : result->high, digits, high);
	if (result->verdict == COMPARE_UNKNOWN)
		snprintf(out, COMPARE_WORDS_BYTES,
		         "%s times as %s with the shim, by too few runs (--runs %zu or more)",
		         middle, how, interval_least_count(compare_confidence));
	else if (result->verdict == COMPARE_EQUAL)
		snprintf(out, COMPARE_WORDS_BYTES,
		         "no difference can be seen (%s to %s times as long, 95 %% interval)", low,
		         high);
	else
		snprintf(out, COMPARE_WORDS_BYTES,
		         "%s times as %s with the shim (95 %% interval %s to %s)", middle, how, low,
		         high);
}

/* The Bonferroni correction: the error probability is divided among the sides - 1 intervals. */
static bool compare_result_is_faster(const struct trial_runs *trial, size_t side, size_t other)
{
	const double confidence = 1 - (1 - compare_confidence) / (double)(trial->sides - 1);
	const struct interval found = compare_result_estimate(trial, side, other, confidence);
	return trial->rounds >= interval_least_count(confidence) && found.high < 0;
}

static size_t compare_result_find_quickest(const struct trial_runs *trial)
{
	size_t quickest = TRIAL_RUNS_OFF;
	double least = 0;
	for (size_t side = TRIAL_RUNS_ON; side < trial->sides; side++) {
		const double middle =
			compare_result_estimate(trial, side, TRIAL_RUNS_OFF, compare_confidence)
				.middle;
		if (middle < least) {
			least = middle;
			quickest = side;
		}
	}
	return quickest;
}

int compare_result_find_best(const struct trial_runs *trial, size_t *quickest, size_t *rival)
{
	*quickest = compare_result_find_quickest(trial);
	for (*rival = 0; *rival < trial->sides; ++*rival)
		if (*rival != *quickest && !compare_result_is_faster(trial, *quickest, *rival))
			return -1;
	return (int)*quickest;
}
