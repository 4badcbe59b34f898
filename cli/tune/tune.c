/* tune.c - `gpushim tune`: decides recorded calls again under other settings, without a GPU */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/tune/tune.h"

#include <stdlib.h>

#include "cli/common/arguments.h"
#include "cli/common/say.h"
#include "cli/common/tool.h"

static struct tune_request tune_request;
static struct known_machine tune_machine;
static struct tune_result tune_result;

static bool tune_can_repeat(const struct command_words *words)
{
	return recorded_prediction_can_repeat((const char *const *)words->operands, words->count);
}

static struct log *tune_open_log(const struct command_words *words)
{
	return log_open((const char *const *)words->operands, words->count);
}

static int tune_read(struct log *log, struct recorded_sum *sum)
{
	struct log_record record;
	while (log_next(log, &record))
		recorded_sum_add(sum, &record);
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
	struct recorded_replay *replay;
} tune_tries[] = {{.setting = TUNE_PRESENT}, {.setting = TUNE_AUTO}, {.setting = TUNE_WAIT}};
enum { TUNE_TRIES = sizeof tune_tries / sizeof tune_tries[0] };

static void tune_begin_tries(const struct options *present, const struct recorded_sum *sum)
{
	for (int i = 0; i < TUNE_TRIES; i++) {
		struct tune_try *one = &tune_tries[i];
		one->options = *present;
		if (one->setting != TUNE_PRESENT)
			tune_set_auto(present,
			              one->setting == TUNE_WAIT ? WARMUP_WAIT : WARMUP_BACKGROUND,
			              &one->options);
		one->replay = recorded_replay_make(sum, &one->options);
	}
}

/* policy auto beside the other options as they are: what all commands tell. */
static struct options tune_predicted_options;

static void tune_end_prediction(struct tune_result *result, struct recorded_replay *replay)
{
	uint64_t gpu_calls;
	recorded_replay_time(replay, &gpu_calls);
	result->prediction = recorded_replay_get_totals(replay);
	recorded_replay_free(replay);
}

static void tune_end_tries(struct tune_result *result)
{
	for (int i = 0; i < TUNE_TRIES; i++) {
		struct tune_row *row = &result->row[tune_tries[i].setting];
		row->tried = true;
		row->time_ns = recorded_replay_time(tune_tries[i].replay, &row->gpu_calls);
		recorded_replay_free(tune_tries[i].replay);
	}
}

/* Reads the same records again, without those that were added to a file since. */
static void tune_replay_log(struct tune_result *result, struct recorded_sum *sum,
                            const struct log *first)
{
	const struct tune_request *request = result->request;
	struct log *log = tune_open_log(&request->arguments->words);
	struct log_record record;
	struct recorded_view view;
	predict_set_options(&request->options, &tune_predicted_options);
	struct recorded_replay *predicted = recorded_replay_make(sum, &tune_predicted_options);
	tune_begin_tries(&request->options, sum);
	recorded_sum_rewind(sum);
	while (log_next(log, &record)) {
		if (record.nested || !recorded_prediction_was_read(log, &record, first))
			continue;
		recorded_sum_view(sum, &record, &view);
		recorded_replay_add(predicted, &record, &view);
		for (int i = 0; i < TUNE_TRIES; i++)
			recorded_replay_add(tune_tries[i].replay, &record, &view);
	}
	tune_end_tries(result);
	tune_end_prediction(result, predicted);
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
	struct recorded_sum *sum = recorded_sum_make(&tune_request.options, &tune_machine);
	const struct tune_arguments *arguments = tune_request.arguments;
	sum->cpu_threads = arguments->threads > 0 ? (int)arguments->threads
	                                          : known_machine_threads(&tune_machine);
	sum->by_model = arguments->threads > 0;
	int status = tune_read(log, sum);
	if (status == TOOL_FINE) {
		recorded_sum_end(sum);
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
	recorded_sum_free(sum);
	return status;
}

int tune_serve(struct tune_arguments *arguments)
{
	if (arguments->force && arguments->write == NULL)
		return say_refusal(
			"--force says that --write FILE may replace a file, and no file is named");
	tune_request.arguments = arguments;
	arguments_load_options(&arguments->words, &tune_request.options);
	if (!recorded_prediction_load(&tune_machine, arguments->profile,
	                              (const char *const *)arguments->words.operands,
	                              arguments->words.count, &tune_request.options))
		return TOOL_USAGE;
	struct log *log = tune_open_log(&arguments->words);
	const int status = tune_serve_log(log);
	log_close(log);
	return status;
}
