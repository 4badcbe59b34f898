/* tune_choice.c - which of the settings that were reckoned is proposed */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/tune/tune.h"

/*
 * Of all that come so near to the best that more is not worth a change, the one that is the least
 * to say.
 */
void tune_choose(struct tune_result *result)
{
	const enum tune_setting base = tune_find_base(result);
	const enum tune_setting order[] = {base,           TUNE_AUTO, TUNE_WAIT,    TUNE_CPU,
	                                   TUNE_THRESHOLD, TUNE_GPU,  TUNE_ROUTINES};
	const struct tune_row *row = result->row;
	enum tune_setting best = base;
	size_t i = 0;
	for (size_t j = 1; j < sizeof order / sizeof order[0]; j++)
		if (row[order[j]].tried && row[order[j]].time_ns < row[best].time_ns)
			best = order[j];
	const double near_ns = row[best].time_ns + TUNE_WORTH * row[base].time_ns;
	while (order[i] != best && !(row[order[i]].tried && row[order[i]].time_ns <= near_ns))
		i++;
	result->best = order[i];
}

const char *tune_name(enum tune_setting setting)
{
	static const char *const name[TUNE_SETTINGS] = {
		"as recorded", "all on the CPU",     "all on the GPU", "present settings",
		"policy auto", "policy auto, waits", "best threshold", "best per routine"};
	return name[setting];
}
