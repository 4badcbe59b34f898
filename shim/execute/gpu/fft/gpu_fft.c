/* gpu_fft.c - runs FFTW transforms by cuFFT: plans, memory, the flow, the input's restoration */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/fft/gpu_fft.h"

#include <stdatomic.h>

#include "policy/call/fft_extent.h"
#include "shim/base/observe.h"
#include "shim/execute/gpu/device/gpu_place.h"
#include "shim/execute/gpu/device/lane_owner.h"
#include "shim/execute/gpu/device/pinned.h"
#include "shim/execute/gpu/device/placement.h"
#include "shim/execute/gpu/engine/engine_rates.h"
#include "shim/execute/gpu/fft/fft_job.h"
#include "shim/execute/gpu/fft/fft_mirrors.h"
#include "shim/execute/gpu/node/host_memory.h"

/* How often a batch is cut into smaller groups where device memory is short. */
enum { GPU_FFT_ATTEMPTS = 8 };

/* Batches leave this part of the memory free: for plans and other calls. */
enum { GPU_FFT_LEFT = 8 };

static _Atomic int64_t gpu_fft_group;

void gpu_fft_set_group(int64_t group)
{
	atomic_store(&gpu_fft_group, group);
}

/* -- device memory -- */

/* The plans of a job: of each kind of group the transform, then that of its planes. */
enum { GPU_FFT_PLANS = 2 * FFT_JOB_KINDS };

static struct fft_plan **gpu_fft_find_plan(struct fft_job *job, int number)
{
	return number < FFT_JOB_KINDS ? &job->plan[number]
	                              : &job->planes_plan[number - FFT_JOB_KINDS];
}

static void gpu_fft_give_plans(struct fft_job *job, bool usable)
{
	for (int i = 0; i < GPU_FFT_PLANS; i++) {
		struct fft_plan **plan = gpu_fft_find_plan(job, i);
		if (*plan != NULL)
			fft_plans_give(*plan, usable);
		*plan = NULL;
	}
}

static enum reason gpu_fft_take_plans(struct lane *lane, struct fft_job *job)
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
static uint64_t gpu_fft_count_work(struct fft_job *job)
{
	uint64_t most_bytes = 0;
	for (int i = 0; i < GPU_FFT_PLANS; i++) {
		const struct fft_plan *plan = *gpu_fft_find_plan(job, i);
		if (plan != NULL && plan->work_bytes > most_bytes)
			most_bytes = plan->work_bytes;
	}
	return most_bytes;
}

