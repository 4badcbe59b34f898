/* report_json.c - what only the JSON of a report has: the tables that the text sums up */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/report.h"
#include "cli/report/report_group.h"
#include "cli/report/report_head.h"
#include "cli/report/report_ranks.h"

static const char *const json_target[] = {"cpu", "gpu"};

static void report_json_tally(struct json *json, const char *key, const struct log_tally *tally)
{
	json_open_object(json, key);
	json_put_count(json, "calls", tally->calls);
	json_put_count(json, "timed", tally->timed);
	json_put_count(json, "predicted", tally->predicted);
	json_put_count(json, "regretted", tally->regretted);
	json_put_sum(json, "elapsed_ns", tally->elapsed_ns);
	json_put_sum(json, "bytes", tally->size_bytes);
	json_put_sum(json, "flops", tally->work_flops);
	json_put_sum(json, "predicted_cpu_ns", tally->predicted_cpu_ns);
	json_put_sum(json, "predicted_gpu_ns", tally->predicted_gpu_ns);
	json_put_sum(json, "measured_ns", tally->measured_ns);
	json_put_sum(json, "regret_ns", tally->regret_ns);
	if (tally->verified > 0) {
		json_put_count(json, "verified", tally->verified);
		json_put_count(json, "disagreed", tally->disagreed);
		json_put_number(json, "verify_worst", tally->verify_worst);
	}
	if (tally->nested > 0)
		json_put_count(json, "nested", tally->nested);
	if (tally->workspace_bytes > 0)
		json_put_sum(json, "workspace_bytes", tally->workspace_bytes);
	if (tally->sent_bytes > 0 || tally->kept_bytes > 0) {
		json_put_sum(json, "sent_bytes", tally->sent_bytes);
		json_put_sum(json, "kept_bytes", tally->kept_bytes);
	}
	json_close_object(json);
}

static void report_json_sides(struct json *json, const struct log_sides *sides)
{
	report_json_tally(json, "cpu", &sides->side[TARGET_CPU]);
	report_json_tally(json, "gpu", &sides->side[TARGET_GPU]);
}

/* An object with both sides: a total, or what found a table full. */
static void report_json_rest(struct json *json, const char *key, const struct log_sides *sides)
{
	json_open_object(json, key);
	report_json_sides(json, sides);
	json_close_object(json);
}

static void report_json_files(struct json *json, const struct log *log)
{
	json_open_list(json, "files");
	for (size_t i = 0; i < log_count_files(log); i++) {
		const struct log_file *file = log_file(log, i);
		json_open_object(json, NULL);
		json_put_text(json, "path", file->path);
		json_put_count(json, "records", file->records);
		json_put_count(json, "lines", file->lines);
		json_put_count(json, "other_lines", file->other_lines);
		json_put_flag(json, "readable", file->trouble == LOG_FINE);
		json_put_flag(json, "cut", file->cut);
		json_put_flag(json, "grows", file->grows);
		json_close_object(json);
	}
	json_close_list(json);
}

static void report_json_cells(struct json *json, const struct log_sum *sum)
{
	char name[REPORT_NAME_BYTES];
	json_open_list(json, "cells");
	for (size_t i = 0; i < sum->cell_count; i++) {
		const struct log_cell *cell = &sum->cells[i];
		report_group_name_routine(cell->family, cell->element, name);
		json_open_object(json, NULL);
		json_put_text(json, "routine", name);
		json_put_integer(json, "least_bytes", log_sum_bucket_bytes(cell->bucket));
		json_put_text(json, "reason", report_group_name_reason(cell->reason));
		report_json_tally(json, json_target[cell->target], &cell->tally);
		json_close_object(json);
	}
	json_close_list(json);
	report_json_rest(json, "other_cells", &sum->other_cells);
}

static void report_json_symbols(struct json *json, const struct log_sum *sum)
{
	json_open_list(json, "symbols");
	for (int i = 0; i <= SYMBOL_COUNT; i++) {
		if (report_group_both(&sum->symbols[i]).calls == 0)
			continue;
		json_open_object(json, NULL);
		json_put_text(json, "symbol", i < SYMBOL_COUNT ? symbol_table[i].name : "unknown");
		report_json_sides(json, &sum->symbols[i]);
		json_close_object(json);
	}
	json_close_list(json);
}

static void report_json_objects(struct json *json, const struct log_sum *sum)
{
	json_open_list(json, "objects");
	for (size_t i = 0; i < sum->object_count; i++) {
		json_open_object(json, NULL);
		json_put_text(json, "object", sum->objects[i].name);
		report_json_sides(json, &sum->objects[i].sides);
		json_close_object(json);
	}
	json_close_list(json);
	report_json_rest(json, "other_objects", &sum->other_objects);
}

static void report_json_processes(struct json *json, const struct log_sum *sum)
{
	json_open_list(json, "processes");
	for (size_t i = 0; i < sum->process_count; i++) {
		const struct log_process *process = &sum->processes[i];
		json_open_object(json, NULL);
		json_put_count(json, "file", process->file);
		json_put_integer(json, "pid", process->pid);
		json_put_integer(json, "first_ns", process->first_ns);
		json_put_integer(json, "last_ns", process->last_ns);
		report_json_sides(json, &process->sides);
		json_close_object(json);
	}
	json_close_list(json);
	report_json_rest(json, "other_processes", &sum->other_processes);
}

/* A moment is a list: calls and time on the CPU, calls and time on the GPU. */
static void report_json_timeline(struct json *json, const struct log_sum *sum)
{
	json_open_object(json, "timeline");
	json_put_integer(json, "begin_ns", sum->timeline.begin_ns);
	json_put_integer(json, "moment_ns", sum->timeline.moment_ns);
	json_open_list(json, "moments");
	for (size_t i = 0; i < sum->timeline.count; i++) {
		json_open_list(json, NULL);
		for (int target = TARGET_CPU; target <= TARGET_GPU; target++) {
			json_put_count(json, NULL, sum->timeline.moments[i].calls[target]);
			json_put_sum(json, NULL, sum->timeline.moments[i].elapsed_ns[target]);
		}
		json_close_list(json);
	}
	json_close_list(json);
	json_close_object(json);
}

void report_json_put(struct json *json, const struct log *log, const struct log_sum *sum)
{
	report_json_files(json, log);
	report_head_put_json(json, sum);
	json_put_integer(json, "first_ns", sum->first_ns);
	json_put_integer(json, "last_ns", sum->last_ns);
	report_json_rest(json, "total", &sum->total);
	report_json_cells(json, sum);
	report_json_symbols(json, sum);
	report_json_objects(json, sum);
	report_json_processes(json, sum);
	report_ranks_put_json(json, sum);
	report_json_timeline(json, sum);
}
