/* cli_tune_choice.c - which of the settings that were reckoned is proposed */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli_tune.h"

/* Of all that come so near to the best that more is not worth a change, the one that is the least to say. */
void cli_tune_choose(struct cli_tune_result *result)
{
	const enum cli_tune_setting base = cli_tune_find_base(result);
	const enum cli_tune_setting order[] = {
		base, CLI_TUNE_AUTO, CLI_TUNE_WAIT, CLI_TUNE_CPU, CLI_TUNE_THRESHOLD, CLI_TUNE_GPU, CLI_TUNE_ROUTINES};
	const struct cli_tune_row *row = result->row;
	enum cli_tune_setting best = base;
	size_t i = 0;
	for (size_t j = 1; j < sizeof order / sizeof order[0]; j++)
		if (row[order[j]].tried && row[order[j]].time_ns < row[best].time_ns)
			best = order[j];
	const double near_ns = row[best].time_ns + CLI_TUNE_WORTH * row[base].time_ns;
	while (order[i] != best && !(row[order[i]].tried && row[order[i]].time_ns <= near_ns))
		i++;
	result->best = order[i];
}

const char *cli_tune_name(enum cli_tune_setting setting)
{
	static const char *const name[CLI_TUNE_SETTINGS] = {"as recorded",      "all on the CPU",  "all on the GPU",
	                                                    "present settings", "policy auto",     "policy auto, waits",
	                                                    "best threshold",   "best per routine"};
	return name[setting];
}
