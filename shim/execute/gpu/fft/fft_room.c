/* fft_room.c - plans, device memory and copies on the host, all taken before a transform begins */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/fft/fft_room.h"

#include <stdatomic.h>

#include "shim/execute/gpu/engine/engine_rates.h"
#include "shim/execute/gpu/node/host_memory.h"

/* How often a batch is cut into smaller groups where device memory is short. */
enum { FFT_ROOM_ATTEMPTS = 8 };

/* Batches leave this part of the memory free: for plans and other calls. */
enum { FFT_ROOM_LEFT = 8 };

static _Atomic int64_t fft_room_group;

void fft_room_set_group(int64_t group)
{
	atomic_store(&fft_room_group, group);
}

/* -- device memory -- */

/* The plans of a job: of each kind of group the transform, then that of its planes. */
enum { FFT_ROOM_PLANS = 2 * FFT_JOB_KINDS };

static struct fft_plan **fft_room_find_plan(struct fft_job *job, int number)
{
	return number < FFT_JOB_KINDS ? &job->plan[number]
	                              : &job->planes_plan[number - FFT_JOB_KINDS];
}

void fft_room_give_plans(struct fft_job *job, bool usable)
{
	for (int i = 0; i < FFT_ROOM_PLANS; i++) {
		struct fft_plan **plan = fft_room_find_plan(job, i);
		if (*plan != NULL)
			fft_plans_give(*plan, usable);
		*plan = NULL;
	}
}

static enum reason fft_room_take_plans(struct lane *lane, struct fft_job *job)
{
	const bool rest = job->cut.count % job->group != 0;
	const void *key = job->call->plan_key;
	enum reason reason = REASON_NONE;
	for (int kind = FFT_JOB_FULL;
	     kind <= (rest ? FFT_JOB_REST : FFT_JOB_FULL) && reason == REASON_NONE; kind++) {
		const struct fft_planes *planes = &job->planes[kind];
		reason = fft_plans_take(lane, &job->map[kind].shape, key, &job->plan[kind]);
		if (reason == REASON_NONE && planes->points > 1)
			reason = fft_plans_take(lane, &planes->shape, key, &job->planes_plan[kind]);
	}
	return reason;
}

/* The plans run one after the other and share one work area. */
static uint64_t fft_room_count_work(struct fft_job *job)
{
	uint64_t most_bytes = 0;
	for (int i = 0; i < FFT_ROOM_PLANS; i++) {
		const struct fft_plan *plan = *fft_room_find_plan(job, i);
		if (plan != NULL && plan->work_bytes > most_bytes)
			most_bytes = plan->work_bytes;
	}
	return most_bytes;
}

static enum reason fft_room_prepare_plans(const struct lane *lane, struct fft_job *job, void *work)
{
	int status = CUFFT_FINE;
	for (int i = 0; i < FFT_ROOM_PLANS && status == CUFFT_FINE; i++) {
		const struct fft_plan *plan = *fft_room_find_plan(job, i);
		if (plan == NULL)
			continue;
		status = lane->api->fft_set_stream(plan->handle, lane->stream);
		if (status == CUFFT_FINE && plan->work_bytes > 0)
			status = lane->api->fft_set_work_area(plan->handle, work);
	}
	return status == CUFFT_FINE ? REASON_NONE : REASON_LIBRARY_FAILED;
}

/*
 * What a job is cut by. fixed: available_bytes is the call's share, and only a job that exceeds it
 * is cut again.
 */
struct fft_room {
	uint64_t available_bytes; /* when the call began */
	bool fixed;
	struct fft_batch batch;
	struct panel_rates rates;
};

static bool fft_room_exceeds(struct fft_job *job, const struct fft_room *room)
{
	return fft_job_arena_bytes(job) + fft_room_count_work(job) > room->available_bytes;
}

/*
 * One block for slots and work area. A batch is cut into smaller groups before memory that is kept
 * for other calls is reclaimed.
 */
static enum reason fft_room_take_memory(struct lane *lane, struct fft_job *job,
                                        const struct fft_room *room)
{
	const uint64_t slots_bytes = fft_job_arena_bytes(job),
		       work_bytes = fft_room_count_work(job);
	void *arena = NULL;
	if (job->cut.count > 1 && fft_room_exceeds(job, room))
		return REASON_DEVICE_MEMORY;
	const enum reason reason = lanes_take_memory(lane, slots_bytes + work_bytes, &arena);
	if (reason != REASON_NONE)
		return reason;
	job->arena = arena;
	return fft_room_prepare_plans(lane, job, job->arena + slots_bytes);
}

/* The work area's size is known only once the plan exists. */
static enum reason fft_room_try_group(struct lane *lane, struct fft_job *job,
                                      const struct fft_room *room, int64_t group)
{
	if (!fft_job_cut(job, group))
		return REASON_UNSUPPORTED_LAYOUT;
	if (fft_job_arena_bytes(job) > memory_limit(lane->device))
		return REASON_DEVICE_MEMORY;
	const enum reason reason = fft_room_take_plans(lane, job);
	return reason == REASON_NONE ? fft_room_take_memory(lane, job, room) : reason;
}

