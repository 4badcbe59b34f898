/* cli_tune_weigh.c - what settings that look at a call alone would have taken */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "cli/cli_say.h"
#include "cli/cli_tune.h"

static uint64_t cli_tune_count_calls(const struct cli_tune_cell *cell)
{
	return cell->calls[TARGET_CPU] + cell->calls[TARGET_GPU];
}

/* What no setting moves takes what it took. */
static void cli_tune_weigh_rest(struct cli_tune_result *result)
{
	const struct cli_tune_sum *sum = result->sum;
	result->rest_ns = sum->bound.elapsed_ns + sum->blurred.elapsed_ns;
	result->rest_gpu_calls = sum->bound.gpu_calls + sum->blurred.gpu_calls;
	for (size_t i = 0; i < sum->cell_count; i++) {
		if (cli_tune_sum_knows(&sum->cells[i]))
			continue;
		result->rest_ns += sum->cells[i].elapsed_ns;
		result->rest_gpu_calls += sum->cells[i].calls[TARGET_GPU];
	}
}

static void cli_tune_weigh_extremes(struct cli_tune_result *result)
{
	const struct cli_tune_sum *sum = result->sum;
	double cpu_ns = result->rest_ns, gpu_ns = result->rest_ns;
	uint64_t gpu_calls = result->rest_gpu_calls;
	for (size_t i = 0; i < sum->cell_count; i++) {
		if (!cli_tune_sum_knows(&sum->cells[i]))
			continue;
		cpu_ns += cli_tune_sum_time(sum, &sum->cells[i], TARGET_CPU);
		gpu_ns += cli_tune_sum_time(sum, &sum->cells[i], TARGET_GPU);
		gpu_calls += cli_tune_count_calls(&sum->cells[i]);
	}
	for (int i = 0; i < CLI_TUNE_PROCESS_PLACES; i++)
		gpu_ns += sum->processes[i].all_bytes > 0 ? sum->machine->complete.start_ns : 0;
	result->row[CLI_TUNE_LOGGED] = (struct cli_tune_row){true, sum->all.elapsed_ns, sum->all.gpu_calls};
	result->row[CLI_TUNE_CPU] = (struct cli_tune_row){true, cpu_ns, result->rest_gpu_calls};
	result->row[CLI_TUNE_GPU] = (struct cli_tune_row){true, gpu_ns, gpu_calls};
}

/* Whether a threshold decides on its calls. */
static bool cli_tune_weigh_decides(const struct cli_tune_cell *cell)
{
	return cell->passes && cli_tune_sum_knows(cell);
}

static void cli_tune_weigh_add(struct cli_tune_weights *weights, const struct cli_tune_sum *sum,
                               const struct cli_tune_cell *cell)
{
	weights->items[weights->item_count++] =
		(struct cli_tune_item){.size_bytes = cell->size_bytes,
	                               .calls = cli_tune_count_calls(cell),
	                               .cpu_ns = cli_tune_sum_time(sum, cell, TARGET_CPU),
	                               .gpu_ns = cli_tune_sum_time(sum, cell, TARGET_GPU)};
}

static struct cli_tune_weights cli_tune_weigh_begin(const struct cli_tune_sum *sum)
{
	struct cli_tune_weights weights = {.start_ns = sum->machine->complete.start_ns};
	weights.items = cli_say_need(calloc(sum->cell_count + 1, sizeof *weights.items));
	weights.most_bytes = cli_say_need(calloc(CLI_TUNE_PROCESSES, sizeof *weights.most_bytes));
	return weights;
}

static uint64_t cli_tune_weigh_largest(const struct cli_tune_process *process)
{
	uint64_t most_bytes = 0;
	for (int i = 0; i < FAMILY_COUNT * ELEMENT_COUNT; i++) {
		const uint64_t bytes = process->most_bytes[i / ELEMENT_COUNT][i % ELEMENT_COUNT];
		most_bytes = bytes > most_bytes ? bytes : most_bytes;
	}
	return most_bytes;
}

