/* tune.c - `gpushim tune`: decides recorded calls again under other settings, without a GPU */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/tune/tune.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/common/arguments.h"
#include "cli/common/say.h"
#include "cli/common/tool.h"

static struct tune_request tune_request;
static struct known_machine tune_machine;
static struct tune_result tune_result;

/* A pipe can be read only once. */
static bool tune_can_repeat(const struct command_words *words)
{
	struct stat status;
	for (size_t i = 0; i < words->count; i++) {
		const bool is_stdin = strcmp(words->operands[i], "-") == 0;
		if (is_stdin ||
		    (stat(words->operands[i], &status) == 0 && !S_ISREG(status.st_mode)))
			return false;
	}
	return true;
}

static struct log *tune_open_log(const struct command_words *words)
{
	return log_open((const char *const *)words->operands, words->count);
}

static int tune_read(struct log *log, struct tune_sum *sum)
{
	struct log_record record;
	while (log_next(log, &record))
		tune_sum_add(sum, &record);
	return log_tell(log);
}

/* The options of policy auto without a threshold and without options of single routines. */
static void tune_set_auto(const struct options *present, enum warmup warmup,
                          struct options *options)
{
	*options = *present;
	options->policy = POLICY_AUTO;
	options->warmup = warmup;
	options->deterministic = false;
	options->workload_threshold_given = false;
	routine_threshold_clear(&options->thresholds);
	routine_policy_clear(&options->policies);
}

/* The settings whose time depends on the order of the calls. */
static struct tune_try {
	enum tune_setting setting;
	struct options options;
	struct tune_replay *replay;
} tune_tries[] = {{.setting = TUNE_PRESENT}, {.setting = TUNE_AUTO}, {.setting = TUNE_WAIT}};
enum { TUNE_TRIES = sizeof tune_tries / sizeof tune_tries[0] };

static void tune_begin_tries(const struct options *present, const struct tune_sum *sum)
{
	for (int i = 0; i < TUNE_TRIES; i++) {
		struct tune_try *one = &tune_tries[i];
		one->options = *present;
		if (one->setting != TUNE_PRESENT)
			tune_set_auto(present,
			              one->setting == TUNE_WAIT ? WARMUP_WAIT : WARMUP_BACKGROUND,
			              &one->options);
		one->replay = tune_replay_make(sum, &one->options);
	}
}

static void tune_end_tries(struct tune_result *result)
{
	for (int i = 0; i < TUNE_TRIES; i++) {
		struct tune_row *row = &result->row[tune_tries[i].setting];
		row->tried = true;
		row->time_ns = tune_replay_time(tune_tries[i].replay, &row->gpu_calls);
		tune_replay_free(tune_tries[i].replay);
	}
}

/* Reads the same records again, without those that were added to a file since. */
static void tune_replay_log(struct tune_result *result, struct tune_sum *sum,
                            const struct log *first)
{
	const struct tune_request *request = result->request;
	struct log *log = tune_open_log(&request->arguments->words);
	struct log_record record;
	struct tune_view view;
	tune_begin_tries(&request->options, sum);
	tune_sum_rewind(sum);
	while (log_next(log, &record)) {
		if (log_file(log, record.file)->records > log_file(first, record.file)->records)
			continue;
		tune_sum_view(sum, &record, &view);
		for (int i = 0; i < TUNE_TRIES; i++)
			tune_replay_add(tune_tries[i].replay, &record, &view);
	}
	tune_end_tries(result);
	log_close(log);
}

static bool tune_tell(const struct tune_result *result)
{
	struct emit emit;
	emit_begin(&emit, stdout, tune_request.arguments->json);
	tune_print(&emit, result);
	emit_end(&emit);
	return tune_request.arguments->write == NULL || tune_write(result);
}

static int tune_serve_log(struct log *log)
{
	struct tune_sum *sum = tune_sum_make(&tune_request.options, &tune_machine);
	const struct tune_arguments *arguments = tune_request.arguments;
	sum->cpu_threads = arguments->threads > 0 ? (int)arguments->threads
	                                          : known_machine_threads(&tune_machine);
	sum->by_model = arguments->profile != NULL || arguments->threads > 0;
	int status = tune_read(log, sum);
	if (status == TOOL_FINE) {
		tune_sum_end(sum);
		tune_result.request = &tune_request;
		tune_result.sum = sum;
		tune_weigh(&tune_result);
		if (tune_can_repeat(&tune_request.arguments->words))
			tune_replay_log(&tune_result, sum, log);
		tune_choose(&tune_result);
		status = tune_tell(&tune_result) ? TOOL_FINE : TOOL_NOT_RUN;
		free(tune_result.weights.items);
		free(tune_result.weights.most_bytes);
	}
	tune_sum_free(sum);
	return status;
}

int tune_serve(struct tune_arguments *arguments)
{
	if (arguments->force && arguments->write == NULL)
		return say_refusal(
			"--force says that --write FILE may replace a file, and no file is named");
	tune_request.arguments = arguments;
	arguments_load_options(&arguments->words, &tune_request.options);
	if (!known_machine_load(&tune_machine, arguments->profile, &tune_request.options))
		return TOOL_USAGE;
	struct log *log = tune_open_log(&arguments->words);
	const int status = tune_serve_log(log);
	log_close(log);
	return status;
}