static enum reason gpu_fft_prepare_plans(const struct lane *lane, struct fft_job *job, void *work)
{
	int status = CUFFT_FINE;
	for (int i = 0; i < GPU_FFT_PLANS && status == CUFFT_FINE; i++) {
		const struct fft_plan *plan = *gpu_fft_find_plan(job, i);
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
struct gpu_fft_room {
	uint64_t available_bytes; /* when the call began */
	bool fixed;
	struct fft_batch batch;
	struct panel_rates rates;
};

static bool gpu_fft_exceeds(struct fft_job *job, const struct gpu_fft_room *room)
{
	return fft_job_arena_bytes(job) + gpu_fft_count_work(job) > room->available_bytes;
}

/*
 * One block for slots and work area. A batch is cut into smaller groups before memory that is kept
 * for other calls is reclaimed.
 */
static enum reason gpu_fft_take_memory(struct lane *lane, struct fft_job *job,
                                       const struct gpu_fft_room *room)
{
	const uint64_t slots_bytes = fft_job_arena_bytes(job), work_bytes = gpu_fft_count_work(job);
	void *arena = NULL;
	if (job->cut.count > 1 && gpu_fft_exceeds(job, room))
		return REASON_DEVICE_MEMORY;
	const enum reason reason = lanes_take_memory(lane, slots_bytes + work_bytes, &arena);
	if (reason != REASON_NONE)
		return reason;
	job->arena = arena;
	return gpu_fft_prepare_plans(lane, job, job->arena + slots_bytes);
}

/* The work area's size is known only once the plan exists. */
static enum reason gpu_fft_try_group(struct lane *lane, struct fft_job *job,
                                     const struct gpu_fft_room *room, int64_t group)
{
	if (!fft_job_cut(job, group))
		return REASON_UNSUPPORTED_LAYOUT;
	if (fft_job_arena_bytes(job) > memory_limit(lane->device))
		return REASON_DEVICE_MEMORY;
	const enum reason reason = gpu_fft_take_plans(lane, job);
	return reason == REASON_NONE ? gpu_fft_take_memory(lane, job, room) : reason;
}

/* Within its share a group waits for the calls beside it, where other programs hold memory. */
static enum reason gpu_fft_try_patiently(struct lane *lane, struct fft_job *job,
                                         const struct gpu_fft_room *room, int64_t group)
{
	uint64_t given = UINT64_MAX;
	for (;;) {
		const enum reason reason = gpu_fft_try_group(lane, job, room, group);
		if (reason != REASON_DEVICE_MEMORY || !room->fixed || gpu_fft_exceeds(job, room))
			return reason;
		gpu_fft_give_plans(job, true);
		if (!lanes_wait_for_other(lane, &given))
			return reason;
	}
}

/* Where nothing seems to fit tries the smallest group: the pool may free something. */
static int64_t gpu_fft_choose_group(const struct gpu_fft_room *room)
{
	const struct fft_batch *batch = &room->batch;
	int64_t group = atomic_load(&gpu_fft_group);
	if (group == 0)
		group = fft_groups_choose(batch, &room->rates);
	if (group == 0)
		group = (batch->count - 1) / FFT_GROUPS_MAX + 1;
	return group < batch->count ? group : batch->count;
}

/* Corrects the estimate of cuFFT's work area, or else plans with half of the memory. */
static void gpu_fft_shrink_room(struct fft_job *job, struct gpu_fft_room *room)
{
	const uint64_t work_bytes = gpu_fft_count_work(job) / (uint64_t)job->group + 1;
	if (work_bytes > room->batch.work_bytes)
		room->batch.work_bytes = work_bytes;
	else
		room->rates.memory_bytes /= 2;
}

static enum reason gpu_fft_fit(struct lane *lane, struct fft_job *job, struct gpu_fft_room room)
{
	enum reason reason = REASON_DEVICE_MEMORY;
	bool again = true;
	room.rates.memory_bytes = room.available_bytes - room.available_bytes / GPU_FFT_LEFT;
	for (int attempt = 0; attempt < GPU_FFT_ATTEMPTS && reason == REASON_DEVICE_MEMORY && again;
	     attempt++) {
		const int64_t group = gpu_fft_choose_group(&room);
		if (attempt > 0 && group == job->group)
			break;
		reason = gpu_fft_try_patiently(lane, job, &room, group);
		again = !room.fixed || gpu_fft_exceeds(job, &room);
		if (reason == REASON_DEVICE_MEMORY)
			gpu_fft_shrink_room(job, &room);
		if (reason != REASON_NONE)
			gpu_fft_give_plans(job, true);
	}
	return reason;
}

/*
 * Takes plans and memory before anything is queued, so that a lack of them costs nothing. Where
 * nothing fits, memory that is kept for other calls is counted in too.
 */
static enum reason gpu_fft_take_device(struct lane *lane, struct fft_job *job)
{
	const uint64_t obtainable_bytes = memory_obtainable(lane->device),
		       share_bytes = lanes_share_bytes(lane->device);
	struct gpu_fft_room room = {
		.available_bytes = share_bytes > 0 ? share_bytes : memory_available(lane->device),
		.fixed = share_bytes > 0,
		.batch = fft_job_batch(job),
		.rates = engine_rates_find(lane, job->call->problem->element),
	};
	const enum reason reason = gpu_fft_fit(lane, job, room);
	if (reason != REASON_DEVICE_MEMORY || room.fixed ||
	    obtainable_bytes <= room.available_bytes)
		return reason;
	room.available_bytes = obtainable_bytes;
	return gpu_fft_fit(lane, job, room);
}

/* -- host memory -- */

/*
 * At most half of the free memory, since the program needs some; what the lane has already is not
 * counted.
 */
static enum reason gpu_fft_take_copies(struct lane *lane, struct fft_job *job)
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

/* Whether the device may read the input directly; page-locks noted blocks for that. */
static bool gpu_fft_lock_input(struct lane *lane, const struct fft_job *job)
{
	const struct fft_layout *input = &job->map[FFT_JOB_FULL].input;
	struct fft_extent extent;
	if (job->shadows || input->kind == FFT_LAYOUT_SCATTERED ||
	    (input->kind == FFT_LAYOUT_PITCHED &&
	     input->axis[0].stride_bytes > CUDA_PITCH_MAX_BYTES) ||
	    !fft_extent_find(job->call->problem, false, FFT_EXTENT_ALL, &extent))
		return false;
	const char *begin = (const char *)job->call->in + extent.begin;
	const uint64_t size_bytes = (uint64_t)(extent.end - extent.begin);
	pinned_lock(lane, begin, size_bytes);
	return gpu_place_is_locked(lane->api, begin, size_bytes);
}

static bool gpu_fft_find_place(const struct fft_job *job, bool output, struct placement_area *area)
{
	const char *base = output ? job->call->out : job->call->in;
	struct fft_extent extent;
	if (!fft_extent_find(job->call->problem, output, FFT_EXTENT_ALL, &extent))
		return false;
	const uint64_t size_bytes = (uint64_t)(extent.end - extent.begin);
	*area = (struct placement_area){base + extent.begin, size_bytes, 1, size_bytes};
	return true;
}

/* An input that the device loads itself, unless results overwrite it, may move to its memory. */
static void gpu_fft_note_places(const struct lane *lane, const struct fft_job *job)
{
	struct placement_area area;
	const double link_bytes_s =
		flow_is_direct() ? engine_rates_find(lane, job->call->problem->element).up_bytes_s
				 : 0;
	if (job->shadows || job->locked || job->cut.whole.input.kind != FFT_LAYOUT_TIGHT)
		return;
	if (gpu_fft_find_place(job, false, &area))
		placement_note_input(lane, &area, link_bytes_s);
	if (gpu_fft_find_place(job, true, &area))
		placement_note_result(lane, &area);
}

/* -- the call -- */

/* What callers promise of a call for the GPU. */
static bool gpu_fft_is_known(const struct call *call)
{
	const struct fft_problem *problem = call->fft.problem;
	return family_is_fft(call->family) &&
	       (problem->element == ELEMENT_C || problem->element == ELEMENT_Z) &&
	       (problem->family != FAMILY_FFT_C2C || problem->sign == -1 || problem->sign == 1);
}

static int64_t gpu_fft_expect_ns(const struct lane *lane, const struct fft_job *job)
{
	const struct fft_batch batch = fft_job_batch(job);
	const struct panel_rates rates = engine_rates_find(lane, job->call->problem->element);
	return (int64_t)fft_groups_time(&batch, &rates, job->group);
}

/* Results that the flow cannot place are scattered after all of them are confirmed. */
static enum reason gpu_fft_flow(struct lane *lane, struct fft_job *job)
{
	int64_t begin_ns = observe_begin("gather");
	lane_owner_copy(true);
	fft_job_gather(job);
	lane_owner_copy(false);
	observe_end("gather", begin_ns);
	job->locked = gpu_fft_lock_input(lane, job);
	fft_mirrors_begin(lane, job);
	gpu_fft_note_places(lane, job);
	struct flow flow = {.lane = lane, .program = fft_job_program(job)};
	const int64_t work_ns = gpu_fft_expect_ns(lane, job);
	lanes_note_call_work(lane, work_ns);
	const enum reason reason = flow_run(&flow, 1);
	if (reason != REASON_CALL_LEFT)
		lanes_note_call_work(lane, -work_ns);
	begin_ns = observe_begin("commit");
	lane_owner_copy(true);
	if (reason == REASON_NONE)
		fft_job_scatter(job);
	else
		fft_job_restore(job, &flow.progress);
	lane_owner_copy(false);
	observe_end("commit", begin_ns);
	if (reason != REASON_CALL_LEFT)
		mirrors_end(job->mirrors, reason == REASON_NONE);
	return reason;
}

static void gpu_fft_take_back(void *plan, bool usable, bool gone)
{
	(void)gone;
	fft_plans_give(plan, usable);
}

/* Should the thread leave the call, its plans are given back. */
static void gpu_fft_lend_plans(struct lane *lane, struct fft_job *job)
{
	for (int i = 0; i < GPU_FFT_PLANS; i++)
		if (*gpu_fft_find_plan(job, i) != NULL)
			lanes_note_loan(lane, gpu_fft_take_back, *gpu_fft_find_plan(job, i));
}

static enum reason gpu_fft_run_on(struct lane *lane, struct fft_job *job)
{
	const int64_t begin_ns = observe_begin("plan");
	enum reason reason = gpu_fft_take_device(lane, job);
	observe_end("plan", begin_ns);
	if (reason != REASON_NONE)
		return reason;
	gpu_fft_lend_plans(lane, job);
	reason = gpu_fft_take_copies(lane, job);
	if (reason == REASON_NONE)
		reason = gpu_fft_flow(lane, job);
	if (reason != REASON_CALL_LEFT)
		gpu_fft_give_plans(job, !lane->broken);
	return reason;
}

enum reason gpu_fft_run(const struct call *call, int device)
{
	struct fft_job job;
	struct lane *lane;
	if (!gpu_fft_is_known(call))
		return REASON_LIBRARY_FAILED;
	enum reason reason = fft_job_begin(&job, &call->fft);
	const int64_t begin_ns = observe_begin("take lane");
	if (reason == REASON_NONE)
		reason = lanes_take(device, &lane);
	observe_end("take lane", begin_ns);
	if (reason != REASON_NONE)
		return reason;
	reason = gpu_fft_run_on(lane, &job);
	lanes_give(lane);
	return reason;
}

bool gpu_fft_is_planned(const struct call *call, int device)
{
	struct fft_map map;
	if (!gpu_fft_is_known(call) || fft_plans_has_key(device, call->fft.plan_key))
		return true;
	return !fft_map_describe(call->fft.problem, &map) || fft_plans_has_like(device, &map.shape);
}

void gpu_fft_forget(const void *plan_key)
{
	fft_plans_forget(plan_key);
}
