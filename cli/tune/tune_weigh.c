/* tune_weigh.c - the time with settings that decide by a call alone, not by the calls before */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "cli/common/say.h"
#include "cli/tune/tune.h"

static uint64_t tune_weigh_count_calls(const struct recorded_cell *cell)
{
	return cell->calls[TARGET_CPU] + cell->calls[TARGET_GPU];
}

/* Calls that no setting moves keep their recorded time. */
static void tune_weigh_rest(struct tune_result *result)
{
	const struct recorded_sum *sum = result->sum;
	result->rest_ns = sum->bound.elapsed_ns + sum->blurred.elapsed_ns;
	result->rest_gpu_calls = sum->bound.gpu_calls + sum->blurred.gpu_calls;
	for (size_t i = 0; i < sum->cell_count; i++) {
		if (recorded_sum_knows(&sum->cells[i]))
			continue;
		result->rest_ns += sum->cells[i].elapsed_ns;
		result->rest_gpu_calls += sum->cells[i].calls[TARGET_GPU];
	}
}

static void tune_weigh_extremes(struct tune_result *result)
{
	const struct recorded_sum *sum = result->sum;
	double cpu_ns = result->rest_ns, gpu_ns = result->rest_ns;
	uint64_t gpu_calls = result->rest_gpu_calls;
	for (size_t i = 0; i < sum->cell_count; i++) {
		if (!recorded_sum_knows(&sum->cells[i]))
			continue;
		cpu_ns += recorded_sum_time(sum, &sum->cells[i], TARGET_CPU);
		gpu_ns += recorded_sum_time(sum, &sum->cells[i], TARGET_GPU);
		gpu_calls += tune_weigh_count_calls(&sum->cells[i]);
	}
	for (int i = 0; i < RECORDED_PROCESS_PLACES; i++)
		gpu_ns += sum->processes[i].all_bytes > 0 ? sum->machine->complete.start_ns : 0;
	result->row[TUNE_LOGGED] = (struct tune_row){true, sum->all.elapsed_ns, sum->all.gpu_calls};
	result->row[TUNE_CPU] = (struct tune_row){true, cpu_ns, result->rest_gpu_calls};
	result->row[TUNE_GPU] = (struct tune_row){true, gpu_ns, gpu_calls};
}

/* Whether a threshold decides on its calls. */
static bool tune_weigh_decides(const struct recorded_cell *cell)
{
	return cell->passes && recorded_sum_knows(cell);
}

static void tune_weigh_add(struct tune_weights *weights, const struct recorded_sum *sum,
                           const struct recorded_cell *cell)
{
	weights->items[weights->item_count++] =
		(struct tune_item){.size_bytes = cell->size_bytes,
	                           .calls = tune_weigh_count_calls(cell),
	                           .cpu_ns = recorded_sum_time(sum, cell, TARGET_CPU),
	                           .gpu_ns = recorded_sum_time(sum, cell, TARGET_GPU)};
}

static struct tune_weights tune_weigh_begin(const struct recorded_sum *sum)
{
	struct tune_weights weights = {.start_ns = sum->machine->complete.start_ns};
	weights.items = say_need(calloc(sum->cell_count + 1, sizeof *weights.items));
	weights.most_bytes = say_need(calloc(RECORDED_PROCESSES, sizeof *weights.most_bytes));
	return weights;
}

static uint64_t tune_weigh_largest(const struct recorded_process *process)
{
	uint64_t most_bytes = 0;
	for (int i = 0; i < FAMILY_COUNT * ELEMENT_COUNT; i++) {
		const uint64_t bytes = process->most_bytes[i / ELEMENT_COUNT][i % ELEMENT_COUNT];
		most_bytes = bytes > most_bytes ? bytes : most_bytes;
	}
	return most_bytes;
}

