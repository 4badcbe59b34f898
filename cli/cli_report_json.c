/* cli_report_json.c - a log's sums as one line of JSON */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "cli/cli_json.h"
#include "cli/cli_report.h"
#include "cli/cli_report_advice.h"
#include "cli/cli_report_group.h"

static const char *const json_target[] = {"cpu", "gpu"};

static void cli_report_json_tally(struct cli_json *json, const char *key, const struct cli_log_tally *tally)
{
	cli_json_open_object(json, key);
	cli_json_put_count(json, "calls", tally->calls);
	cli_json_put_count(json, "timed", tally->timed);
	cli_json_put_count(json, "predicted", tally->predicted);
	cli_json_put_count(json, "regretted", tally->regretted);
	cli_json_put_sum(json, "elapsed_ns", tally->elapsed_ns);
	cli_json_put_sum(json, "bytes", tally->size_bytes);
	cli_json_put_sum(json, "flops", tally->work_flops);
	cli_json_put_sum(json, "predicted_cpu_ns", tally->predicted_cpu_ns);
	cli_json_put_sum(json, "predicted_gpu_ns", tally->predicted_gpu_ns);
	cli_json_put_sum(json, "measured_ns", tally->measured_ns);
	cli_json_put_sum(json, "regret_ns", tally->regret_ns);
	cli_json_close_object(json);
}

static void cli_report_json_sides(struct cli_json *json, const struct cli_log_sides *sides)
{
	cli_report_json_tally(json, "cpu", &sides->side[TARGET_CPU]);
	cli_report_json_tally(json, "gpu", &sides->side[TARGET_GPU]);
}

/* What found no row of its own, or the whole. */
static void cli_report_json_rest(struct cli_json *json, const char *key, const struct cli_log_sides *sides)
{
	cli_json_open_object(json, key);
	cli_report_json_sides(json, sides);
	cli_json_close_object(json);
}

static void cli_report_json_files(struct cli_json *json, const struct cli_log *log)
{
	cli_json_open_list(json, "files");
	for (size_t i = 0; i < cli_log_count_files(log); i++) {
		const struct cli_log_file *file = cli_log_file(log, i);
		cli_json_open_object(json, NULL);
		cli_json_put_text(json, "path", file->path);
		cli_json_put_count(json, "records", file->records);
		cli_json_put_count(json, "lines", file->lines);
		cli_json_put_count(json, "other_lines", file->other_lines);
		cli_json_put_flag(json, "readable", file->trouble == CLI_LOG_FINE);
		cli_json_put_flag(json, "cut", file->cut);
		cli_json_put_flag(json, "grows", file->grows);
		cli_json_close_object(json);
	}
	cli_json_close_list(json);
}

static void cli_report_json_cells(struct cli_json *json, const struct cli_log_sum *sum)
{
	char name[CLI_REPORT_NAME_BYTES];
	cli_json_open_list(json, "cells");
	for (size_t i = 0; i < sum->cell_count; i++) {
		const struct cli_log_cell *cell = &sum->cells[i];
		cli_report_group_name_routine(cell->family, cell->element, name);
		cli_json_open_object(json, NULL);
		cli_json_put_text(json, "routine", name);
		cli_json_put_integer(json, "least_bytes", cli_log_sum_bucket_bytes(cell->bucket));
		cli_json_put_text(json, "reason", cli_report_group_name_reason(cell->reason));
		cli_report_json_tally(json, json_target[cell->target], &cell->tally);
		cli_json_close_object(json);
	}
	cli_json_close_list(json);
	cli_report_json_rest(json, "other_cells", &sum->other_cells);
}

static void cli_report_json_symbols(struct cli_json *json, const struct cli_log_sum *sum)
{
	cli_json_open_list(json, "symbols");
	for (int i = 0; i <= SYMBOL_COUNT; i++) {
		if (cli_report_group_both(&sum->symbols[i]).calls == 0)
			continue;
		cli_json_open_object(json, NULL);
		cli_json_put_text(json, "symbol", i < SYMBOL_COUNT ? symbol_table[i].name : "unknown");
		cli_report_json_sides(json, &sum->symbols[i]);
		cli_json_close_object(json);
	}
	cli_json_close_list(json);
}

