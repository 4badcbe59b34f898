/* tune_choice.c - which setting is proposed, its options, and the config file that holds them */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include "cli/common/file_buffer.h"
#include "cli/common/say.h"
#include "cli/tune/tune.h"
#include "policy/text/sentence.h"

/* Of the settings within TUNE_WORTH of the best one, chooses the first of order, the simplest. */
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

/* Above the workload of any call, and below the maximum of the option. */
static const uint64_t choice_no_call = UINT64_C(9000000000000000000);

static const char *tune_choice_name_policy(enum tune_setting setting)
{
	switch (setting) {
	case TUNE_CPU: return "never";
	case TUNE_GPU: return "always";
	case TUNE_AUTO:
	case TUNE_WAIT: return "auto";
	default: return "threshold";
	}
}

static void tune_choice_routine(const struct tune_routine *routine, char line[TUNE_LINE_BYTES])
{
	char name[CALL_NAME_BYTES];
	struct sentence sentence = sentence_start(name, sizeof name);
	routine_threshold_add_name(&sentence, routine->family, routine->element);
	snprintf(line, TUNE_LINE_BYTES, "workload_threshold_%s = %" PRIu64, name,
	         routine->choice.bytes);
}

/* The options for all routines, one for each value of at. false after the last. */
static bool tune_choice_write_general(const struct tune_result *result, int at,
                                      char line[TUNE_LINE_BYTES])
{
	const bool all = result->best == TUNE_THRESHOLD,
		   threshold = all || result->best == TUNE_ROUTINES;
	if (at == 0)
		snprintf(line, TUNE_LINE_BYTES, "policy = %s",
		         tune_choice_name_policy(result->best));
	else if (at == 1 && result->best != TUNE_CPU)
		snprintf(line, TUNE_LINE_BYTES, "warmup = %s",
		         result->best == TUNE_AUTO ? "background" : "wait");
	else if (at == 2 && threshold)
		snprintf(line, TUNE_LINE_BYTES, "workload_threshold = %" PRIu64,
		         all ? result->choice.bytes : choice_no_call);
	else
		return false;
	return true;
}

bool tune_next_line(const struct tune_result *result, int *position, char line[TUNE_LINE_BYTES])
{
	enum { GENERAL = 3 };
	if (result->best == tune_find_base(result))
		return false;
	if (*position < GENERAL && tune_choice_write_general(result, *position, line)) {
		(*position)++;
		return true;
	}
	*position = *position < GENERAL ? GENERAL : *position;
	while (result->best == TUNE_ROUTINES && *position < GENERAL + result->routine_count) {
		const struct tune_routine *routine = &result->routines[(*position)++ - GENERAL];
		if (routine->choice.gpu_calls == 0)
			continue;
		tune_choice_routine(routine, line);
		return true;
	}
	return false;
}

static void tune_choice_write_lines(FILE *file, const struct tune_result *result)
{
	char line[TUNE_LINE_BYTES];
	int position = 0;
	fprintf(file,
	        "# gpushim.conf - what gpushim tune, gpushim %s, found for %llu recorded calls\n",
	        GPUSHIM_VERSION, (unsigned long long)result->sum->all.calls);
	fprintf(file,
	        "# EPOCHLY_GPU_CONFIG names this file; a variable EPOCHLY_GPU_<KEY> wins over "
	        "it\n");
	while (tune_next_line(result, &position, line))
		fprintf(file, "%s\n", line);
	if (result->best == tune_find_base(result))
		fprintf(file, "# nothing was worth changing\n");
}

static bool tune_choice_may_write(const struct tune_arguments *arguments)
{
	struct stat status;
	if (stat(arguments->write, &status) != 0 && lstat(arguments->write, &status) != 0)
		return true;
	if (!S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode))
		say("%s is no regular file; the settings are not stored", arguments->write);
	else if (!arguments->force)
		say("%s is there already; --force replaces it", arguments->write);
	else
		return true;
	return false;
}

bool tune_write(const struct tune_result *result)
{
	const struct tune_arguments *arguments = result->request->arguments;
	struct file_buffer store;
	if (!tune_choice_may_write(arguments))
		return false;
	file_buffer_begin(&store);
	tune_choice_write_lines(store.file, result);
	const int error = file_buffer_end(&store, arguments->write, arguments->force);
	if (error != 0)
		say("cannot write %s: %s; the settings are not stored", arguments->write,
		    say_error(error));
	return error == 0;
}