/* One threshold for all routines. */
static void cli_tune_weigh_threshold(struct cli_tune_result *result)
{
	const struct cli_tune_sum *sum = result->sum;
	struct cli_tune_weights *weights = &result->weights;
	*weights = cli_tune_weigh_begin(sum);
	double kept_ns = 0;
	for (size_t i = 0; i < sum->cell_count; i++)
		if (cli_tune_weigh_decides(&sum->cells[i]))
			cli_tune_weigh_add(weights, sum, &sum->cells[i]);
		else if (cli_tune_sum_knows(&sum->cells[i])) /* other options keep it there */
			kept_ns += cli_tune_sum_time(sum, &sum->cells[i], TARGET_CPU);
	for (int i = 0; i < CLI_TUNE_PROCESS_PLACES; i++)
		if (sum->processes[i].taken)
			weights->most_bytes[weights->process_count++] = cli_tune_weigh_largest(&sum->processes[i]);
	result->rest_ns += kept_ns;
	cli_tune_threshold_sort(weights);
	result->choice = cli_tune_threshold_find(weights);
	result->row[CLI_TUNE_THRESHOLD] = (struct cli_tune_row){true, result->rest_ns + result->choice.time_ns,
	                                                        result->rest_gpu_calls + result->choice.gpu_calls};
}

/* A routine alone, the start of CUDA left aside: all of them share it. */
static void cli_tune_weigh_routine(struct cli_tune_result *result, enum family family, enum element element)
{
	const struct cli_tune_sum *sum = result->sum;
	struct cli_tune_weights weights = cli_tune_weigh_begin(sum);
	struct cli_tune_routine *routine = &result->routines[result->routine_count];
	*routine = (struct cli_tune_routine){.family = family, .element = element};
	for (size_t i = 0; i < sum->cell_count; i++) {
		const struct cli_tune_cell *cell = &sum->cells[i];
		if (cell->problem.family != family || cell->problem.element != element || !cli_tune_weigh_decides(cell))
			continue;
		cli_tune_weigh_add(&weights, sum, cell);
		routine->calls += cli_tune_count_calls(cell);
		routine->cpu_ns += cli_tune_sum_time(sum, cell, TARGET_CPU);
	}
	cli_tune_threshold_sort(&weights);
	routine->choice = cli_tune_threshold_find(&weights);
	result->routine_count += weights.item_count > 0;
	free(weights.items);
	free(weights.most_bytes);
}

/* Whether it has a call that one of the routines' thresholds sends. */
static bool cli_tune_weigh_starts(const struct cli_tune_result *result, const struct cli_tune_process *process)
{
	for (int i = 0; i < result->routine_count; i++) {
		const struct cli_tune_routine *routine = &result->routines[i];
		if (process->most_bytes[routine->family][routine->element] >= routine->choice.least_bytes &&
		    routine->choice.gpu_calls > 0 && process->most_bytes[routine->family][routine->element] > 0)
			return true;
	}
	return false;
}

static void cli_tune_weigh_routines(struct cli_tune_result *result)
{
	const struct cli_tune_sum *sum = result->sum;
	struct cli_tune_row row = {true, result->rest_ns, result->rest_gpu_calls};
	for (int i = 0; i < FAMILY_COUNT * ELEMENT_COUNT; i++)
		cli_tune_weigh_routine(result, (enum family)(i / ELEMENT_COUNT), (enum element)(i % ELEMENT_COUNT));
	for (int i = 0; i < result->routine_count; i++) {
		row.time_ns += result->routines[i].choice.time_ns;
		row.gpu_calls += result->routines[i].choice.gpu_calls;
	}
	for (int i = 0; i < CLI_TUNE_PROCESS_PLACES; i++)
		row.time_ns += cli_tune_weigh_starts(result, &sum->processes[i]) ? result->weights.start_ns : 0;
	/* Each for itself they may start CUDA for less than it costs: then they are no proposal. */
	row.tried = row.time_ns < result->row[CLI_TUNE_THRESHOLD].time_ns;
	result->row[CLI_TUNE_ROUTINES] = row;
}

void cli_tune_weigh(struct cli_tune_result *result)
{
	cli_tune_weigh_rest(result);
	cli_tune_weigh_extremes(result);
	cli_tune_weigh_threshold(result);
	cli_tune_weigh_routines(result);
}
