/* cli_compare_result.c - ratios with their intervals, and the words for them */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli_compare_result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli_interval.h"

static const double compare_confidence = 0.95;

static struct cli_interval cli_compare_result_weigh(const struct cli_trial *trial, size_t side, size_t other,
                                                    double confidence)
{
	double *differences = cli_trial_list_differences(trial, side, other);
	const struct cli_interval found = cli_interval_find(differences, trial->rounds, confidence);
	free(differences);
	return found;
}

struct cli_compare_result cli_compare_result_find(const struct cli_trial *trial, size_t side)
{
	const struct cli_interval found = cli_compare_result_weigh(trial, side, CLI_TRIAL_OFF, compare_confidence);
	struct cli_compare_result result = {exp(found.middle), exp(found.low), exp(found.high), found.confidence,
	                                    CLI_COMPARE_EQUAL};
	if (trial->rounds < cli_interval_least_count(compare_confidence))
		result.verdict = CLI_COMPARE_UNKNOWN;
	else if (found.high < 0)
		result.verdict = CLI_COMPARE_FASTER;
	else if (found.low > 0)
		result.verdict = CLI_COMPARE_SLOWER;
	return result;
}

const char *cli_compare_result_name(enum cli_compare_verdict verdict)
{
	static const char *const names[] = {"unknown", "no_difference", "faster", "slower"};
	return names[verdict];
}

static void cli_compare_result_format(double ratio, int digits, char out[CLI_COMPARE_NUMBER_BYTES])
{
	if (ratio < 10)
		snprintf(out, CLI_COMPARE_NUMBER_BYTES, "%.*f", digits, ratio);
	else
		snprintf(out, CLI_COMPARE_NUMBER_BYTES, "%.3g", ratio);
}

/* As many as it takes to see that a bound is not 1. */
static int cli_compare_result_choose_digits(const struct cli_compare_result *result)
{
	if (result->verdict != CLI_COMPARE_EQUAL && fmin(fabs(result->low - 1), fabs(result->high - 1)) < 0.001)
		return 4;
	return result->ratio > 0.5 && result->ratio < 2 ? 3 : 2;
}

void cli_compare_result_tell(const struct cli_compare_result *result, char out[CLI_COMPARE_WORDS_BYTES])
{
	const bool inverted =
		result->verdict == CLI_COMPARE_FASTER || (result->verdict == CLI_COMPARE_UNKNOWN && result->ratio < 1);
	const char *how = inverted ? "fast" : "long";
	const int digits = cli_compare_result_choose_digits(result);
	char middle[CLI_COMPARE_NUMBER_BYTES], low[CLI_COMPARE_NUMBER_BYTES], high[CLI_COMPARE_NUMBER_BYTES];
	cli_compare_result_format(inverted ? 1 / result->ratio : result->ratio, digits, middle);
	cli_compare_result_format(inverted ? 1 / result->high : result->low, digits, low);
	cli_compare_result_format(inverted ? 1 / result->low : result->high, digits, high);
	if (result->verdict == CLI_COMPARE_UNKNOWN)
		snprintf(out, CLI_COMPARE_WORDS_BYTES,
		         "%s times as %s, by too few runs to be sure (--runs %zu or more)", middle, how,
		         cli_interval_least_count(compare_confidence));
	else if (result->verdict == CLI_COMPARE_EQUAL)
		snprintf(out, CLI_COMPARE_WORDS_BYTES,
		         "no difference can be seen (%s to %s times as long, 95 %% interval)", low, high);
	else
		snprintf(out, CLI_COMPARE_WORDS_BYTES, "%s times as %s (95 %% interval %s to %s)", middle, how, low,
		         high);
}

/* Of several intervals one fails more often than each: the confidence that is missing is shared out (Bonferroni). */
static bool cli_compare_result_is_faster(const struct cli_trial *trial, size_t side, size_t other)
{
	const double confidence = 1 - (1 - compare_confidence) / (double)(trial->sides - 1);
	const struct cli_interval found = cli_compare_result_weigh(trial, side, other, confidence);
	return trial->rounds >= cli_interval_least_count(confidence) && found.high < 0;
}

static size_t cli_compare_result_find_quickest(const struct cli_trial *trial)
{
	size_t quickest = CLI_TRIAL_OFF;
	double least = 0;
	for (size_t side = CLI_TRIAL_ON; side < trial->sides; side++) {
		const double middle = cli_compare_result_weigh(trial, side, CLI_TRIAL_OFF, compare_confidence).middle;
		if (middle < least) {
			least = middle;
			quickest = side;
		}
	}
	return quickest;
}

int cli_compare_result_find_best(const struct cli_trial *trial, size_t *quickest, size_t *rival)
{
	*quickest = cli_compare_result_find_quickest(trial);
	for (*rival = 0; *rival < trial->sides; ++*rival)
		if (*rival != *quickest && !cli_compare_result_is_faster(trial, *quickest, *rival))
			return -1;
	return (int)*quickest;
}
