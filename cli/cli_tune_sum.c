/* cli_tune_sum.c - what recorded calls took and were expected to take, by shape, in bounded memory */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli_tune_sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli_say.h"
#include "policy/rehearse.h"

enum { SUM_PLACES = 2 * CLI_TUNE_CELLS, SUM_OCTAVE_PARTS = 32, SUM_BITS = 64 };

/* A recorded call below this shows that none was left out by its size. */
static const uint64_t sum_small_bytes = 65536;

/* Plans of larger calls have steps without end, and the formula is right about them. */
static const uint64_t sum_planned_bytes = UINT64_C(8000000000);

struct cli_tune_sum *cli_tune_sum_make(const struct options *options, const struct cli_explain_machine *machine)
{
	struct cli_tune_sum *sum = cli_say_need(calloc(1, sizeof *sum));
	sum->cells = cli_say_need(calloc(CLI_TUNE_CELLS, sizeof *sum->cells));
	sum->places = cli_say_need(calloc(SUM_PLACES, sizeof *sum->places));
	sum->processes = cli_say_need(calloc(CLI_TUNE_PROCESS_PLACES, sizeof *sum->processes));
	sum->options = options;
	sum->machine = machine;
	sum->least_bytes = UINT64_MAX;
	return sum;
}

void cli_tune_sum_free(struct cli_tune_sum *sum)
{
	free(sum->processes);
	free(sum->places);
	free(sum->cells);
	free(sum);
}

static uint64_t cli_tune_sum_mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

/* One more than there are processes that are counted stand for all others. */
static struct cli_tune_process *cli_tune_sum_find_process(struct cli_tune_sum *sum, size_t file, int64_t pid)
{
	uint64_t at = cli_tune_sum_mix(cli_tune_sum_mix(0, file), (uint64_t)pid);
	for (;; at++) {
		struct cli_tune_process *process = &sum->processes[at % CLI_TUNE_PROCESS_PLACES];
		if (process->taken && process->file == file && process->pid == pid)
			return process;
		if (process->taken)
			continue;
		if (sum->process_count == CLI_TUNE_PROCESSES) {
			sum->more_processes = true;
			return NULL;
		}
		process->taken = true;
		process->file = file;
		process->pid = pid;
		process->index = (int64_t)sum->process_count++;
		return process;
	}
}

/* What calls have in common that share a cell: of one shape, or of about one size. */
static void cli_tune_sum_share(struct cli_explain_problem *problem, uint64_t *size_bytes)
{
	const struct cli_explain_problem whole = *problem;
	memset(problem, 0, sizeof *problem);
	problem->family = whole.family;
	problem->element = whole.element;
	*size_bytes = (uint64_t)(log2((double)*size_bytes + 1) * SUM_OCTAVE_PARTS);
}

static uint64_t cli_tune_sum_hash(const struct cli_explain_problem *problem, uint64_t size_bytes, bool shared)
{
	uint64_t hash = cli_tune_sum_mix((uint64_t)problem->family * ELEMENT_COUNT + problem->element, size_bytes);
	hash = cli_tune_sum_mix(hash, (uint64_t)problem->count);
	hash = cli_tune_sum_mix(hash, shared ? 2 : problem->in_place);
	for (int i = 0; i < problem->sizes; i++)
		hash = cli_tune_sum_mix(hash, (uint64_t)problem->size[i]);
	return hash;
}

static bool cli_tune_sum_is_alike(const struct cli_tune_cell *cell, const struct cli_explain_problem *problem,
                                  uint64_t size_bytes, bool shared)
{
	const struct cli_explain_problem *own = &cell->problem;
	uint64_t own_bytes = cell->size_bytes;
	struct cli_explain_problem about;
	if (cell->shared != shared || own->family != problem->family || own->element != problem->element)
		return false;
	if (shared) {
		about = *own;
		cli_tune_sum_share(&about, &own_bytes);
		return own_bytes == size_bytes;
	}
	return own_bytes == size_bytes && own->count == problem->count && own->sizes == problem->sizes &&
	       own->in_place == problem->in_place && own->flags.side == problem->flags.side &&
	       memcmp(own->size, problem->size, sizeof own->size) == 0;
}

/* The place of such a cell, or the free one where it would stand. */
static uint32_t *cli_tune_sum_find_place(const struct cli_tune_sum *sum, const struct cli_explain_problem *problem,
                                         uint64_t size_bytes, bool shared)
{
	uint64_t at = cli_tune_sum_hash(problem, size_bytes, shared);
	for (;; at++) {
		uint32_t *place = &sum->places[at % SUM_PLACES];
		if (*place == 0 || cli_tune_sum_is_alike(&sum->cells[*place - 1], problem, size_bytes, shared))
			return place;
	}
}

static void cli_tune_sum_ask_model(const struct cli_tune_sum *sum, struct cli_tune_cell *cell, const struct call *call)
{
	const struct cost_setting setting = {.cpu_threads = sum->cpu_threads};
	struct cost cost;
	cost_predict(&sum->machine->complete, &setting, call, &cost);
	const double plan_ns = call->input_bytes + call->output_bytes <= sum_planned_bytes
	                               ? rehearse_call(&sum->machine->complete, call)
	                               : -1;
	const bool planned = plan_ns >= 0 && plan_ns < HUGE_VAL && cost.gpu.whole_ns > 0;
	cell->plan_factor = planned ? (sum->machine->complete.call_fixed_ns + plan_ns) / cost.gpu.whole_ns : 1;
	cell->model_ns[TARGET_CPU] = cost.cpu.whole_ns;
	cell->model_ns[TARGET_GPU] = cost.gpu.whole_ns;
	cell->model_flops = call->work_flops;
	cell->passes = cli_tune_call_passes(call, sum->options->work_threshold, sum->options->k_threshold);
}

