/* recorded_sum.c - measured and expected times of recorded calls, by shape, in limited memory */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/recorded/recorded_sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/say.h"
#include "policy/decide/rehearse.h"

enum { SUM_PLACES = 2 * RECORDED_CELLS, SUM_OCTAVE_PARTS = 32, SUM_BITS = 64 };

/* A call smaller than this is recorded only where the log has calls of all sizes. */
static const uint64_t sum_small_bytes = 65536;

struct recorded_sum *recorded_sum_make(const struct options *options,
                                       const struct known_machine *machine)
{
	struct recorded_sum *sum = say_need(calloc(1, sizeof *sum));
	sum->cells = say_need(calloc(RECORDED_CELLS, sizeof *sum->cells));
	sum->places = say_need(calloc(SUM_PLACES, sizeof *sum->places));
	sum->processes = say_need(calloc(RECORDED_PROCESS_PLACES, sizeof *sum->processes));
	sum->options = options;
	sum->machine = machine;
	sum->least_bytes = UINT64_MAX;
	return sum;
}

void recorded_sum_free(struct recorded_sum *sum)
{
	free(sum->processes);
	free(sum->places);
	free(sum->cells);
	free(sum);
}

static uint64_t recorded_sum_mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

/* The process of a record; NULL where RECORDED_PROCESSES others were found before. */
static struct recorded_process *recorded_sum_find_process(struct recorded_sum *sum, size_t file,
                                                          int64_t pid)
{
	uint64_t at = recorded_sum_mix(recorded_sum_mix(0, file), (uint64_t)pid);
	for (;; at++) {
		struct recorded_process *process = &sum->processes[at % RECORDED_PROCESS_PLACES];
		if (process->taken && process->file == file && process->pid == pid)
			return process;
		if (process->taken)
			continue;
		if (sum->process_count == RECORDED_PROCESSES) {
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
static void recorded_sum_share(struct call_problem *problem, uint64_t *size_bytes)
{
	const struct call_problem whole = *problem;
	memset(problem, 0, sizeof *problem);
	problem->family = whole.family;
	problem->element = whole.element;
	*size_bytes = (uint64_t)(log2((double)*size_bytes + 1) * SUM_OCTAVE_PARTS);
}

struct sum_key {
	struct call_problem problem;
	uint64_t size_bytes;
	bool shared, held[OPERAND_COUNT];
};

static uint64_t recorded_sum_hash(const struct sum_key *key)
{
	const struct call_problem *problem = &key->problem;
	uint64_t hash = recorded_sum_mix(
		(uint64_t)problem->family * ELEMENT_COUNT + problem->element, key->size_bytes);
	hash = recorded_sum_mix(hash, (uint64_t)problem->count);
	hash = recorded_sum_mix(hash, key->shared ? 2 : problem->in_place);
	for (int name = 0; name < OPERAND_COUNT; name++)
		hash = recorded_sum_mix(hash, key->held[name]);
	for (int i = 0; i < problem->sizes; i++)
		hash = recorded_sum_mix(hash, (uint64_t)problem->size[i]);
	return hash;
}

static bool recorded_sum_is_alike(const struct recorded_cell *cell, const struct sum_key *key)
{
	const struct call_problem *own = &cell->problem, *problem = &key->problem;
	uint64_t own_bytes = cell->size_bytes;
	struct call_problem about;
	if (cell->shared != key->shared || own->family != problem->family ||
	    own->element != problem->element ||
	    memcmp(cell->held, key->held, sizeof key->held) != 0)
		return false;
	if (key->shared) {
		about = *own;
		recorded_sum_share(&about, &own_bytes);
		return own_bytes == key->size_bytes;
	}
	return own_bytes == key->size_bytes && own->count == problem->count &&
	       own->sizes == problem->sizes && own->in_place == problem->in_place &&
	       own->flags.side == problem->flags.side &&
	       memcmp(own->jobs, problem->jobs, sizeof own->jobs) == 0 &&
	       memcmp(own->size, problem->size, sizeof own->size) == 0;
}

/* The place of the cell with this key, or the free place where it belongs. */
static uint32_t *recorded_sum_find_place(const struct recorded_sum *sum, const struct sum_key *key)
{
	uint64_t at = recorded_sum_hash(key);
	for (;; at++) {
		uint32_t *place = &sum->places[at % SUM_PLACES];
		if (*place == 0 || recorded_sum_is_alike(&sum->cells[*place - 1], key))
			return place;
	}
}

static double recorded_sum_memory(const struct recorded_sum *sum)
{
	return (double)options_find_memory(sum->options);
}

static void recorded_sum_ask_model(const struct recorded_sum *sum, struct recorded_cell *cell,
                                   const struct call *call)
{
	const struct cost_setting setting = {.cpu_threads = sum->cpu_threads,
	                                     .memory_bytes = recorded_sum_memory(sum)};
	const bool is_held = cell->held[OPERAND_A] || cell->held[OPERAND_B];
	struct cost cost;
	cost_predict(&sum->machine->complete, &setting, call, &cost);
	const double formula_ns = cost.gpu.whole_ns;
	cell->plan_factor = formula_ns > 0 && !is_held
	                            ? rehearse_expect(&sum->machine->complete, call,
	                                              setting.memory_bytes, formula_ns) /
	                                      formula_ns
	                            : 1;
	cell->passes =
		recorded_call_passes(call, sum->options->work_threshold, sum->options->k_threshold);
}

static uint32_t recorded_sum_find_number(struct recorded_sum *sum, const struct recorded_view *view,
                                         const bool held[OPERAND_COUNT])
{
	const struct call *call = &view->built.call;
	struct sum_key key = {.problem = view->problem, .size_bytes = call->size_bytes};
	memcpy(key.held, held, sizeof key.held);
	uint32_t *place = recorded_sum_find_place(sum, &key);
	if (*place == 0 && sum->cell_count >= RECORDED_SHAPES) {
		key.shared = true;
		recorded_sum_share(&key.problem, &key.size_bytes);
		place = recorded_sum_find_place(sum, &key);
	}
	if (*place != 0 || sum->cell_count == RECORDED_CELLS)
		return *place;
	struct recorded_cell *cell = &sum->cells[sum->cell_count];
	*place = (uint32_t)++sum->cell_count;
	cell->problem = view->problem;
	cell->size_bytes = call->size_bytes;
	cell->shared = key.shared;
	memcpy(cell->held, held, sizeof cell->held);
	recorded_sum_ask_model(sum, cell, call);
	return *place;
}

/* Beside a cell of calls with held operands there is one of those without, for the CPU's time. */
static struct recorded_cell *recorded_sum_find_cell(struct recorded_sum *sum,
                                                    const struct recorded_view *view)
{
	static const bool none[OPERAND_COUNT];
	const uint32_t number = recorded_sum_find_number(sum, view, view->held);
	struct recorded_cell *cell = number != 0 ? &sum->cells[number - 1] : NULL;
	if (cell != NULL && cell->plain == 0 && memcmp(view->held, none, sizeof none) != 0)
		cell->plain = recorded_sum_find_number(sum, view, none);
	return cell;
}

/* Where the expected times of a record come from. */
enum sum_source {
	SUM_OF_MODEL,
	SUM_OF_LOG, /* of the shim's formula, on the machine that wrote the log */
	SUM_OF_DRY  /* of the plan, on this machine */
};

static enum sum_source recorded_sum_find_source(const struct recorded_sum *sum,
                                                const struct log_record *record)
{
	const struct words machine = record->dry_machine;
	if (sum->by_model || record->predicted_cpu_ns < 0 || record->predicted_gpu_ns < 0)
		return SUM_OF_MODEL;
	if (machine.length == 0 || (machine.length == 1 && machine.text[0] == '-'))
		return sum->machine->is_asked ? SUM_OF_MODEL : SUM_OF_LOG;
	return words_equal(machine, words_of(sum->machine->profile.name)) ? SUM_OF_DRY
	                                                                  : SUM_OF_MODEL;
}

/*
 * The expected times of one call. The shim's formula for the GPU is replaced by the plan, which
 * there is time to compute here.
 */
static void recorded_sum_expect(const struct recorded_sum *sum, const struct log_record *record,
                                struct recorded_view *view)
{
	struct cost_setting setting = {.cpu_threads = sum->cpu_threads,
	                               .memory_bytes = recorded_sum_memory(sum)};
	const enum sum_source source = recorded_sum_find_source(sum, record);
	struct cost cost;
	view->hinted = source != SUM_OF_MODEL;
	view->model_ns[TARGET_CPU] = (double)record->predicted_cpu_ns;
	view->model_ns[TARGET_GPU] = (double)record->predicted_gpu_ns;
	memcpy(setting.held, view->held, sizeof setting.held);
	if (source == SUM_OF_MODEL) {
		cost_predict(&sum->machine->complete, &setting, &view->built.call, &cost);
		view->model_ns[TARGET_CPU] = cost.cpu.whole_ns;
		view->model_ns[TARGET_GPU] = cost.gpu.whole_ns;
	}
	if (source != SUM_OF_DRY && view->model_ns[TARGET_GPU] >= 0)
		view->model_ns[TARGET_GPU] *= view->cell->plan_factor;
}

/*
 * Whether the call paid for CUDA's start, a cuFFT plan or cuSOLVER's start, which later calls do
 * not pay; notes that it did.
 */
static bool recorded_sum_pays(struct recorded_view *view)
{
	struct recorded_process *process = view->process;
	const uint64_t bit = UINT64_C(1) << process->index % SUM_BITS;
	const bool solves = family_is_lapack(view->problem.family);
	const bool pays =
		!process->saw_gpu || (solves && !process->saw_solver) ||
		(family_is_fft(view->problem.family) && (view->cell->gpu_processes & bit) == 0);
	process->saw_gpu = true;
	process->saw_solver = process->saw_solver || solves;
	view->cell->gpu_processes |= bit;
	return pays;
}

void recorded_sum_view(struct recorded_sum *sum, const struct log_record *record,
                       struct recorded_view *view)
{
	view->fate = recorded_call_judge(record);
	view->cell = NULL;
	view->hinted = false;
	memset(view->held, 0, sizeof view->held);
	view->model_ns[TARGET_CPU] = view->model_ns[TARGET_GPU] = -1;
	view->process = recorded_sum_find_process(sum, record->file, record->pid);
	if (view->fate == RECORDED_MOVABLE &&
	    !recorded_call_read(record, &view->problem, &view->built))
		view->fate = RECORDED_BLURRED;
	if (view->fate == RECORDED_MOVABLE)
		recorded_call_find_held(record, &view->built.call, view->held);
	if (view->fate == RECORDED_MOVABLE && view->process != NULL)
		view->cell = recorded_sum_find_cell(sum, view);
	if (view->fate == RECORDED_MOVABLE && view->cell == NULL)
		view->fate = RECORDED_BLURRED;
	if (view->fate == RECORDED_MOVABLE)
		recorded_sum_expect(sum, record, view);
	view->timed = view->cell != NULL && view->process != NULL &&
	              (record->target != TARGET_GPU || !recorded_sum_pays(view));
}

void recorded_sum_rewind(struct recorded_sum *sum)
{
	for (int i = 0; i < RECORDED_PROCESS_PLACES; i++)
		sum->processes[i].saw_gpu = sum->processes[i].saw_solver = false;
	for (size_t i = 0; i < sum->cell_count; i++)
		sum->cells[i].gpu_processes = 0;
}

static void recorded_sum_count(struct recorded_lot *lot, const struct log_record *record)
{
	lot->calls++;
	lot->gpu_calls += record->target == TARGET_GPU;
	lot->elapsed_ns += record->elapsed_ns > 0 ? (double)record->elapsed_ns : 0;
}

static uint64_t recorded_sum_larger(uint64_t one, uint64_t other)
{
	return one > other ? one : other;
}

static void recorded_sum_add_movable(struct recorded_sum *sum, const struct log_record *record,
                                     const struct recorded_view *view)
{
	struct recorded_cell *cell = view->cell;
	struct recorded_process *process = view->process;
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
	cell->hints += view->model_ns[TARGET_CPU] >= 0 && view->model_ns[TARGET_GPU] >= 0;
	cell->hint_ns[TARGET_CPU] += view->model_ns[TARGET_CPU];
	cell->hint_ns[TARGET_GPU] += view->model_ns[TARGET_GPU];
	sum->reckoned += !view->hinted;
	process->all_bytes = recorded_sum_larger(process->all_bytes, size_bytes);
	if (cell->passes)
		*most_bytes = recorded_sum_larger(*most_bytes, cell->size_bytes);
	if (size_bytes < sum->least_bytes)
		sum->least_bytes = size_bytes;
}

void recorded_sum_add(struct recorded_sum *sum, const struct log_record *record)
{
	struct recorded_view view;
	if (record->nested) /* its time is part of another record's */
		return;
	recorded_sum_view(sum, record, &view);
	recorded_sum_count(&sum->all, record);
	if (view.fate == RECORDED_MOVABLE)
		recorded_sum_add_movable(sum, record, &view);
	else
		recorded_sum_count(view.fate == RECORDED_BOUND ? &sum->bound : &sum->blurred,
		                   record);
	sum->all_sizes = sum->all_sizes || record->reason == REASON_BELOW_THRESHOLD ||
	                 record->reason == REASON_POLICY_ALWAYS ||
	                 sum->least_bytes < sum_small_bytes;
}
