/* cli_tune_lines.c - the recommended setting as options */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>

#include "cli/cli_tune.h"

/* More than any call has, and the most that the option takes. */
static const uint64_t lines_no_call = UINT64_C(9000000000000000000);

static const char *cli_tune_lines_name_policy(enum cli_tune_setting setting)
{
	switch (setting) {
	case CLI_TUNE_CPU: return "never";
	case CLI_TUNE_GPU: return "always";
	case CLI_TUNE_AUTO:
	case CLI_TUNE_WAIT: return "auto";
	default: return "threshold";
	}
}

static void cli_tune_lines_routine(const struct cli_tune_routine *routine, char line[CLI_TUNE_LINE_BYTES])
{
	char name[CLI_EXPLAIN_NAME_BYTES];
	struct sentence sentence = sentence_start(name, sizeof name);
	routine_threshold_add_name(&sentence, routine->family, routine->element);
	snprintf(line, CLI_TUNE_LINE_BYTES, "workload_threshold_%s = %" PRIu64, name, routine->choice.bytes);
}

/* What holds for all routines, one after the other. false after the last. */
static bool cli_tune_lines_general(const struct cli_tune_result *result, int at, char line[CLI_TUNE_LINE_BYTES])
{
	const bool all = result->best == CLI_TUNE_THRESHOLD, threshold = all || result->best == CLI_TUNE_ROUTINES;
	if (at == 0)
		snprintf(line, CLI_TUNE_LINE_BYTES, "policy = %s", cli_tune_lines_name_policy(result->best));
	else if (at == 1 && result->best != CLI_TUNE_CPU)
		snprintf(line, CLI_TUNE_LINE_BYTES, "warmup = %s",
		         result->best == CLI_TUNE_AUTO ? "background" : "wait");
	else if (at == 2 && threshold)
		snprintf(line, CLI_TUNE_LINE_BYTES, "workload_threshold = %" PRIu64,
		         all ? result->choice.bytes : lines_no_call);
	else
		return false;
	return true;
}

bool cli_tune_next_line(const struct cli_tune_result *result, int *position, char line[CLI_TUNE_LINE_BYTES])
{
	enum { GENERAL = 3 };
	if (result->best == cli_tune_find_base(result))
		return false;
	if (*position < GENERAL && cli_tune_lines_general(result, *position, line)) {
		(*position)++;
		return true;
	}
	*position = *position < GENERAL ? GENERAL : *position;
	while (result->best == CLI_TUNE_ROUTINES && *position < GENERAL + result->routine_count) {
		const struct cli_tune_routine *routine = &result->routines[(*position)++ - GENERAL];
		if (routine->choice.gpu_calls == 0)
			continue;
		cli_tune_lines_routine(routine, line);
		return true;
	}
	return false;
}
