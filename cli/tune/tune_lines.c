/* tune_lines.c - the recommended setting as options */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>

#include "cli/tune/tune.h"
#include "policy/text/sentence.h"

/* More than any call has, and the most that the option takes. */
static const uint64_t lines_no_call = UINT64_C(9000000000000000000);

static const char *tune_lines_name_policy(enum tune_setting setting)
{
	switch (setting) {
	case TUNE_CPU: return "never";
	case TUNE_GPU: return "always";
	case TUNE_AUTO:
	case TUNE_WAIT: return "auto";
	default: return "threshold";
	}
}

static void tune_lines_routine(const struct tune_routine *routine, char line[TUNE_LINE_BYTES])
{
	char name[CALL_NAME_BYTES];
	struct sentence sentence = sentence_start(name, sizeof name);
	routine_threshold_add_name(&sentence, routine->family, routine->element);
	snprintf(line, TUNE_LINE_BYTES, "workload_threshold_%s = %" PRIu64, name,
	         routine->choice.bytes);
}

/* What holds for all routines, one after the other. false after the last. */
static bool tune_lines_general(const struct tune_result *result, int at, char line[TUNE_LINE_BYTES])
{
	const bool all = result->best == TUNE_THRESHOLD,
		   threshold = all || result->best == TUNE_ROUTINES;
	if (at == 0)
		snprintf(line, TUNE_LINE_BYTES, "policy = %s",
		         tune_lines_name_policy(result->best));
	else if (at == 1 && result->best != TUNE_CPU)
		snprintf(line, TUNE_LINE_BYTES, "warmup = %s",
		         result->best == TUNE_AUTO ? "background" : "wait");
	else if (at == 2 && threshold)
		snprintf(line, TUNE_LINE_BYTES, "workload_threshold = %" PRIu64,
		         all ? result->choice.bytes : lines_no_call);
	else
		return false;
	return true;
}

bool tune_next_line(const struct tune_result *result, int *position, char line[TUNE_LINE_BYTES])
{
	enum { GENERAL = 3 };
	if (result->best == tune_find_base(result))
		return false;
	if (*position < GENERAL && tune_lines_general(result, *position, line)) {
		(*position)++;
		return true;
	}
	*position = *position < GENERAL ? GENERAL : *position;
	while (result->best == TUNE_ROUTINES && *position < GENERAL + result->routine_count) {
		const struct tune_routine *routine = &result->routines[(*position)++ - GENERAL];
		if (routine->choice.gpu_calls == 0)
			continue;
		tune_lines_routine(routine, line);
		return true;
	}
	return false;
}
