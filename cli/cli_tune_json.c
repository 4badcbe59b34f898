/* cli_tune_json.c - the settings as one line of JSON */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "cli/cli_explain.h"
#include "cli/cli_json.h"
#include "cli/cli_tune.h"

/* null: no call of the log reaches the best one. */
static void cli_tune_json_threshold(struct cli_json *json, const struct cli_tune_choice *choice)
{
	if (choice->gpu_calls == 0) {
		cli_json_put_null(json, "threshold_bytes");
		return;
	}
	cli_json_put_count(json, "threshold_bytes", choice->bytes);
	cli_json_open_list(json, "threshold_range");
	cli_json_put_count(json, NULL, choice->least_bytes);
	cli_json_put_count(json, NULL, choice->most_bytes);
	cli_json_close_list(json);
}

static void cli_tune_json_rows(struct cli_json *json, const struct cli_tune_result *result)
{
	cli_json_open_list(json, "settings");
	for (int i = 0; i < CLI_TUNE_SETTINGS; i++) {
		if (!result->row[i].tried)
			continue;
		cli_json_open_object(json, NULL);
		cli_json_put_text(json, "setting", cli_tune_name((enum cli_tune_setting)i));
		cli_json_put_number(json, "time_ns", result->row[i].time_ns);
		cli_json_put_count(json, "gpu_calls", result->row[i].gpu_calls);
		cli_json_close_object(json);
	}
	cli_json_close_list(json);
}

static void cli_tune_json_routines(struct cli_json *json, const struct cli_tune_result *result)
{
	char name[CLI_EXPLAIN_NAME_BYTES];
	cli_json_open_list(json, "routines");
	for (int i = 0; i < result->routine_count; i++) {
		const struct cli_tune_routine *routine = &result->routines[i];
		struct sentence sentence = sentence_start(name, sizeof name);
		routine_threshold_add_name(&sentence, routine->family, routine->element);
		cli_json_open_object(json, NULL);
		cli_json_put_text(json, "routine", name);
		cli_json_put_count(json, "calls", routine->calls);
		cli_json_put_count(json, "gpu_calls", routine->choice.gpu_calls);
		cli_json_put_number(json, "cpu_ns", routine->cpu_ns);
		cli_json_put_number(json, "time_ns", routine->choice.time_ns);
		cli_tune_json_threshold(json, &routine->choice);
		cli_json_close_object(json);
	}
	cli_json_close_list(json);
}

static void cli_tune_json_options(struct cli_json *json, const struct cli_tune_result *result)
{
	char line[CLI_TUNE_LINE_BYTES];
	int position = 0;
	cli_json_open_list(json, "options");
	while (cli_tune_next_line(result, &position, line))
		cli_json_put_text(json, NULL, line);
	cli_json_close_list(json);
}

void cli_tune_print_json(const struct cli_tune_result *result)
{
	const struct cli_tune_sum *sum = result->sum;
	const struct cost_setting setting = {.cpu_threads = sum->cpu_threads};
	struct cli_json json = {.file = stdout};
	cli_json_open_object(&json, NULL);
	cli_explain_json_machine(&json, sum->machine, &setting);
	cli_json_put_count(&json, "calls", sum->all.calls);
	cli_json_put_count(&json, "processes", sum->process_count);
	cli_json_put_count(&json, "bound_calls", sum->bound.calls + sum->blurred.calls);
	cli_json_put_flag(&json, "all_sizes", sum->all_sizes);
	cli_tune_json_rows(&json, result);
	cli_tune_json_threshold(&json, &result->choice);
	cli_tune_json_routines(&json, result);
	cli_json_put_text(&json, "best", cli_tune_name(result->best));
	cli_json_put_flag(&json, "worth_changing", result->best != cli_tune_find_base(result));
	cli_tune_json_options(&json, result);
	cli_json_end(&json);
}
