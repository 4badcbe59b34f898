/* cli_report_json.c - a log's sums as one line of JSON */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "cli/cli_explain_json.h"
#include "cli/cli_report.h"
#include "cli/cli_report_advice.h"
#include "cli/cli_report_group.h"

static const char *const json_target[] = {"cpu", "gpu"};

static void cli_report_json_count(const char *key, uint64_t count)
{
	printf("\"%s\":%llu", key, (unsigned long long)count);
}

static void cli_report_json_integer(const char *key, int64_t value)
{
	printf("\"%s\":%lld", key, (long long)value);
}

static void cli_report_json_tally(const char *key, const struct cli_log_tally *tally)
{
	const struct {
		const char *key;
		double value;
	} reals[] = {{"elapsed_ns", tally->elapsed_ns},
	             {"bytes", tally->size_bytes},
	             {"flops", tally->work_flops},
	             {"predicted_cpu_ns", tally->predicted_cpu_ns},
	             {"predicted_gpu_ns", tally->predicted_gpu_ns},
	             {"measured_ns", tally->measured_ns},
	             {"regret_ns", tally->regret_ns}};
	printf("\"%s\":{\"calls\":%llu,\"timed\":%llu,\"predicted\":%llu,\"regretted\":%llu", key,
	       (unsigned long long)tally->calls, (unsigned long long)tally->timed, (unsigned long long)tally->predicted,
	       (unsigned long long)tally->regretted);
	for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++)
		printf(",\"%s\":%.15g", reals[i].key, reals[i].value);
	printf("}");
}

static void cli_report_json_sides(const struct cli_log_sides *sides)
{
	cli_report_json_tally("cpu", &sides->side[TARGET_CPU]);
	putchar(',');
	cli_report_json_tally("gpu", &sides->side[TARGET_GPU]);
}

static void cli_report_json_files(const struct cli_log *log)
{
	printf("\"files\":[");
	for (size_t i = 0; i < cli_log_count_files(log); i++) {
		const struct cli_log_file *file = cli_log_file(log, i);
		printf("%s{", i > 0 ? "," : "");
		cli_explain_json_text("path", file->path);
		putchar(',');
		cli_report_json_count("records", file->records);
		putchar(',');
		cli_report_json_count("lines", file->lines);
		putchar(',');
		cli_report_json_count("other_lines", file->other_lines);
		printf(",\"readable\":%s,\"cut\":%s,\"grows\":%s}", file->trouble == CLI_LOG_FINE ? "true" : "false",
		       file->cut ? "true" : "false", file->grows ? "true" : "false");
	}
	printf("]");
}

static void cli_report_json_routine(int family, int element)
{
	char name[CLI_REPORT_NAME_BYTES];
	cli_report_group_name_routine(family, element, name);
	cli_explain_json_text("routine", name);
}

static void cli_report_json_cells(const struct cli_log_sum *sum)
{
	printf(",\"cells\":[");
	for (size_t i = 0; i < sum->cell_count; i++) {
		const struct cli_log_cell *cell = &sum->cells[i];
		printf("%s{", i > 0 ? "," : "");
		cli_report_json_routine(cell->family, cell->element);
		putchar(',');
		cli_report_json_integer("least_bytes", cli_log_sum_bucket_bytes(cell->bucket));
		putchar(',');
		cli_explain_json_text("reason", cli_report_group_name_reason(cell->reason));
		putchar(',');
		cli_report_json_tally(json_target[cell->target], &cell->tally);
		printf("}");
	}
	printf("],\"other_cells\":{");
	cli_report_json_sides(&sum->other_cells);
	printf("}");
}

static void cli_report_json_symbols(const struct cli_log_sum *sum)
{
	const char *comma = "";
	printf(",\"symbols\":[");
	for (int i = 0; i <= SYMBOL_COUNT; i++) {
		if (cli_report_group_both(&sum->symbols[i]).calls == 0)
			continue;
		printf("%s{", comma);
		cli_explain_json_text("symbol", i < SYMBOL_COUNT ? symbol_table[i].name : "unknown");
		putchar(',');
		cli_report_json_sides(&sum->symbols[i]);
		printf("}");
		comma = ",";
	}
	printf("]");
}