/* Within its share a group waits for the calls beside it, where other programs hold memory. */
static enum reason fft_room_try_patiently(struct lane *lane, struct fft_job *job,
                                          const struct fft_room *room, int64_t group)
{
	uint64_t given = UINT64_MAX;
	for (;;) {
		const enum reason reason = fft_room_try_group(lane, job, room, group);
		if (reason != REASON_DEVICE_MEMORY || !room->fixed || fft_room_exceeds(job, room))
			return reason;
		fft_room_give_plans(job, true);
		if (!lanes_wait_for_other(lane, &given))
			return reason;
	}
}

/* Where nothing seems to fit tries the smallest group: the pool may free something. */
static int64_t fft_room_choose_group(const struct fft_room *room)
{
	const struct fft_batch *batch = &room->batch;
	int64_t group = atomic_load(&fft_room_group);
	if (group == 0)
		group = fft_groups_choose(batch, &room->rates);
	if (group == 0)
		group = (batch->count - 1) / FFT_GROUPS_MAX + 1;
	return group < batch->count ? group : batch->count;
}

/* Corrects the estimate of cuFFT's work area, or else plans with half of the memory. */
static void fft_room_shrink_room(struct fft_job *job, struct fft_room *room)
{
	const uint64_t work_bytes = fft_room_count_work(job) / (uint64_t)job->group + 1;
	if (work_bytes > room->batch.work_bytes)
		room->batch.work_bytes = work_bytes;
	else
		room->rates.memory_bytes /= 2;
}

static enum reason fft_room_fit(struct lane *lane, struct fft_job *job, struct fft_room room)
{
	enum reason reason = REASON_DEVICE_MEMORY;
	bool again = true;
	room.rates.memory_bytes = room.available_bytes - room.available_bytes / FFT_ROOM_LEFT;
	for (int attempt = 0;
	     attempt < FFT_ROOM_ATTEMPTS && reason == REASON_DEVICE_MEMORY && again; attempt++) {
		const int64_t group = fft_room_choose_group(&room);
		if (attempt > 0 && group == job->group)
			break;
		reason = fft_room_try_patiently(lane, job, &room, group);
		again = !room.fixed || fft_room_exceeds(job, &room);
		if (reason == REASON_DEVICE_MEMORY)
			fft_room_shrink_room(job, &room);
		if (reason != REASON_NONE)
			fft_room_give_plans(job, true);
	}
	return reason;
}

/*
 * Takes plans and memory before anything is queued, so that a lack of them costs nothing. Where
 * nothing fits, memory that is kept for other calls is counted in too.
 */
enum reason fft_room_take_device(struct lane *lane, struct fft_job *job)
{
	const uint64_t obtainable_bytes = memory_obtainable(lane->device),
		       share_bytes = lanes_share_bytes(lane->device);
	struct fft_room room = {
		.available_bytes = share_bytes > 0 ? share_bytes : memory_available(lane->device),
		.fixed = share_bytes > 0,
		.batch = fft_job_batch(job),
		.rates = engine_rates_find(lane, job->call->problem->element),
	};
	const enum reason reason = fft_room_fit(lane, job, room);
	if (reason != REASON_DEVICE_MEMORY || room.fixed ||
	    obtainable_bytes <= room.available_bytes)
		return reason;
	room.available_bytes = obtainable_bytes;
	return fft_room_fit(lane, job, room);
}

static void fft_room_take_back(void *plan, bool usable, bool gone)
{
	(void)gone;
	fft_plans_give(plan, usable);
}

/* Should the thread leave the call, its plans are given back. */
void fft_room_lend_plans(struct lane *lane, struct fft_job *job)
{
	for (int i = 0; i < FFT_ROOM_PLANS; i++)
		if (*fft_room_find_plan(job, i) != NULL)
			lanes_note_loan(lane, fft_room_take_back, *fft_room_find_plan(job, i));
}

/* -- host memory -- */

/*
 * At most half of the free memory, since the program needs some; what the lane has already is not
 * counted.
 */
enum reason fft_room_take_copies(struct lane *lane, struct fft_job *job)
{
	const uint64_t input_bytes = fft_job_input_copy_bytes(job),
		       output_bytes = fft_job_output_copy_bytes(job);
	const uint64_t size_bytes = input_bytes + output_bytes;
	if (size_bytes == 0)
		return REASON_NONE;
	if (size_bytes > lane->staging_bytes && size_bytes > host_memory_available("") / 2)
		return REASON_HOST_MEMORY;
	char *copies = lanes_take_staging(lane, size_bytes);
	if (copies == NULL)
		return REASON_HOST_MEMORY;
	job->input_copy = input_bytes > 0 ? copies : NULL;
	job->output_copy = output_bytes > 0 ? copies + input_bytes : NULL;
	return REASON_NONE;
}