/* The best threshold for all routines together. */
static void tune_weigh_threshold(struct tune_result *result)
{
	const struct recorded_sum *sum = result->sum;
	struct tune_weights *weights = &result->weights;
	*weights = tune_weigh_begin(sum);
	double kept_ns = 0;
	for (size_t i = 0; i < sum->cell_count; i++)
		if (tune_weigh_decides(&sum->cells[i]))
			tune_weigh_add(weights, sum, &sum->cells[i]);
		/* work_threshold or k_threshold keep it there */
		else if (recorded_sum_knows(&sum->cells[i]))
			kept_ns += recorded_sum_time(sum, &sum->cells[i], TARGET_CPU);
	for (int i = 0; i < RECORDED_PROCESS_PLACES; i++)
		if (sum->processes[i].taken)
			weights->most_bytes[weights->process_count++] =
				tune_weigh_largest(&sum->processes[i]);
	result->rest_ns += kept_ns;
	tune_threshold_sort(weights);
	result->choice = tune_threshold_find(weights);
	result->row[TUNE_THRESHOLD] =
		(struct tune_row){true, result->rest_ns + result->choice.time_ns,
	                          result->rest_gpu_calls + result->choice.gpu_calls};
}

/* The best threshold of one routine, without CUDA's start, which routines share. */
static void tune_weigh_routine(struct tune_result *result, enum family family, enum element element)
{
	const struct recorded_sum *sum = result->sum;
	struct tune_weights weights = tune_weigh_begin(sum);
	struct tune_routine *routine = &result->routines[result->routine_count];
	*routine = (struct tune_routine){.family = family, .element = element};
	for (size_t i = 0; i < sum->cell_count; i++) {
		const struct recorded_cell *cell = &sum->cells[i];
		if (cell->problem.family != family || cell->problem.element != element ||
		    !tune_weigh_decides(cell))
			continue;
		tune_weigh_add(&weights, sum, cell);
		routine->calls += tune_weigh_count_calls(cell);
		routine->cpu_ns += recorded_sum_time(sum, cell, TARGET_CPU);
	}
	tune_threshold_sort(&weights);
	routine->choice = tune_threshold_find(&weights);
	result->routine_count += weights.item_count > 0;
	free(weights.items);
	free(weights.most_bytes);
}

/* Whether the thresholds of the routines send a call of the process. */
static bool tune_weigh_starts(const struct tune_result *result,
                              const struct recorded_process *process)
{
	for (int i = 0; i < result->routine_count; i++) {
		const struct tune_routine *routine = &result->routines[i];
		if (process->most_bytes[routine->family][routine->element] >=
		            routine->choice.least_bytes &&
		    routine->choice.gpu_calls > 0 &&
		    process->most_bytes[routine->family][routine->element] > 0)
			return true;
	}
	return false;
}

static void tune_weigh_routines(struct tune_result *result)
{
	const struct recorded_sum *sum = result->sum;
	struct tune_row row = {true, result->rest_ns, result->rest_gpu_calls};
	for (int i = 0; i < FAMILY_COUNT * ELEMENT_COUNT; i++)
		tune_weigh_routine(result, (enum family)(i / ELEMENT_COUNT),
		                   (enum element)(i % ELEMENT_COUNT));
	for (int i = 0; i < result->routine_count; i++) {
		row.time_ns += result->routines[i].choice.time_ns;
		row.gpu_calls += result->routines[i].choice.gpu_calls;
	}
	for (int i = 0; i < RECORDED_PROCESS_PLACES; i++)
		row.time_ns += tune_weigh_starts(result, &sum->processes[i])
		                       ? result->weights.start_ns
		                       : 0;
	/* Each routine alone may seem to pay although all together do not pay for CUDA's start. */
	row.tried = row.time_ns < result->row[TUNE_THRESHOLD].time_ns;
	result->row[TUNE_ROUTINES] = row;
}

void tune_weigh(struct tune_result *result)
{
	tune_weigh_rest(result);
	tune_weigh_extremes(result);
	tune_weigh_threshold(result);
	tune_weigh_routines(result);
}
