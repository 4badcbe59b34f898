/* compare_decisions.c - the calls of a comparison by reason */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "cli/common/say.h"
#include "cli/common/wrap.h"
#include "cli/compare/compare_parts.h"
#include "policy/text/human.h"

enum { DECISIONS_INDENT = 37 };

uint64_t compare_decisions_count_gpu(const struct counters_read *counters)
{
	uint64_t calls = 0;
	for (int reason = 0; reason < REASON_COUNT; reason++)
		if (reason_outcome((enum reason)reason) == OUTCOME_GPU)
			calls += counters_read_count_reason(counters, (enum reason)reason);
	return calls;
}

static void compare_decisions_print_reason(const struct counters_read *counters, enum reason reason)
{
	static const char *const where[] = {"cpu", "gpu", "cpu"};
	char calls[HUMAN_BYTES], time[HUMAN_BYTES];
	const uint64_t count = counters_read_count_reason(counters, reason);
	const uint64_t elapsed_ns = counters_read_sum_elapsed(counters, reason);
	if (count == 0)
		return;
	human_format_count(count, calls);
	human_format_time(elapsed_ns, time);
	const enum reason failure =
		reason == REASON_WARMING_UP
			? counters_find_failed_start(counters->files, counters->count)
			: REASON_NONE;
	wrap_print(stdout, DECISIONS_INDENT, "  %s %12s %s %10s  %s: %s%s",
	           where[reason_outcome(reason)], calls, count == 1 ? "call " : "calls",
	           elapsed_ns > 0 ? time : "", reason_name(reason),
	           failure != REASON_NONE ? "CUDA was starting, and failed: " : "",
	           reason_sentence(failure != REASON_NONE ? failure : reason));
}

static void compare_decisions_print_side(const struct trial_runs *trial,
                                         const struct trial_side *side)
{
	const bool only = trial->sides == 2;
	if (counters_read_count_calls(&side->counters) == 0) {
		wrap_print(stdout, 2, "decisions%s%s: none, no intercepted routine was called",
		           only ? "" : ", ", only ? "" : side->name);
		return;
	}
	wrap_print(stdout, 2,
	           "decisions, all runs with %s together:", only ? "the shim" : side->name);
	for (int reason = 0; reason < REASON_COUNT; reason++)
		compare_decisions_print_reason(&side->counters, (enum reason)reason);
}

void compare_decisions_print(const struct trial_runs *trial)
{
	for (size_t side = TRIAL_RUNS_ON; side < trial->sides; side++)
		compare_decisions_print_side(trial, &trial->side[side]);
}

/* Why CUDA did not start, as calls met it or as a start ended that they met; else REASON_NONE. */
static enum reason compare_decisions_find_absence(const struct counters_read *counters)
{
	for (int reason = 0; reason < REASON_COUNT; reason++)
		if (reason_is_absence((enum reason)reason) &&
		    counters_read_count_reason(counters, (enum reason)reason) > 0)
			return (enum reason)reason;
	return counters_find_failed_start(counters->files, counters->count);
}

static enum reason compare_decisions_find_most(const struct counters_read *counters)
{
	enum reason most = REASON_NONE;
	uint64_t least = 0;
	for (int reason = 0; reason < REASON_COUNT; reason++) {
		const uint64_t calls = counters_read_count_reason(counters, (enum reason)reason);
		if (calls <= least)
			continue;
		least = calls;
		most = (enum reason)reason;
	}
	return most;
}

char *compare_decisions_explain(const struct counters_read *counters)
{
	const enum reason absence = compare_decisions_find_absence(counters);
	const uint64_t calls = counters_read_count_calls(counters);
	if (compare_decisions_count_gpu(counters) > 0)
		return NULL;
	if (calls == 0)
		return say_text("there was nothing for the shim to do");
	if (absence != REASON_NONE)
		return say_text("every call stayed on the CPU, since %s", reason_sentence(absence));
	if (counters_read_count_reason(counters, REASON_WARMING_UP) > 0)
		return say_text("every call stayed on the CPU, since CUDA was still starting "
		                "(--warmup wait waits for it)");
	const enum reason most = compare_decisions_find_most(counters);
	if (!compare_decisions_are_open(counters) &&
	    counters_read_count_reason(counters, most) == calls)
		return say_text("every call stayed on the CPU, since %s", reason_sentence(most));
	return say_text("every call stayed on the CPU, %s%s: %s",
	                counters_read_count_reason(counters, most) < calls ? "most of them " : "",
	                reason_name(most), reason_sentence(most));
}

bool compare_decisions_are_open(const struct counters_read *counters)
{
	return counters_read_count_calls(counters) > 0 &&
	       counters_read_count_reason(counters, REASON_DISABLED) == 0 &&
	       counters_read_count_reason(counters, REASON_PROGRAM_EXCLUDED) == 0 &&
	       counters_read_count_reason(counters, REASON_POLICY_NEVER) == 0;
}
