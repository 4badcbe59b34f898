/* report_finding.c - judges the balance of ranks, the load of GPUs and the block size */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "cli/common/units.h"
#include "cli/report/report_group.h"
#include "cli/report/report_ranks.h"

/* A card's calls are counted as a crowd only of more processes than it serves well. */
enum { FINDING_PROCESSES = 3, FINDING_MEASURED_BYTES = 320 };

/* Of the time from the first call to the last, which the longest rank's calls must take. */
static const double finding_least_share = 0.05;

static const struct finding_row {
	const char *name;
	double least;
	const char *sentence;
} finding_rows[REPORT_FINDINGS] = {
#define FINDING(name, least, sentence) {#name, least, sentence},
#include "cli/report/report_advice.def"
};

static double report_finding_judge_imbalance(const struct log_sum *sum,
                                             char out[FINDING_MEASURED_BYTES])
{
	const struct report_balance balance = report_ranks_balance(sum);
	const double span_ns = (double)(sum->last_ns - sum->first_ns);
	char name[REPORT_RANK_BYTES], ratio[HUMAN_BYTES], longer[HUMAN_BYTES];
	if (balance.longest == NULL || balance.longest_ns < finding_least_share * span_ns)
		return 0;
	report_ranks_name(sum, balance.longest, name);
	units_ratio(balance.longest_ns / balance.mean_ns, ratio);
	units_time(balance.longest_ns - balance.mean_ns, longer);
	snprintf(out, FINDING_MEASURED_BYTES,
	         "rank %s is %s times as long in calls as the mean of %zu ranks, by %s", name,
	         ratio, balance.ranks, longer);
	return balance.longest_ns / balance.mean_ns;
}

static double report_finding_judge_crowd(const struct log_sum *sum,
                                         char out[FINDING_MEASURED_BYTES])
{
	char name[REPORT_RANK_BYTES], load[HUMAN_BYTES];
	double most = 0;
	for (size_t i = 0; i < sum->ranks.card_count; i++) {
		const struct log_card *card = &sum->ranks.cards[i];
		const double calls = report_ranks_find_load(card);
		if (card->processes < FINDING_PROCESSES || calls <= most)
			continue;
		most = calls;
		report_ranks_name_card(sum, card, name);
		units_ratio(calls, load);
		snprintf(out, FINDING_MEASURED_BYTES,
		         "GPU %s works for %zu processes, on %s of their calls at a time", name,
		         card->processes, load);
	}
	return most;
}

static double report_finding_judge_small_blocks(const struct log_sum *sum,
                                                char out[FINDING_MEASURED_BYTES])
{
	const struct log_tally whole = report_group_both(&sum->total);
	const double *block_ns = sum->ranks.block_ns;
	double small_ns = 0;
	int most = LOG_BLOCK_LEAST;
	for (int k = LOG_BLOCK_LEAST; k < LOG_BLOCK_END; k++) {
		small_ns += block_ns[k];
		most = block_ns[k] > block_ns[most] ? k : most;
	}
	if (!(whole.elapsed_ns > 0))
		return 0;
	snprintf(out, FINDING_MEASURED_BYTES,
	         "products with an inner size k below %d, most of them with k = %d, are %.0f %% of "
	         "the time",
	         LOG_BLOCK_END, most, small_ns / whole.elapsed_ns * 100);
	return small_ns / whole.elapsed_ns;
}

size_t report_finding_list(const struct log_sum *sum, struct report_finding rows[REPORT_FINDINGS])
{
	static double (*const judge[REPORT_FINDINGS])(const struct log_sum *,
	                                              char[FINDING_MEASURED_BYTES]) = {
#define FINDING(name, least, sentence) [REPORT_FINDING_##name] = report_finding_judge_##name,
#include "cli/report/report_advice.def"
	};
	char measured[FINDING_MEASURED_BYTES];
	size_t count = 0;
	for (int i = 0; i < REPORT_FINDINGS && report_ranks_are_shown(sum); i++) {
		const double value = judge[i](sum, measured);
		if (value < finding_rows[i].least)
			continue;
		struct report_finding *row = &rows[count++];
		row->name = finding_rows[i].name;
		row->value = value;
		row->least = finding_rows[i].least;
		snprintf(row->sentence, sizeof row->sentence, "%s: %s", measured,
		         finding_rows[i].sentence);
	}
	return count;
}