static void cli_report_json_objects(const struct cli_log_sum *sum)
{
	printf(",\"objects\":[");
	for (size_t i = 0; i < sum->object_count; i++) {
		printf("%s{", i > 0 ? "," : "");
		cli_explain_json_text("object", sum->objects[i].name);
		putchar(',');
		cli_report_json_sides(&sum->objects[i].sides);
		printf("}");
	}
	printf("],\"other_objects\":{");
	cli_report_json_sides(&sum->other_objects);
	printf("}");
}

static void cli_report_json_processes(const struct cli_log_sum *sum)
{
	printf(",\"processes\":[");
	for (size_t i = 0; i < sum->process_count; i++) {
		const struct cli_log_process *process = &sum->processes[i];
		printf("%s{", i > 0 ? "," : "");
		cli_report_json_count("file", process->file);
		putchar(',');
		cli_report_json_integer("pid", process->pid);
		putchar(',');
		cli_report_json_integer("first_ns", process->first_ns);
		putchar(',');
		cli_report_json_integer("last_ns", process->last_ns);
		putchar(',');
		cli_report_json_sides(&process->sides);
		printf("}");
	}
	printf("],\"other_processes\":{");
	cli_report_json_sides(&sum->other_processes);
	printf("}");
}

/* A moment: calls and time on the CPU, calls and time on the GPU. */
static void cli_report_json_timeline(const struct cli_log_sum *sum)
{
	printf(",\"timeline\":{");
	cli_report_json_integer("begin_ns", sum->moments_begin_ns);
	putchar(',');
	cli_report_json_integer("moment_ns", sum->moment_ns);
	printf(",\"moments\":[");
	for (size_t i = 0; i < sum->moment_count; i++) {
		const struct cli_log_moment *moment = &sum->moments[i];
		printf("%s[%llu,%.15g,%llu,%.15g]", i > 0 ? "," : "", (unsigned long long)moment->calls[TARGET_CPU],
		       moment->elapsed_ns[TARGET_CPU], (unsigned long long)moment->calls[TARGET_GPU],
		       moment->elapsed_ns[TARGET_GPU]);
	}
	printf("]}");
}

static void cli_report_json_model(const struct cli_log_sum *sum)
{
	printf(",\"measured_by_expected\":{");
	for (int target = 0; target < 2; target++) {
		const struct cli_log_spread *spread = &sum->spread[target];
		printf("%s\"%s\":{", target > 0 ? "," : "", json_target[target]);
		cli_report_json_count("calls", spread->count);
		putchar(',');
		cli_explain_json_number("tenth", cli_log_spread_find(spread, 0.1));
		putchar(',');
		cli_explain_json_number("median", cli_log_spread_find(spread, 0.5));
		putchar(',');
		cli_explain_json_number("nine_tenths", cli_log_spread_find(spread, 0.9));
		printf("}");
	}
	printf("}");
}

void cli_report_print_json(const struct cli_log *log, const struct cli_log_sum *sum)
{
	char advice[CLI_REPORT_ADVICE_BYTES];
	cli_report_advice_find(sum, advice);
	printf("{");
	cli_report_json_files(log);
	putchar(',');
	cli_report_json_integer("first_ns", sum->first_ns);
	putchar(',');
	cli_report_json_integer("last_ns", sum->last_ns);
	printf(",\"total\":{");
	cli_report_json_sides(&sum->total);
	printf("}");
	cli_report_json_cells(sum);
	cli_report_json_symbols(sum);
	cli_report_json_objects(sum);
	cli_report_json_processes(sum);
	cli_report_json_timeline(sum);
	cli_report_json_model(sum);
	putchar(',');
	cli_explain_json_text("first_thing_to_change", advice);
	printf("}\n");
}
