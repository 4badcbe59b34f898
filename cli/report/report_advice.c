/* report_advice.c - picks the reason by which another decision could save most time */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/report.h"

#include <stdio.h>
#include <string.h>

#include "cli/common/units.h"
#include "cli/report/report_group.h"
#include "policy/options/options.h"
#include "policy/text/sentence.h"

/* A change is worth it from this share of the time on; a model is wrong from this factor on. */
static const double advice_least_share = 0.05, advice_off = 2;
enum { ADVICE_LEAST_CALLS = 20 };

enum { ADVICE_OPTIONS = 2 };
static const struct advice_row {
	const char *sentence;
	enum option options[ADVICE_OPTIONS];
} advice_rows[REASON_COUNT] = {
#define ADVICE(reason, ...) [REASON_##reason] = {ADVICE_ROW(__VA_ARGS__, 0, 0, 0)},
#define ADVICE_ROW(sentence, first, second, ...)                                                   \
	sentence,                                                                                  \
	{                                                                                          \
		first, second                                                                      \
	}
#include "cli/report/report_advice.def"
#undef ADVICE_ROW
};

static const char advice_unseen[] =
	"; no call shows that CUDA starts here: if it cannot, `gpushim doctor` tells why";

/* The sentence of a reason, each $ replaced by the variable of the row's next option. */
static void report_advice_add_sentence(const struct advice_row *row, char *out, size_t size)
{
	char variable[OPTION_VARIABLE_BYTES];
	struct sentence sentence = sentence_start(out, size);
	struct words rest = words_of(row->sentence);
	for (int i = 0; rest.text != NULL; i++) {
		sentence_add_words(&sentence, words_next(&rest, '$'));
		if (rest.text == NULL)
			break;
		options_name_variable(row->options[i], variable);
		sentence_add(&sentence, variable);
	}
}

/*
 * The reason that costs most. weight_ns: the time that might be saved, less price_ns, which CUDA's
 * starts take; sure: at least half of it is expected, by calls that have expected times.
 */
struct advice {
	int reason;
	enum target target;
	double weight_ns, price_ns;
	bool sure;
	struct log_tally tally;
};

/*
 * A call with expected times could have saved what it took longer than the other side. For other
 * calls on the CPU nothing is known: their whole time counts, and a quarter of it where they are
 * small.
 */
static double report_advice_weigh(int reason, enum target target, const struct log_tally *tally)
{
	const bool small = reason == REASON_BELOW_THRESHOLD || reason == REASON_BELOW_WORK ||
	                   reason == REASON_BELOW_K;
	const double unknown_ns = target == TARGET_CPU ? tally->elapsed_ns - tally->measured_ns : 0;
	return tally->regret_ns + unknown_ns / (small ? 4 : 1);
}

/* The reason why CUDA did not start, as other calls met it; REASON_NONE where none did. */
static enum reason report_advice_find_absence(const struct log_sum *sum)
{
	struct report_reason rows[REPORT_REASONS];
	const size_t count = report_group_reasons(sum, TARGET_CPU, rows);
	for (size_t i = 0; i < count; i++)
		if (rows[i].reason >= 0 && reason_is_absence((enum reason)rows[i].reason))
			return (enum reason)rows[i].reason;
	return REASON_NONE;
}

/* Calls that came without or before CUDA: what the GPU saves of them costs its start. */
static bool report_advice_is_early(const struct log_sum *sum, int reason)
{
	return reason == REASON_START_NOT_PAID ||
	       (reason >= 0 && reason_is_absence((enum reason)reason)) ||
	       (reason == REASON_WARMING_UP && report_advice_find_absence(sum) == REASON_NONE);
}

/* starts_ns: of CUDA, in all processes. */
static struct advice report_advice_find_heaviest(const struct log_sum *sum, double starts_ns)
{
	struct advice heaviest = {.reason = -1};
	for (int target = 0; target < 2; target++) {
		struct report_reason rows[REPORT_REASONS];
		const size_t count = report_group_reasons(sum, (enum target)target, rows);
		for (size_t i = 0; i < count; i++) {
			const int reason = rows[i].reason;
			const double price_ns = report_advice_is_early(sum, reason) ? starts_ns : 0;
			const double weight_ns =
				report_advice_weigh(reason, (enum target)target, &rows[i].tally) -
				price_ns;
			if (reason < 0 || advice_rows[reason].sentence == NULL ||
			    weight_ns <= heaviest.weight_ns)
				continue;
			heaviest = (struct advice){reason,
			                           (enum target)target,
			                           weight_ns,
			                           price_ns,
			                           rows[i].tally.regret_ns >= weight_ns / 2,
			                           rows[i].tally};
		}
	}
	return heaviest;
}

/*
 * The least size of calls below the threshold from which on the GPU was expected to be faster, or
 * 0.
 */
static int64_t report_advice_find_threshold(const struct log_sum *sum)
{
	struct log_tally above[LOG_BUCKETS + 1] = {{.calls = 0}};
	int64_t threshold_bytes = 0;
	for (size_t i = 0; i < sum->cell_count; i++)
		if (sum->cells[i].reason == REASON_BELOW_THRESHOLD)
			log_sum_add_tally(&above[sum->cells[i].bucket], &sum->cells[i].tally);
	for (int bucket = LOG_BUCKETS - 1; bucket > 0; bucket--) {
		const struct log_tally *tally = &above[bucket];
		if (tally->predicted > 0 && tally->predicted_gpu_ns >= tally->measured_ns)
			break;
		if (tally->predicted > 0)
			threshold_bytes = log_sum_bucket_bytes(bucket);
	}
	return threshold_bytes;
}

