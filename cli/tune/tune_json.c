/* tune_json.c - the settings as one line of JSON */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "cli/common/json.h"
#include "cli/tune/tune.h"
#include "policy/text/sentence.h"

/* null: no call of the log reaches the best one. */
static void tune_json_threshold(struct json *json, const struct tune_choice *choice)
{
	if (choice->gpu_calls == 0) {
		json_put_null(json, "threshold_bytes");
		return;
	}
	json_put_count(json, "threshold_bytes", choice->bytes);
	json_open_list(json, "threshold_range");
	json_put_count(json, NULL, choice->least_bytes);
	json_put_count(json, NULL, choice->most_bytes);
	json_close_list(json);
}

static void tune_json_rows(struct json *json, const struct tune_result *result)
{
	json_open_list(json, "settings");
	for (int i = 0; i < TUNE_SETTINGS; i++) {
		if (!result->row[i].tried)
			continue;
		json_open_object(json, NULL);
		json_put_text(json, "setting", tune_name((enum tune_setting)i));
		json_put_number(json, "time_ns", result->row[i].time_ns);
		json_put_count(json, "gpu_calls", result->row[i].gpu_calls);
		json_close_object(json);
	}
	json_close_list(json);
}

static void tune_json_routines(struct json *json, const struct tune_result *result)
{
	char name[CALL_NAME_BYTES];
	json_open_list(json, "routines");
	for (int i = 0; i < result->routine_count; i++) {
		const struct tune_routine *routine = &result->routines[i];
		struct sentence sentence = sentence_start(name, sizeof name);
		routine_threshold_add_name(&sentence, routine->family, routine->element);
		json_open_object(json, NULL);
		json_put_text(json, "routine", name);
		json_put_count(json, "calls", routine->calls);
		json_put_count(json, "gpu_calls", routine->choice.gpu_calls);
		json_put_number(json, "cpu_ns", routine->cpu_ns);
		json_put_number(json, "time_ns", routine->choice.time_ns);
		tune_json_threshold(json, &routine->choice);
		json_close_object(json);
	}
	json_close_list(json);
}

static void tune_json_options(struct json *json, const struct tune_result *result)
{
	char line[TUNE_LINE_BYTES];
	int position = 0;
	json_open_list(json, "options");
	while (tune_next_line(result, &position, line))
		json_put_text(json, NULL, line);
	json_close_list(json);
}

void tune_print_json(const struct tune_result *result)
{
	const struct tune_sum *sum = result->sum;
	const struct cost_setting setting = {.cpu_threads = sum->cpu_threads};
	struct emit emit;
	emit_begin(&emit, stdout, true);
	known_machine_emit(&emit, sum->machine, &setting);
	json_put_count(&emit.json, "calls", sum->all.calls);
	json_put_count(&emit.json, "processes", sum->process_count);
	json_put_count(&emit.json, "bound_calls", sum->bound.calls + sum->blurred.calls);
	json_put_flag(&emit.json, "all_sizes", sum->all_sizes);
	tune_json_rows(&emit.json, result);
	tune_json_threshold(&emit.json, &result->choice);
	tune_json_routines(&emit.json, result);
	json_put_text(&emit.json, "best", tune_name(result->best));
	json_put_flag(&emit.json, "worth_changing", result->best != tune_find_base(result));
	tune_json_options(&emit.json, result);
	json_end(&emit.json);
}
