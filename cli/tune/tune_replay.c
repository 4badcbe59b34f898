/* tune_replay.c - decides recorded calls again in their order, with other options */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/tune/tune.h"

#include <stdlib.h>

#include "cli/common/say.h"
#include "policy/decide/replay.h"

/* A replayed process. end_ns: when its last call ended, by the log's clock; -1 before the first. */
struct replayed {
	int64_t end_ns;
	struct learn learn;
	struct replay replay;
	struct replay_plan *plans; /* one per cell */
};

/*
 * one: by the index of the process; NULL before its first call and after its file. file: the one in
 * reading. busy_ns: the time of calls that are not decided, and of processes that have ended.
 */
struct tune_replay {
	const struct tune_sum *sum;
	const struct options *options;
	uint64_t gpu_calls;
	double busy_ns;
	size_t file;
	struct replayed *one[TUNE_PROCESSES];
};

struct tune_replay *tune_replay_make(const struct tune_sum *sum, const struct options *options)
{
	struct tune_replay *replay = say_need(calloc(1, sizeof *replay));
	replay->sum = sum;
	replay->options = options;
	return replay;
}

/* Ends all processes: a process belongs to one file, and files follow each other. */
static void tune_replay_end_file(struct tune_replay *replay)
{
	for (int i = 0; i < TUNE_PROCESSES; i++) {
		struct replayed *one = replay->one[i];
		if (one == NULL)
			continue;
		replay->busy_ns += one->replay.busy_ns;
		replay->gpu_calls += one->replay.offloads;
		free(one->plans);
		free(one);
		replay->one[i] = NULL;
	}
}

void tune_replay_free(struct tune_replay *replay)
{
	tune_replay_end_file(replay);
	free(replay);
}

static struct replayed *tune_replay_begin(const struct tune_replay *replay)
{
	const struct tune_sum *sum = replay->sum;
	struct replayed *one = say_need(calloc(1, sizeof *one));
	one->plans = say_need(calloc(sum->cell_count + 1, sizeof *one->plans));
	one->end_ns = -1;
	one->replay = (struct replay){
		.options = replay->options,
		.experience = {.machine = &sum->machine->complete,
	                       .learn = replay->options->deterministic ? NULL : &one->learn,
	                       .source = sum->machine->source},
		.start_ns = sum->machine->complete.start_ns};
	one->replay.situation.setting.cpu_threads = sum->cpu_threads;
	one->replay.situation.start_is_free = replay->options->warmup == WARMUP_WAIT;
	replay_open_gates(&one->replay);
	return one;
}

static struct replayed *tune_replay_find(struct tune_replay *replay,
                                         const struct tune_process *process)
{
	struct replayed **one = &replay->one[process->index];
	if (process->file != replay->file)
		tune_replay_end_file(replay);
	replay->file = process->file;
	if (*one == NULL)
		*one = tune_replay_begin(replay);
	return *one;
}

/* The time between the last call and this one; 0 where calls overlap, or a record has no time. */
static double tune_replay_find_gap(struct replayed *one, const struct log_record *record)
{
	const int64_t gap_ns =
		record->time_ns >= 0 && one->end_ns >= 0 ? record->time_ns - one->end_ns : 0;
	if (record->time_ns >= 0 && record->time_ns <= INT64_MAX - record->elapsed_ns)
		one->end_ns = record->time_ns + record->elapsed_ns;
	return gap_ns > 0 ? (double)gap_ns : 0;
}

static void tune_replay_look(struct replay *replay)
{
	if (replay->experience.source == EXPERIENCE_ASSUMED)
		replay->experience.source = EXPERIENCE_LOOKED;
	replay_open_gates(replay);
}

static void tune_replay_decide(struct tune_replay *replay, struct replayed *one,
                               const struct log_record *record, const struct tune_view *view)
{
	struct replay_times times = {.cpu_ns = view->cell->time_ns[TARGET_CPU],
	                             .gpu_ns = view->cell->time_ns[TARGET_GPU],
	                             .plan_ns = replay->sum->machine->complete.fft_plan_ns};
	struct decision decision;
	if (view->timed)
		*(record->target == TARGET_GPU ? &times.gpu_ns : &times.cpu_ns) =
			(double)record->elapsed_ns;
	if (replay_advance(&one->replay, tune_replay_find_gap(one, record)))
		tune_replay_look(&one->replay);
	if (replay_decides(&one->replay, &view->built.call))
		replay_run(&one->replay, &view->built.call,
		           &one->plans[view->cell - replay->sum->cells], &times, &decision);
	else
		replay_pass(&one->replay, 0, times.cpu_ns);
}

void tune_replay_add(struct tune_replay *replay, const struct log_record *record,
                     const struct tune_view *view)
{
	if (!tune_sum_knows(view->cell)) {
		replay->busy_ns += record->elapsed_ns > 0 ? (double)record->elapsed_ns : 0;
		replay->gpu_calls += record->target == TARGET_GPU;
		return;
	}
	tune_replay_decide(replay, tune_replay_find(replay, view->process), record, view);
}

double tune_replay_time(struct tune_replay *replay, uint64_t *gpu_calls)
{
	tune_replay_end_file(replay);
	*gpu_calls = replay->gpu_calls;
	return replay->busy_ns;
}