static struct cli_tune_cell *cli_tune_sum_find_cell(struct cli_tune_sum *sum, const struct cli_tune_view *view)
{
	struct cli_explain_problem about = view->problem;
	const struct call *call = &view->built.call;
	uint64_t size_bytes = call->size_bytes;
	uint32_t *place = cli_tune_sum_find_place(sum, &about, size_bytes, false);
	const bool shared = *place == 0 && sum->cell_count >= CLI_TUNE_SHAPES;
	if (shared) {
		cli_tune_sum_share(&about, &size_bytes);
		place = cli_tune_sum_find_place(sum, &about, size_bytes, true);
	}
	if (*place != 0)
		return &sum->cells[*place - 1];
	if (sum->cell_count == CLI_TUNE_CELLS)
		return NULL;
	struct cli_tune_cell *cell = &sum->cells[sum->cell_count];
	*place = (uint32_t)++sum->cell_count;
	cell->problem = view->problem;
	cell->size_bytes = call->size_bytes;
	cell->shared = shared;
	cli_tune_sum_ask_model(sum, cell, call);
	return cell;
}

/* Whether such a call paid for something that the next one will not pay for; remembers that it did. */
static bool cli_tune_sum_pays(struct cli_tune_view *view)
{
	struct cli_tune_process *process = view->process;
	const uint64_t bit = UINT64_C(1) << process->index % SUM_BITS;
	const bool pays =
		!process->saw_gpu || (family_is_fft(view->problem.family) && (view->cell->gpu_processes & bit) == 0);
	process->saw_gpu = true;
	view->cell->gpu_processes |= bit;
	return pays;
}

void cli_tune_sum_view(struct cli_tune_sum *sum, const struct cli_log_record *record, struct cli_tune_view *view)
{
	view->fate = cli_tune_call_judge(record);
	view->cell = NULL;
	view->process = cli_tune_sum_find_process(sum, record->file, record->pid);
	if (view->fate == CLI_TUNE_MOVABLE && !cli_tune_call_read(record, &view->problem, &view->built))
		view->fate = CLI_TUNE_BLURRED;
	if (view->fate == CLI_TUNE_MOVABLE && view->process != NULL)
		view->cell = cli_tune_sum_find_cell(sum, view);
	if (view->fate == CLI_TUNE_MOVABLE && view->cell == NULL)
		view->fate = CLI_TUNE_BLURRED;
	view->timed = view->cell != NULL && view->process != NULL &&
	              (record->target != TARGET_GPU || !cli_tune_sum_pays(view));
}

void cli_tune_sum_rewind(struct cli_tune_sum *sum)
{
	for (int i = 0; i < CLI_TUNE_PROCESS_PLACES; i++)
		sum->processes[i].saw_gpu = false;
	for (size_t i = 0; i < sum->cell_count; i++)
		sum->cells[i].gpu_processes = 0;
}

static void cli_tune_sum_count(struct cli_tune_lot *lot, const struct cli_log_record *record)
{
	lot->calls++;
	lot->gpu_calls += record->target == TARGET_GPU;
	lot->elapsed_ns += record->elapsed_ns > 0 ? (double)record->elapsed_ns : 0;
}

static uint64_t cli_tune_sum_larger(uint64_t one, uint64_t other)
{
	return one > other ? one : other;
}

static void cli_tune_sum_add_movable(struct cli_tune_sum *sum, const struct cli_log_record *record,
                                     const struct cli_tune_view *view)
{
	struct cli_tune_cell *cell = view->cell;
	struct cli_tune_process *process = view->process;
	const uint64_t size_bytes = view->built.call.size_bytes;
	uint64_t *most_bytes = &process->most_bytes[view->problem.family][view->problem.element];
	cell->calls[record->target]++;
	cell->elapsed_ns += (double)record->elapsed_ns;
	cell->work_flops += view->built.call.work_flops;
	cell->processes |= UINT64_C(1) << process->index % SUM_BITS;
	if (view->timed) {
		cell->timed[record->target]++;
		cell->timed_ns[record->target] += (double)record->elapsed_ns;
	}
	if (record->predicted_cpu_ns >= 0 && record->predicted_gpu_ns >= 0) {
		cell->hints++;
		cell->hint_ns[TARGET_CPU] += (double)record->predicted_cpu_ns;
		cell->hint_ns[TARGET_GPU] += (double)record->predicted_gpu_ns;
	} else {
		sum->reckoned++;
	}
	process->all_bytes = cli_tune_sum_larger(process->all_bytes, size_bytes);
	if (cell->passes)
		*most_bytes = cli_tune_sum_larger(*most_bytes, cell->size_bytes);
	if (size_bytes < sum->least_bytes)
		sum->least_bytes = size_bytes;
}

void cli_tune_sum_add(struct cli_tune_sum *sum, const struct cli_log_record *record)
{
	struct cli_tune_view view;
	cli_tune_sum_view(sum, record, &view);
	cli_tune_sum_count(&sum->all, record);
	if (view.fate == CLI_TUNE_MOVABLE)
		cli_tune_sum_add_movable(sum, record, &view);
	else
		cli_tune_sum_count(view.fate == CLI_TUNE_BOUND ? &sum->bound : &sum->blurred, record);
	sum->all_sizes = sum->all_sizes || record->reason == REASON_BELOW_THRESHOLD ||
	                 record->reason == REASON_POLICY_ALWAYS || sum->least_bytes < sum_small_bytes;
}
