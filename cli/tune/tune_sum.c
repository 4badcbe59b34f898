/* tune_sum.c - measured and expected times of recorded calls, by shape, in limited memory */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/tune/tune_sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/say.h"
#include "policy/decide/rehearse.h"

enum { SUM_PLACES = 2 * TUNE_CELLS, SUM_OCTAVE_PARTS = 32, SUM_BITS = 64 };

/* A call smaller than this is recorded only where the log has calls of all sizes. */
static const uint64_t sum_small_bytes = 65536;

/* Plans of larger calls have very many steps, and the formula is accurate for them. */
static const uint64_t sum_planned_bytes = UINT64_C(8000000000);

struct tune_sum *tune_sum_make(const struct options *options, const struct known_machine *machine)
{
	struct tune_sum *sum = say_need(calloc(1, sizeof *sum));
	sum->cells = say_need(calloc(TUNE_CELLS, sizeof *sum->cells));
	sum->places = say_need(calloc(SUM_PLACES, sizeof *sum->places));
	sum->processes = say_need(calloc(TUNE_PROCESS_PLACES, sizeof *sum->processes));
	sum->options = options;
	sum->machine = machine;
	sum->least_bytes = UINT64_MAX;
	return sum;
}

void tune_sum_free(struct tune_sum *sum)
{
	free(sum->processes);
	free(sum->places);
	free(sum->cells);
	free(sum);
}

static uint64_t tune_sum_mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

