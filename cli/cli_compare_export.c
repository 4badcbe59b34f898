/* cli_compare_export.c - a comparison as one object of JSON: settings, machine, every run, results */
/* SPDX-License-Identifier: Apache-2.0 */
#include <time.h>

#include "cli/cli_compare.h"
#include "cli/cli_json.h"
#include "cli/cli_say.h"
#include "cli/cli_store.h"
#include "page/whole_file.h"
#include "shim/execute/gpu/processors.h"
#include "shim/settings_machine.h"

enum { EXPORT_VERSION = 1, EXPORT_TIME_BYTES = 32 };

bool cli_compare_export_check(const struct cli_compare *compare)
{
	const int error = compare->export != NULL ? whole_file_check(compare->export) : 0;
	if (error != 0)
		cli_say("cannot write '%s': %s", compare->export, cli_say_error(error));
	return error == 0;
}

static void cli_compare_export_settings(struct cli_json *json, const struct cli_compare *compare)
{
	const struct cli_trial *trial = &compare->trial;
	cli_json_put_integer(json, "version", EXPORT_VERSION);
	cli_json_put_text(json, "gpushim", GPUSHIM_VERSION);
	cli_json_break_line(json);
	cli_json_open_list(json, "command");
	for (char **word = trial->words; *word != NULL; word++)
		cli_json_put_text(json, NULL, *word);
	cli_json_close_list(json);
	cli_json_break_line(json);
	cli_json_open_object(json, "settings");
	cli_json_put_count(json, "runs", trial->runs);
	cli_json_put_number(json, "seconds", trial->seconds);
	cli_json_put_count(json, "warmup_runs", trial->warmup_runs);
	cli_json_put_count(json, "seed", trial->seed);
	cli_json_put_number(json, "tolerance", trial->tolerance);
	cli_json_put_flag(json, "audit", compare->audited);
	cli_json_put_number(json, "fail_if_slower_percent", compare->slower_percent);
	cli_json_close_object(json);
}

static void cli_compare_export_machine(struct cli_json *json)
{
	static struct machine machine;
	char measured[EXPORT_TIME_BYTES] = "";
	const time_t now = time(NULL);
	struct tm utc;
	settings_describe_machine(&machine);
	if (gmtime_r(&now, &utc) != NULL)
		strftime(measured, sizeof measured, "%Y-%m-%dT%H:%M:%SZ", &utc);
	cli_json_break_line(json);
	cli_json_open_object(json, "machine");
	cli_json_put_text(json, "host", machine.host);
	cli_json_put_text(json, "cpu", machine.cpu);
	cli_json_put_integer(json, "processors", processors_count(""));
	cli_json_put_text(json, "measured", measured);
	cli_json_close_object(json);
}

static void cli_compare_export_order(struct cli_json *json, const struct cli_trial *trial)
{
	size_t order[CLI_ORDER_SIDES];
	cli_json_break_line(json);
	cli_json_open_list(json, "order");
	for (size_t round = 0; round < trial->rounds; round++) {
		cli_trial_find_order(trial, round, order);
		cli_json_open_list(json, NULL);
		for (size_t i = 0; i < trial->sides; i++)
			cli_json_put_count(json, NULL, order[i]);
		cli_json_close_list(json);
	}
	cli_json_close_list(json);
}

enum export_column { EXPORT_WALL, EXPORT_USER, EXPORT_SYSTEM, EXPORT_STATUS, EXPORT_COLUMNS };

static void cli_compare_export_column(struct cli_json *json, const struct cli_trial *trial, size_t side,
                                      enum export_column column)
{
	static const char *const name[EXPORT_COLUMNS] = {"wall_ns", "user_ns", "system_ns", "status"};
	cli_json_break_line(json);
	cli_json_open_list(json, name[column]);
	for (size_t round = 0; round < trial->rounds; round++) {
		const struct cli_outcome *outcome = &trial->outcomes[round * trial->sides + side];
		const int64_t value[EXPORT_COLUMNS] = {outcome->wall_ns, outcome->user_ns, outcome->system_ns,
		                                       cli_launch_status(outcome)};
		cli_json_put_integer(json, NULL, value[column]);
	}
	cli_json_close_list(json);
}

static void cli_compare_export_result(struct cli_json *json, const struct cli_compare *compare, size_t side)
{
	static const char *const outputs[] = {"equal", "within_tolerance", "different"};
	const struct cli_compare_result *result = &compare->result[side];
	const struct cli_difference *difference = &compare->trial.side[side].difference;
	const struct cli_harvest *harvest = &compare->trial.side[side].harvest;
	char words[CLI_COMPARE_WORDS_BYTES];
	cli_compare_result_tell(result, words);
	cli_json_break_line(json);
	cli_json_put_number(json, "ratio", result->ratio);
	cli_json_put_number(json, "low", result->low);
	cli_json_put_number(json, "high", result->high);
	cli_json_put_number(json, "confidence", result->confidence);
	cli_json_put_text(json, "verdict", cli_compare_result_name(result->verdict));
	cli_json_put_text(json, "words", words);
	cli_json_break_line(json);
	cli_json_put_text(json, "output", outputs[difference->kind]);
	cli_json_put_number(json, "deviation", difference->deviation);
	cli_json_put_count(json, "calls", cli_harvest_count_calls(harvest));
	cli_json_put_count(json, "gpu_calls", cli_compare_decisions_count_gpu(harvest));
}

static void cli_compare_export_sides(struct cli_json *json, const struct cli_compare *compare)
{
	const struct cli_trial *trial = &compare->trial;
	cli_json_break_line(json);
	cli_json_open_list(json, "sides");
	for (size_t side = 0; side < trial->sides; side++) {
		cli_json_break_line(json);
		cli_json_open_object(json, NULL);
		cli_json_put_text(json, "name", trial->side[side].name);
		for (int column = 0; column < EXPORT_COLUMNS; column++)
			cli_compare_export_column(json, trial, side, (enum export_column)column);
		if (side != CLI_TRIAL_OFF)
			cli_compare_export_result(json, compare, side);
		cli_json_close_object(json);
	}
	cli_json_close_list(json);
}

static void cli_compare_export_best(struct cli_json *json, const struct cli_trial *trial)
{
	size_t quickest = 0, rival = 0;
	const int best = cli_compare_result_find_best(trial, &quickest, &rival);
	cli_json_break_line(json);
	if (best >= 0)
		cli_json_put_text(json, "best", trial->side[best].name);
	else
		cli_json_put_null(json, "best");
}

bool cli_compare_export_write(const struct cli_compare *compare)
{
	struct cli_store store;
	if (compare->export == NULL)
		return true;
	cli_store_begin(&store);
	struct cli_json json = {.file = store.file};
	cli_json_open_object(&json, NULL);
	cli_compare_export_settings(&json, compare);
	cli_compare_export_machine(&json);
	cli_compare_export_order(&json, &compare->trial);
	cli_compare_export_sides(&json, compare);
	cli_compare_export_best(&json, &compare->trial);
	cli_json_end(&json);
	const int error = cli_store_end(&store, compare->export, true);
	if (error != 0)
		cli_say("cannot write '%s': %s; the report above is all there is", compare->export,
		        cli_say_error(error));
	return error == 0;
}
