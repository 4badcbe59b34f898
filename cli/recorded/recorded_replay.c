/* recorded_replay.c - replays each process of the logs by policy/decide/predict.c */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/recorded/recorded_replay.h"

#include <stdlib.h>

#include "cli/common/say.h"

/*
 * one: by the index of the process; NULL before its first call and after its file. file: the one in
 * reading. busy_ns, gpu_calls, totals: of processes that have ended.
 */
struct recorded_replay {
	const struct recorded_sum *sum;
	const struct options *options;
	uint64_t gpu_calls;
	double busy_ns;
	struct predict_totals totals;
	size_t file;
	struct predict *one[RECORDED_PROCESSES];
};

struct recorded_replay *recorded_replay_make(const struct recorded_sum *sum,
                                             const struct options *options)
{
	struct recorded_replay *replay = say_need(calloc(1, sizeof *replay));
	replay->sum = sum;
	replay->options = options;
	return replay;
}

/* Ends all processes: a process belongs to one file, and files follow each other. */
static void recorded_replay_end_file(struct recorded_replay *replay)
{
	for (int i = 0; i < RECORDED_PROCESSES; i++) {
		struct predict *one = replay->one[i];
		if (one == NULL)
			continue;
		replay->busy_ns += one->busy_ns;
		replay->gpu_calls += one->gpu_calls;
		predict_add_totals(&replay->totals, &one->totals);
		free(one);
		replay->one[i] = NULL;
	}
}

void recorded_replay_free(struct recorded_replay *replay)
{
	recorded_replay_end_file(replay);
	free(replay);
}

static struct predict *recorded_replay_find(struct recorded_replay *replay,
                                            const struct recorded_process *process)
{
	struct predict **one = &replay->one[process->index];
	if (process->file != replay->file)
		recorded_replay_end_file(replay);
	replay->file = process->file;
	if (*one == NULL) {
		const struct known_machine *machine = replay->sum->machine;
		*one = say_need(malloc(sizeof **one));
		predict_begin(*one, replay->options, &machine->complete, machine->source);
	}
	return *one;
}

/* A call of a process for which there was no room. */
static void recorded_replay_leave(struct recorded_replay *replay, const struct log_record *record)
{
	const double elapsed_ns = record->elapsed_ns > 0 ? (double)record->elapsed_ns : 0;
	const bool gpu = record->target == TARGET_GPU;
	const struct predict_totals one = {
		.calls = 1, .gpu_calls = gpu, .cpu_ns = elapsed_ns, .auto_ns = elapsed_ns};
	replay->busy_ns += elapsed_ns;
	replay->gpu_calls += gpu;
	predict_add_totals(&replay->totals, &one);
}

struct decision recorded_replay_add(struct recorded_replay *replay, const struct log_record *record,
                                    const struct recorded_view *view)
{
	struct predict_call call = {.call = &view->built.call,
	                            .model_ns = {view->model_ns[0], view->model_ns[1]},
	                            .begin_ns = record->time_ns,
	                            .elapsed_ns = record->elapsed_ns,
	                            .side = record->target,
	                            .stays = !recorded_sum_knows(view->cell)};
	if (view->process == NULL) {
		recorded_replay_leave(replay, record);
		return (struct decision){.target = record->target, .reason = REASON_NONE};
	}
	for (int side = 0; side < RECORDED_SIDES && !call.stays; side++)
		call.time_ns[side] = recorded_sum_find_time(view, record, (enum target)side);
	return predict_add(recorded_replay_find(replay, view->process), &call);
}

double recorded_replay_time(struct recorded_replay *replay, uint64_t *gpu_calls)
{
	recorded_replay_end_file(replay);
	*gpu_calls = replay->gpu_calls;
	return replay->busy_ns;
}

struct predict_totals recorded_replay_get_totals(const struct recorded_replay *replay)
{
	return replay->totals;
}
