/* cli_tune.c - `gpushim tune`: recorded calls under other settings, without a GPU */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli_tune.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "cli/cli_say.h"
#include "cli/cli_tune_replay.h"

static struct cli_tune_request tune_request;
static struct cli_explain_machine tune_machine;
static struct cli_tune_result tune_result;

/* What a pipe gave is gone. */
static bool cli_tune_can_repeat(const struct cli_tune_request *request)
{
	struct stat status;
	for (size_t i = 0; i < request->path_count; i++) {
		const bool is_stdin = strcmp(request->paths[i], "-") == 0;
		if (is_stdin || (stat(request->paths[i], &status) == 0 && !S_ISREG(status.st_mode)))
			return false;
	}
	return true;
}

static int cli_tune_read(struct cli_log *log, struct cli_tune_sum *sum)
{
	struct cli_log_record record;
	while (cli_log_next(log, &record))
		cli_tune_sum_add(sum, &record);
	return cli_log_tell(log);
}

/* Nothing of a single routine, and no threshold: what a program has that was told nothing. */
static void cli_tune_set_auto(const struct options *present, enum warmup warmup, struct options *options)
{
	*options = *present;
	options->policy = POLICY_AUTO;
	options->warmup = warmup;
	options->deterministic = false;
	options->workload_threshold_given = false;
	routine_threshold_clear(&options->thresholds);
	routine_policy_clear(&options->policies);
}

/* What only the calls in their order tell. */
static struct tune_try {
	enum cli_tune_setting setting;
	struct options options;
	struct cli_tune_replay *replay;
} tune_tries[] = {{.setting = CLI_TUNE_PRESENT}, {.setting = CLI_TUNE_AUTO}, {.setting = CLI_TUNE_WAIT}};
enum { TUNE_TRIES = sizeof tune_tries / sizeof tune_tries[0] };

static void cli_tune_begin_tries(const struct options *present, const struct cli_tune_sum *sum)
{
	for (int i = 0; i < TUNE_TRIES; i++) {
		struct tune_try *one = &tune_tries[i];
		one->options = *present;
		if (one->setting != CLI_TUNE_PRESENT)
			cli_tune_set_auto(present, one->setting == CLI_TUNE_WAIT ? WARMUP_WAIT : WARMUP_BACKGROUND,
			                  &one->options);
		one->replay = cli_tune_replay_make(sum, &one->options);
	}
}

static void cli_tune_end_tries(struct cli_tune_result *result)
{
	for (int i = 0; i < TUNE_TRIES; i++) {
		struct cli_tune_row *row = &result->row[tune_tries[i].setting];
		row->tried = true;
		row->time_ns = cli_tune_replay_time(tune_tries[i].replay, &row->gpu_calls);
		cli_tune_replay_free(tune_tries[i].replay);
	}
}

/* The same records, in the same order, as far as they were there at the first reading. */
static void cli_tune_replay_log(struct cli_tune_result *result, struct cli_tune_sum *sum, const struct cli_log *first)
{
	const struct cli_tune_request *request = result->request;
	struct cli_log *log = cli_log_open(request->paths, request->path_count);
	struct cli_log_record record;
	struct cli_tune_view view;
	cli_tune_begin_tries(&request->options, sum);
	cli_tune_sum_rewind(sum);
	while (cli_log_next(log, &record)) {
		if (cli_log_file(log, record.file)->records > cli_log_file(first, record.file)->records)
			continue;
		cli_tune_sum_view(sum, &record, &view);
		for (int i = 0; i < TUNE_TRIES; i++)
			cli_tune_replay_add(tune_tries[i].replay, &record, &view);
	}
	cli_tune_end_tries(result);
	cli_log_close(log);
}

static bool cli_tune_tell(const struct cli_tune_result *result)
{
	if (tune_request.json)
		cli_tune_print_json(result);
	else
		cli_tune_print(result);
	return tune_request.write == NULL || cli_tune_write(result);
}

static int cli_tune_serve_log(struct cli_log *log)
{
	struct cli_tune_sum *sum = cli_tune_sum_make(&tune_request.options, &tune_machine);
	sum->cpu_threads = tune_request.threads > 0 ? tune_request.threads : cli_explain_machine_threads(&tune_machine);
	sum->by_model = tune_request.profile != NULL || tune_request.threads > 0;
	int status = cli_tune_read(log, sum);
	if (status == CLI_FINE) {
		cli_tune_sum_end(sum);
		tune_result.request = &tune_request;
		tune_result.sum = sum;
		cli_tune_weigh(&tune_result);
		if (cli_tune_can_repeat(&tune_request))
			cli_tune_replay_log(&tune_result, sum, log);
		cli_tune_choose(&tune_result);
		status = cli_tune_tell(&tune_result) ? CLI_FINE : CLI_NOT_RUN;
		free(tune_result.weights.items);
		free(tune_result.weights.most_bytes);
	}
	cli_tune_sum_free(sum);
	return status;
}

int cli_tune_serve(char **words)
{
	int status = CLI_USAGE;
	if (cli_tune_request_read(&tune_request, words) &&
	    cli_explain_machine_load(&tune_machine, tune_request.profile, &tune_request.options)) {
		struct cli_log *log = cli_log_open(tune_request.paths, tune_request.path_count);
		status = cli_tune_serve_log(log);
		cli_log_close(log);
	}
	free(tune_request.paths);
	return status;
}