/*
 * On calls that ended before CUDA had started. No log says of a start that it failed after the last
 * call: where no call shows that CUDA starts here, both causes are named.
 */
static void report_advice_add_start(const struct log_sum *sum, char *out, size_t size)
{
	static const char failed[] = "CUDA was starting, and failed: ";
	const bool starts = sum->total.side[TARGET_GPU].calls > 0;
	const enum reason absence = report_advice_find_absence(sum);
	if (!starts && absence != REASON_NONE) {
		snprintf(out, size, "%s", failed);
		report_advice_add_sentence(&advice_rows[absence], out + sizeof failed - 1,
		                           size - (sizeof failed - 1));
		return;
	}
	report_advice_add_sentence(&advice_rows[REASON_WARMING_UP], out, size);
	const size_t used = strlen(out);
	if (!starts)
		snprintf(out + used, size - used, "%s", advice_unseen);
}

static void report_advice_write(const struct log_sum *sum, const struct advice *advice,
                                double whole_ns, char out[REPORT_ADVICE_BYTES])
{
	char calls[HUMAN_BYTES], time[HUMAN_BYTES], price[HUMAN_BYTES];
	char saved[2 * HUMAN_BYTES + 64] = "";
	char variable[OPTION_VARIABLE_BYTES];
	const int64_t threshold_bytes =
		advice->reason == REASON_BELOW_THRESHOLD ? report_advice_find_threshold(sum) : 0;
	human_format_count(advice->tally.calls, calls);
	units_time(advice->tally.regret_ns, time);
	units_time(advice->price_ns, price);
	if (advice->sure)
		snprintf(saved, sizeof saved, "; the %s was expected to save %s%s%s%s",
		         advice->target == TARGET_CPU ? "GPU" : "CPU", time,
		         advice->price_ns > 0 ? ", less " : "", advice->price_ns > 0 ? price : "",
		         advice->price_ns > 0 ? " for CUDA's start" : "");
	const int used = snprintf(
		out, REPORT_ADVICE_BYTES, "%s is %.0f %% of the time, in %s call%s%s: ",
		reason_name((enum reason)advice->reason), advice->tally.elapsed_ns / whole_ns * 100,
		calls, advice->tally.calls == 1 ? "" : "s", saved);
	const size_t room = REPORT_ADVICE_BYTES - (size_t)used;
	if (threshold_bytes > 0) {
		options_name_variable(OPTION_workload_threshold, variable);
		snprintf(out + used, room, "%s=%lld sends those to the GPU that are faster there",
		         variable, (long long)threshold_bytes);
	} else if (advice->reason == REASON_WARMING_UP) {
		report_advice_add_start(sum, out + used, room);
	} else {
		report_advice_add_sentence(&advice_rows[advice->reason], out + used, room);
	}
}

/* Advises to calibrate where measured and expected times differ by the factor. false elsewhere. */
static bool report_advice_doubt(const struct log_sum *sum, char out[REPORT_ADVICE_BYTES])
{
	char ratio[HUMAN_BYTES];
	for (int target = 0; target < 2; target++) {
		const struct log_spread *spread = &sum->spread[target];
		const double median = log_sum_find_spread(spread, 0.5);
		if (spread->count < ADVICE_LEAST_CALLS ||
		    (median < advice_off && median > 1 / advice_off))
			continue;
		units_ratio(median, ratio);
		snprintf(out, REPORT_ADVICE_BYTES,
		         "calls on the %s take %s times as long as expected: `gpushim calibrate` "
		         "measures this machine",
		         target == TARGET_CPU ? "CPU" : "GPU", ratio);
		return true;
	}
	return false;
}

/*
 * The sentence where no change is worth it: names the reason that has most of the time, if it is
 * neither the GPU nor the model.
 */
static void report_advice_settle(const struct log_sum *sum, double whole_ns,
                                 char out[REPORT_ADVICE_BYTES])
{
	struct report_reason rows[REPORT_REASONS];
	const size_t count = report_group_reasons(sum, TARGET_CPU, rows);
	const bool known =
		count > 0 && rows[0].reason >= 0 && rows[0].reason != REASON_PREDICTED_SLOWER;
	const double share = count > 0 ? rows[0].tally.elapsed_ns / whole_ns : 0;
	const bool starts = sum->total.side[TARGET_GPU].calls > 0;
	if (known && share >= 0.5)
		snprintf(out, REPORT_ADVICE_BYTES,
		         "nothing that an option can change: %s is %.0f %% of the time, %s%s",
		         reason_name((enum reason)rows[0].reason), share * 100,
		         reason_sentence((enum reason)rows[0].reason),
		         rows[0].reason == REASON_WARMING_UP && !starts ? advice_unseen : "");
	else if (starts)
		snprintf(out, REPORT_ADVICE_BYTES,
		         "nothing: the GPU has the calls that it is expected to gain from");
	else
		snprintf(out, REPORT_ADVICE_BYTES,
		         "nothing: the CPU is expected to be the faster side for these calls");
}

void report_advice_find(const struct log_sum *sum, double start_ns, char out[REPORT_ADVICE_BYTES])
{
	const struct log_tally whole = report_group_both(&sum->total);
	const struct advice advice = report_advice_find_heaviest(
		sum, start_ns * (double)(sum->process_count > 1 ? sum->process_count : 1));
	if (!(whole.elapsed_ns > 0))
		snprintf(out, REPORT_ADVICE_BYTES, "nothing can be said: no call was timed");
	else if (advice.reason >= 0 && advice.weight_ns >= whole.elapsed_ns * advice_least_share)
		report_advice_write(sum, &advice, whole.elapsed_ns, out);
	else if (!report_advice_doubt(sum, out))
		report_advice_settle(sum, whole.elapsed_ns, out);
}