/* The process of a record; NULL where TUNE_PROCESSES others were found before. */
static struct tune_process *tune_sum_find_process(struct tune_sum *sum, size_t file, int64_t pid)
{
	uint64_t at = tune_sum_mix(tune_sum_mix(0, file), (uint64_t)pid);
	for (;; at++) {
		struct tune_process *process = &sum->processes[at % TUNE_PROCESS_PLACES];
		if (process->taken && process->file == file && process->pid == pid)
			return process;
		if (process->taken)
			continue;
		if (sum->process_count == TUNE_PROCESSES) {
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

/* Reduces a call to the key of a shared cell: its routine and about its size. */
static void tune_sum_share(struct call_problem *problem, uint64_t *size_bytes)
{
	const struct call_problem whole = *problem;
	memset(problem, 0, sizeof *problem);
	problem->family = whole.family;
	problem->element = whole.element;
	*size_bytes = (uint64_t)(log2((double)*size_bytes + 1) * SUM_OCTAVE_PARTS);
}

static uint64_t tune_sum_hash(const struct call_problem *problem, uint64_t size_bytes, bool shared)
{
	uint64_t hash = tune_sum_mix((uint64_t)problem->family * ELEMENT_COUNT + problem->element,
	                             size_bytes);
	hash = tune_sum_mix(hash, (uint64_t)problem->count);
	hash = tune_sum_mix(hash, shared ? 2 : problem->in_place);
	for (int i = 0; i < problem->sizes; i++)
		hash = tune_sum_mix(hash, (uint64_t)problem->size[i]);
	return hash;
}

static bool tune_sum_is_alike(const struct tune_cell *cell, const struct call_problem *problem,
                              uint64_t size_bytes, bool shared)
{
	const struct call_problem *own = &cell->problem;
	uint64_t own_bytes = cell->size_bytes;
	struct call_problem about;
	if (cell->shared != shared || own->family != problem->family ||
	    own->element != problem->element)
		return false;
	if (shared) {
		about = *own;
		tune_sum_share(&about, &own_bytes);
		return own_bytes == size_bytes;
	}
	return own_bytes == size_bytes && own->count == problem->count &&
	       own->sizes == problem->sizes && own->in_place == problem->in_place &&
	       own->flags.side == problem->flags.side &&
	       memcmp(own->size, problem->size, sizeof own->size) == 0;
}

/* The place of the cell with this key, or the free place where it belongs. */
static uint32_t *tune_sum_find_place(const struct tune_sum *sum, const struct call_problem *problem,
                                     uint64_t size_bytes, bool shared)
{
	uint64_t at = tune_sum_hash(problem, size_bytes, shared);
	for (;; at++) {
		uint32_t *place = &sum->places[at % SUM_PLACES];
		if (*place == 0 ||
		    tune_sum_is_alike(&sum->cells[*place - 1], problem, size_bytes, shared))
			return place;
	}
}

static void tune_sum_ask_model(const struct tune_sum *sum, struct tune_cell *cell,
                               const struct call *call)
{
	const struct cost_setting setting = {.cpu_threads = sum->cpu_threads};
	struct cost cost;
	cost_predict(&sum->machine->complete, &setting, call, &cost);
	const double plan_ns = call->input_bytes + call->output_bytes <= sum_planned_bytes
	                               ? rehearse_call(&sum->machine->complete, call)
	                               : -1;
	const bool planned = plan_ns >= 0 && plan_ns < HUGE_VAL && cost.gpu.whole_ns > 0;
	cell->plan_factor =
		planned ? (sum->machine->complete.call_fixed_ns + plan_ns) / cost.gpu.whole_ns : 1;
	cell->model_ns[TARGET_CPU] = cost.cpu.whole_ns;
	cell->model_ns[TARGET_GPU] = cost.gpu.whole_ns;
	cell->model_flops = call->work_flops;
	cell->passes =
		tune_call_passes(call, sum->options->work_threshold, sum->options->k_threshold);
}

static struct tune_cell *tune_sum_find_cell(struct tune_sum *sum, const struct tune_view *view)
{
	struct call_problem about = view->problem;
	const struct call *call = &view->built.call;
	uint64_t size_bytes = call->size_bytes;
	uint32_t *place = tune_sum_find_place(sum, &about, size_bytes, false);
	const bool shared = *place == 0 && sum->cell_count >= TUNE_SHAPES;
	if (shared) {
		tune_sum_share(&about, &size_bytes);
		place = tune_sum_find_place(sum, &about, size_bytes, true);
	}
	if (*place != 0)
		return &sum->cells[*place - 1];
	if (sum->cell_count == TUNE_CELLS)
		return NULL;
	struct tune_cell *cell = &sum->cells[sum->cell_count];
	*place = (uint32_t)++sum->cell_count;
	cell->problem = view->problem;
	cell->size_bytes = call->size_bytes;
	cell->shared = shared;
	tune_sum_ask_model(sum, cell, call);
	return cell;
}

/*
 * Whether the call paid for CUDA's start or a cuFFT plan, which later calls do not pay; notes that
 * it did.
 */
static bool tune_sum_pays(struct tune_view *view)
{
	struct tune_process *process = view->process;
	const uint64_t bit = UINT64_C(1) << process->index % SUM_BITS;
	const bool pays = !process->saw_gpu || (family_is_fft(view->problem.family) &&
	                                        (view->cell->gpu_processes & bit) == 0);
	process->saw_gpu = true;
	view->cell->gpu_processes |= bit;
	return pays;
}

void tune_sum_view(struct tune_sum *sum, const struct log_record *record, struct tune_view *view)
{
	view->fate = tune_call_judge(record);
	view->cell = NULL;
	view->process = tune_sum_find_process(sum, record->file, record->pid);
	if (view->fate == TUNE_MOVABLE && !tune_call_read(record, &view->problem, &view->built))
		view->fate = TUNE_BLURRED;
	if (view->fate == TUNE_MOVABLE && view->process != NULL)
		view->cell = tune_sum_find_cell(sum, view);
	if (view->fate == TUNE_MOVABLE && view->cell == NULL)
		view->fate = TUNE_BLURRED;
	view->timed = view->cell != NULL && view->process != NULL &&
	              (record->target != TARGET_GPU || !tune_sum_pays(view));
}

void tune_sum_rewind(struct tune_sum *sum)
{
	for (int i = 0; i < TUNE_PROCESS_PLACES; i++)
		sum->processes[i].saw_gpu = false;
	for (size_t i = 0; i < sum->cell_count; i++)
		sum->cells[i].gpu_processes = 0;
}

static void tune_sum_count(struct tune_lot *lot, const struct log_record *record)
{
	lot->calls++;
	lot->gpu_calls += record->target == TARGET_GPU;
	lot->elapsed_ns += record->elapsed_ns > 0 ? (double)record->elapsed_ns : 0;
}

static uint64_t tune_sum_larger(uint64_t one, uint64_t other)
{
	return one > other ? one : other;
}

static void tune_sum_add_movable(struct tune_sum *sum, const struct log_record *record,
                                 const struct tune_view *view)
{
	struct tune_cell *cell = view->cell;
	struct tune_process *process = view->process;
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
	process->all_bytes = tune_sum_larger(process->all_bytes, size_bytes);
	if (cell->passes)
		*most_bytes = tune_sum_larger(*most_bytes, cell->size_bytes);
	if (size_bytes < sum->least_bytes)
		sum->least_bytes = size_bytes;
}

void tune_sum_add(struct tune_sum *sum, const struct log_record *record)
{
	struct tune_view view;
	tune_sum_view(sum, record, &view);
	tune_sum_count(&sum->all, record);
	if (view.fate == TUNE_MOVABLE)
		tune_sum_add_movable(sum, record, &view);
	else
		tune_sum_count(view.fate == TUNE_BOUND ? &sum->bound : &sum->blurred, record);
	sum->all_sizes = sum->all_sizes || record->reason == REASON_BELOW_THRESHOLD ||
	                 record->reason == REASON_POLICY_ALWAYS ||
	                 sum->least_bytes < sum_small_bytes;
}