static void cli_report_json_objects(struct cli_json *json, const struct cli_log_sum *sum)
{
	cli_json_open_list(json, "objects");
	for (size_t i = 0; i < sum->object_count; i++) {
		cli_json_open_object(json, NULL);
		cli_json_put_text(json, "object", sum->objects[i].name);
		cli_report_json_sides(json, &sum->objects[i].sides);
		cli_json_close_object(json);
	}
	cli_json_close_list(json);
	cli_report_json_rest(json, "other_objects", &sum->other_objects);
}

static void cli_report_json_processes(struct cli_json *json, const struct cli_log_sum *sum)
{
	cli_json_open_list(json, "processes");
	for (size_t i = 0; i < sum->process_count; i++) {
		const struct cli_log_process *process = &sum->processes[i];
		cli_json_open_object(json, NULL);
		cli_json_put_count(json, "file", process->file);
		cli_json_put_integer(json, "pid", process->pid);
		cli_json_put_integer(json, "first_ns", process->first_ns);
		cli_json_put_integer(json, "last_ns", process->last_ns);
		cli_report_json_sides(json, &process->sides);
		cli_json_close_object(json);
	}
	cli_json_close_list(json);
	cli_report_json_rest(json, "other_processes", &sum->other_processes);
}

/* A moment: calls and time on the CPU, calls and time on the GPU. */
static void cli_report_json_timeline(struct cli_json *json, const struct cli_log_sum *sum)
{
	cli_json_open_object(json, "timeline");
	cli_json_put_integer(json, "begin_ns", sum->moments_begin_ns);
	cli_json_put_integer(json, "moment_ns", sum->moment_ns);
	cli_json_open_list(json, "moments");
	for (size_t i = 0; i < sum->moment_count; i++) {
		cli_json_open_list(json, NULL);
		for (int target = TARGET_CPU; target <= TARGET_GPU; target++) {
			cli_json_put_count(json, NULL, sum->moments[i].calls[target]);
			cli_json_put_sum(json, NULL, sum->moments[i].elapsed_ns[target]);
		}
		cli_json_close_list(json);
	}
	cli_json_close_list(json);
	cli_json_close_object(json);
}

static void cli_report_json_model(struct cli_json *json, const struct cli_log_sum *sum)
{
	cli_json_open_object(json, "measured_by_expected");
	for (int target = TARGET_CPU; target <= TARGET_GPU; target++) {
		const struct cli_log_spread *spread = &sum->spread[target];
		cli_json_open_object(json, json_target[target]);
		cli_json_put_count(json, "calls", spread->count);
		cli_json_put_number(json, "tenth", cli_log_spread_find(spread, 0.1));
		cli_json_put_number(json, "median", cli_log_spread_find(spread, 0.5));
		cli_json_put_number(json, "nine_tenths", cli_log_spread_find(spread, 0.9));
		cli_json_close_object(json);
	}
	cli_json_close_object(json);
}

void cli_report_print_json(const struct cli_log *log, const struct cli_log_sum *sum)
{
	struct cli_json json = {.file = stdout};
	char advice[CLI_REPORT_ADVICE_BYTES];
	cli_report_advice_find(sum, advice);
	cli_json_open_object(&json, NULL);
	cli_report_json_files(&json, log);
	cli_json_put_integer(&json, "first_ns", sum->first_ns);
	cli_json_put_integer(&json, "last_ns", sum->last_ns);
	cli_report_json_rest(&json, "total", &sum->total);
	cli_report_json_cells(&json, sum);
	cli_report_json_symbols(&json, sum);
	cli_report_json_objects(&json, sum);
	cli_report_json_processes(&json, sum);
	cli_report_json_timeline(&json, sum);
	cli_report_json_model(&json, sum);
	cli_json_put_text(&json, "first_thing_to_change", advice);
	cli_json_end(&json);
}
