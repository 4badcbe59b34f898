/* compare_json.c - settings, machine, every run and results as JSON */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <time.h>

#include "cli/common/json.h"
#include "cli/compare/compare_parts.h"
#include "cli/compare/distribution.h"
#include "cli/compare/trial_check.h"
#include "shim/execute/gpu/node/processors.h"
#include "shim/settings/settings_machine.h"

enum { EXPORT_VERSION = 1, EXPORT_TIME_BYTES = 32 };

static void compare_json_settings(struct json *json, const struct compare *compare)
{
	const struct trial_runs *trial = &compare->trial;
	json_put_integer(json, "version", EXPORT_VERSION);
	json_put_text(json, "gpushim", GPUSHIM_VERSION);
	json_break_line(json);
	json_open_list(json, "command");
	for (char **word = trial->words; *word != NULL; word++)
		json_put_text(json, NULL, *word);
	json_close_list(json);
	json_break_line(json);
	json_open_object(json, "settings");
	json_put_count(json, "runs", trial->runs);
	json_put_number(json, "seconds", trial->seconds);
	json_put_count(json, "min_runs", trial->least_runs);
	json_put_count(json, "warmup_runs", trial->warmup_runs);
	json_put_count(json, "seed", trial->seed);
	json_put_number(json, "tolerance", trial->tolerance);
	json_put_flag(json, "audit", compare->arguments->audit);
	json_put_flag(json, "ignore_failure", trial->ignores_failure);
	if (trial->prepare != NULL)
		json_put_text(json, "prepare", trial->prepare);
	else
		json_put_null(json, "prepare");
	json_put_number(json, "fail_if_slower_percent", compare->arguments->fail_if_slower);
	json_close_object(json);
	if (trial->cause != NULL)
		json_put_text(json, "stopped", trial->cause);
	else
		json_put_null(json, "stopped");
}

static void compare_json_machine(struct json *json)
{
	static struct machine machine;
	char measured[EXPORT_TIME_BYTES] = "";
	const time_t now = time(NULL);
	struct tm utc;
	settings_machine_describe_machine(&machine);
	if (gmtime_r(&now, &utc) != NULL)
		strftime(measured, sizeof measured, "%Y-%m-%dT%H:%M:%SZ", &utc);
	json_break_line(json);
	json_open_object(json, "machine");
	json_put_text(json, "host", machine.host);
	json_put_text(json, "cpu", machine.cpu);
	json_put_integer(json, "processors", processors_count(""));
	json_put_text(json, "measured", measured);
	json_close_object(json);
}

static void compare_json_order(struct json *json, const struct trial_runs *trial)
{
	size_t order[RUN_ORDER_SIDES];
	json_break_line(json);
	json_open_list(json, "order");
	for (size_t round = 0; round < trial->rounds; round++) {
		trial_runs_find_order(trial, round, order);
		json_open_list(json, NULL);
		for (size_t i = 0; i < trial->sides; i++)
			json_put_count(json, NULL, order[i]);
		json_close_list(json);
	}
	json_close_list(json);
}

enum export_column { EXPORT_WALL, EXPORT_USER, EXPORT_SYSTEM, EXPORT_STATUS, EXPORT_COLUMNS };

static void compare_json_column(struct json *json, const struct trial_runs *trial, size_t side,
                                enum export_column column)
{
	static const char *const name[EXPORT_COLUMNS] = {"wall_ns", "user_ns", "system_ns",
	                                                 "status"};
	json_break_line(json);
	json_open_list(json, name[column]);
	for (size_t round = 0; round < trial->rounds; round++) {
		const struct child_outcome *outcome = &trial->outcomes[round * trial->sides + side];
		const int64_t value[EXPORT_COLUMNS] = {outcome->wall_ns, outcome->user_ns,
		                                       outcome->system_ns, child_status(outcome)};
		json_put_integer(json, NULL, value[column]);
	}
	json_close_list(json);
}

static void compare_json_quartiles(struct json *json, const struct trial_runs *trial, size_t side)
{
	double *times = trial_runs_list_times(trial, side);
	const struct distribution found = distribution_find(times, trial->rounds);
	free(times);
	json_break_line(json);
	json_put_number(json, "least_ns", found.least);
	json_put_number(json, "lower_quartile_ns", found.lower);
	json_put_number(json, "median_ns", found.median);
	json_put_number(json, "upper_quartile_ns", found.upper);
	json_put_number(json, "most_ns", found.most);
}

static void compare_json_result(struct json *json, const struct compare *compare, size_t side)
{
	static const char *const outputs[] = {"equal", "within_tolerance", "different",
	                                      "not_comparable"};
	const struct compare_result *result = &compare->result[side];
	const struct difference_verdict output = trial_check_judge(&compare->trial, side);
	const struct counters_read *counters = &compare->trial.side[side].counters;
	char words[COMPARE_WORDS_BYTES];
	compare_result_describe(result, words);
	json_break_line(json);
	json_put_number(json, "ratio", result->ratio);
	json_put_number(json, "low", result->low);
	json_put_number(json, "high", result->high);
	json_put_number(json, "confidence", result->confidence);
	json_put_text(json, "verdict", compare_result_name(result->verdict));
	json_put_text(json, "words", words);
	json_break_line(json);
	json_put_text(json, "output", outputs[output.kind]);
	json_put_number(json, "deviation", compare->trial.side[side].difference.deviation);
	json_put_count(json, "unsteady_lines", output.unsteady);
	json_put_count(json, "calls", counters_read_count_calls(counters));
	json_put_count(json, "gpu_calls", compare_decisions_count_gpu(counters));
	json_break_line(json);
	if (compare->prediction[side] != NULL)
		prediction_put(json, &compare->prediction[side]->sums);
	else
		json_put_null(json, "prediction");
}

static void compare_json_sides(struct json *json, const struct compare *compare)
{
	const struct trial_runs *trial = &compare->trial;
	json_break_line(json);
	json_open_list(json, "sides");
	for (size_t side = 0; side < trial->sides; side++) {
		json_break_line(json);
		json_open_object(json, NULL);
		json_put_text(json, "name", trial->side[side].name);
		for (int column = 0; column < EXPORT_COLUMNS; column++)
			compare_json_column(json, trial, side, (enum export_column)column);
		compare_json_quartiles(json, trial, side);
		if (side != TRIAL_RUNS_OFF)
			compare_json_result(json, compare, side);
		json_close_object(json);
	}
	json_close_list(json);
}

static void compare_json_best(struct json *json, const struct trial_runs *trial)
{
	size_t quickest = 0, rival = 0;
	const int best = compare_result_find_best(trial, &quickest, &rival);
	json_break_line(json);
	if (best >= 0)
		json_put_text(json, "best", trial->side[best].name);
	else
		json_put_null(json, "best");
}

void compare_json_print(const struct compare *compare, FILE *file)
{
	struct json json = {.file = file};
	json_open_object(&json, NULL);
	compare_json_settings(&json, compare);
	compare_json_machine(&json);
	compare_json_order(&json, &compare->trial);
	compare_json_sides(&json, compare);
	compare_json_best(&json, &compare->trial);
	json_end(&json);
}
