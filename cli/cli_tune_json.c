/* cli_tune_json.c - the settings as one line of JSON */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>

#include "cli/cli_explain_json.h"
#include "cli/cli_tune.h"

static void cli_tune_json_count(const char *key, uint64_t count)
{
	printf("\"%s\":%" PRIu64, key, count);
}

/* null: no call of the log reaches the best one. */
static void cli_tune_json_threshold(const struct cli_tune_choice *choice)
{
	if (choice->gpu_calls == 0) {
		printf("\"threshold_bytes\":null");
		return;
	}
	cli_tune_json_count("threshold_bytes", choice->bytes);
	printf(",\"threshold_range\":[%" PRIu64 ",%" PRIu64 "]", choice->least_bytes, choice->most_bytes);
}

static void cli_tune_json_rows(const struct cli_tune_result *result)
{
	bool more = false;
	printf("\"settings\":[");
	for (int i = 0; i < CLI_TUNE_SETTINGS; i++) {
		if (!result->row[i].tried)
			continue;
		printf(more ? ",{" : "{");
		cli_explain_json_text("setting", cli_tune_name((enum cli_tune_setting)i));
		printf(",");
		cli_explain_json_number("time_ns", result->row[i].time_ns);
		printf(",");
		cli_tune_json_count("gpu_calls", result->row[i].gpu_calls);
		printf("}");
		more = true;
	}
	printf("]");
}

static void cli_tune_json_routines(const struct cli_tune_result *result)
{
	char name[CLI_EXPLAIN_NAME_BYTES];
	printf("\"routines\":[");
	for (int i = 0; i < result->routine_count; i++) {
		const struct cli_tune_routine *routine = &result->routines[i];
		struct sentence sentence = sentence_start(name, sizeof name);
		routine_threshold_add_name(&sentence, routine->family, routine->element);
		printf(i > 0 ? ",{" : "{");
		cli_explain_json_text("routine", name);
		printf(",");
		cli_tune_json_count("calls", routine->calls);
		printf(",");
		cli_tune_json_count("gpu_calls", routine->choice.gpu_calls);
		printf(",");
		cli_explain_json_number("cpu_ns", routine->cpu_ns);
		printf(",");
		cli_explain_json_number("time_ns", routine->choice.time_ns);
		printf(",");
		cli_tune_json_threshold(&routine->choice);
		printf("}");
	}
	printf("]");
}

static void cli_tune_json_options(const struct cli_tune_result *result)
{
	char line[CLI_TUNE_LINE_BYTES];
	int position = 0;
	bool more = false;
	printf("\"options\":[");
	for (; cli_tune_next_line(result, &position, line); more = true)
		printf("%s\"%s\"", more ? "," : "", line);
	printf("]");
}

void cli_tune_print_json(const struct cli_tune_result *result)
{
	const struct cli_tune_sum *sum = result->sum;
	const struct cost_setting setting = {.cpu_threads = sum->cpu_threads};
	printf("{");
	cli_explain_json_machine(sum->machine, &setting);
	printf(",");
	cli_tune_json_count("calls", sum->all.calls);
	printf(",");
	cli_tune_json_count("processes", sum->process_count);
	printf(",");
	cli_tune_json_count("bound_calls", sum->bound.calls + sum->blurred.calls);
	printf(",\"all_sizes\":%s,", sum->all_sizes ? "true" : "false");
	cli_tune_json_rows(result);
	printf(",");
	cli_tune_json_threshold(&result->choice);
	printf(",");
	cli_tune_json_routines(result);
	printf(",");
	cli_explain_json_text("best", cli_tune_name(result->best));
	printf(",\"worth_changing\":%s,", result->best != cli_tune_find_base(result) ? "true" : "false");
	cli_tune_json_options(result);
	printf("}\n");
}
