/* gpu_fft.c - runs FFTW transforms by cuFFT: the flow, the CPU's part, the input's restoration */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/fft/gpu_fft.h"

#include <stdlib.h>

#include "policy/call/fft_extent.h"
#include "shim/base/clock.h"
#include "shim/base/observe.h"
#include "shim/execute/gpu/device/gpu_place.h"
#include "shim/execute/gpu/device/lane_owner.h"
#include "shim/execute/gpu/device/pinned.h"
#include "shim/execute/gpu/device/placement.h"
#include "shim/execute/gpu/engine/engine_rates.h"
#include "shim/execute/gpu/fft/cpu_turns.h"
#include "shim/execute/gpu/fft/fft_job.h"
#include "shim/execute/gpu/fft/fft_mirrors.h"
#include "shim/execute/gpu/fft/fft_room.h"

void gpu_fft_set_group(int64_t group)
{
	fft_room_set_group(group);
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

/*
 * The job, and the transform that it carries out: of a shared one the device's part, with a problem
 * of its own. leader: the lane; NULL: the call has lost it (lane_owner.h). Where a call is shared
 * another thread reads all this, which must outlive a jump out of the call.
 */
struct gpu_fft_work {
	struct fft_job job;
	struct lane *lane, *leader;
	struct fft_call part;
	struct fft_problem problem;
	struct flow flow;
	struct flow_beside beside;
	struct cpu_turns turns;
	int64_t copy_ns; /* of gather and commit */
	bool shared;
};

static void gpu_fft_gather(struct gpu_fft_work *work)
{
	const int64_t begin_ns = clock_monotonic_ns(), seen_ns = observe_begin("gather");
	lane_owner_copy(true);
	fft_job_gather(&work->job);
	lane_owner_copy(false);
	observe_end("gather", seen_ns);
	work->copy_ns = clock_monotonic_ns() - begin_ns;
}

/* Results that the flow cannot place are scattered after all of them are confirmed. */
static void gpu_fft_commit(struct gpu_fft_work *work, enum reason reason)
{
	const int64_t begin_ns = clock_monotonic_ns(), seen_ns = observe_begin("commit");
	lane_owner_copy(true);
	if (reason == REASON_NONE)
		fft_job_scatter(&work->job);
	else
		fft_job_restore(&work->job, &work->flow.progress);
	lane_owner_copy(false);
	observe_end("commit", seen_ns);
	work->copy_ns += clock_monotonic_ns() - begin_ns;
}

/* A part of a call has no mirrors: those of the call would not fit it, nor its own the call. */
static void gpu_fft_prepare(struct gpu_fft_work *work)
{
	gpu_fft_gather(work);
	work->job.locked = gpu_fft_lock_input(work->lane, &work->job);
	if (work->shared) {
		fft_mirrors_skip(&work->job);
		return;
	}
	fft_mirrors_begin(work->lane, &work->job);
	gpu_fft_note_places(work->lane, &work->job);
}

static enum reason gpu_fft_flow(struct gpu_fft_work *work)
{
	struct lane *lane = work->lane;
	gpu_fft_prepare(work);
	work->flow = (struct flow){.lane = lane, .program = fft_job_program(&work->job)};
	const int64_t work_ns = gpu_fft_expect_ns(lane, &work->job);
	lanes_note_call_work(lane, work_ns);
	const enum reason reason =
		flow_run_beside(&work->flow, 1, work->shared ? &work->beside : NULL);
	if (reason == REASON_CALL_LEFT)
		work->leader = NULL;
	else
		lanes_note_call_work(lane, -work_ns);
	gpu_fft_commit(work, reason);
	if (reason != REASON_CALL_LEFT && !work->shared)
		mirrors_end(work->job.mirrors, reason == REASON_NONE);
	return reason;
}

/* -- with the CPU -- */

/* In a gap: handlers may run, or jump. share NULL: the CPU computes all that is left. */
static void gpu_fft_compute_open(struct gpu_fft_work *work, const struct cpu_share *share)
{
	struct lane_gap gap;
	lane_owner_leave(work->leader, &gap);
	if (share != NULL)
		cpu_turns_compute_open(&work->turns, share);
	else
		cpu_turns_finish_open(&work->turns);
	if (!lane_owner_come_back(&gap))
		work->leader = NULL;
}

/* As for calls of BLAS, a thread's first slice is computed before the device begins. */
static enum reason gpu_fft_flow_beside(struct gpu_fft_work *work, const struct cpu_share *share)
{
	if (work->shared && cpu_share_is_first(CPU_SHARE_FFT, share))
		gpu_fft_compute_open(work, share);
	return work->leader != NULL ? gpu_fft_flow(work) : REASON_CALL_LEFT;
}

static void gpu_fft_tell_share(const struct gpu_fft_work *work, struct cpu_share *share)
{
	share->done = work->turns.cut.cpu_share;
	share->cpu_ns = work->turns.elapsed_ns;
	share->device_ns = work->beside.conducted_ns + work->copy_ns;
}

/*
 * The input of a device's turns that failed is what it was, and their results come from the CPU,
 * once that has begun.
 */
static bool gpu_fft_finish(struct gpu_fft_work *work)
{
	if (!work->shared || (!work->beside.stepped && work->turns.elapsed_ns == 0))
		return false;
	gpu_fft_compute_open(work, NULL);
	return true;
}

/* -- the whole -- */

static enum reason gpu_fft_run_on(struct gpu_fft_work *work, const struct cpu_share *share)
{
	struct lane *lane = work->lane;
	struct fft_job *job = &work->job;
	const int64_t begin_ns = observe_begin("plan");
	enum reason reason = fft_room_take_device(lane, job);
	observe_end("plan", begin_ns);
	if (reason != REASON_NONE)
		return reason;
	fft_room_lend_plans(lane, job);
	reason = fft_room_take_copies(lane, job);
	if (reason == REASON_NONE)
		reason = gpu_fft_flow_beside(work, share);
	if (reason != REASON_CALL_LEFT)
		fft_room_give_plans(job, !lane->broken);
	return reason;
}

/* The job becomes that of the device's part. */
static enum reason gpu_fft_divide(struct gpu_fft_work *work, const struct fft_call *call,
                                  const struct cpu_slices *slices, const struct cpu_share *share)
{
	work->shared = cpu_turns_begin(&work->turns, work->lane, call, slices, share);
	if (!work->shared)
		return REASON_NONE;
	work->beside = (struct flow_beside){.step = cpu_turns_step, .self = &work->turns};
	work->problem = fft_share_count(&work->turns.cut, work->turns.cut.device);
	work->part = fft_share_place(&work->turns.cut, call, &work->problem, 0);
	return fft_job_begin(&work->job, &work->part);
}

static enum reason gpu_fft_carry_out(struct gpu_fft_work *work, const struct fft_call *call,
                                     const struct cpu_slices *slices, struct cpu_share *share,
                                     bool *finished)
{
	enum reason reason =
		slices != NULL ? gpu_fft_divide(work, call, slices, share) : REASON_NONE;
	if (reason == REASON_NONE)
		reason = gpu_fft_run_on(work, share);
	*finished = reason == REASON_NONE || gpu_fft_finish(work);
	if (*finished && work->shared && share != NULL)
		gpu_fft_tell_share(work, share);
	if (work->shared && work->leader != NULL)
		cpu_share_end();
	return reason;
}

static enum reason gpu_fft_begin(struct gpu_fft_work *work, const struct call *call, int device)
{
	work->leader = NULL;
	work->beside = (struct flow_beside){.step = NULL};
	work->shared = false;
	enum reason reason = fft_job_begin(&work->job, &call->fft);
	const int64_t begin_ns = observe_begin("take lane");
	if (reason == REASON_NONE)
		reason = lanes_take(device, &work->lane);
	observe_end("take lane", begin_ns);
	if (reason == REASON_NONE)
		work->leader = work->lane;
	return reason;
}

enum reason gpu_fft_run_shared(const struct call *call, int device, const struct cpu_slices *slices,
                               struct cpu_share *share, bool *finished)
{
	struct gpu_fft_work own, *work = slices != NULL ? malloc(sizeof *work) : &own;
	*finished = false;
	if (work == NULL)
		return REASON_HOST_MEMORY;
	enum reason reason =
		gpu_fft_is_known(call) ? gpu_fft_begin(work, call, device) : REASON_LIBRARY_FAILED;
	if (reason == REASON_NONE) {
		reason = gpu_fft_carry_out(work, &call->fft, slices, share, finished);
		lanes_give(work->lane);
	}
	if (work != &own)
		free(work);
	return reason;
}

enum reason gpu_fft_run(const struct call *call, int device)
{
	bool finished;
	return gpu_fft_run_shared(call, device, NULL, NULL, &finished);
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
