/* gpu_fft.c - FFTW transforms by cuFFT: send, execute, receive, commit */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/gpu_fft.h"

#include "shim/execute/gpu/fft_plans.h"
#include "shim/execute/gpu/pinned.h"
#include "shim/execute/gpu/transfer.h"

/*
 * One transform on its way. in and out are on the device, where cuFFT may ruin the input; staging serves first the
 * input, then the output.
 */
struct gpu_fft_job {
	const struct fft_call *call;
	struct fft_map map;
	struct fft_plan *plan;
	void *in, *out, *work, *staging;
};

static struct transfer_area gpu_fft_make_area(const struct fft_layout *layout, void *host)
{
	const uint64_t size_bytes = fft_layout_size_bytes(layout);
	if (layout->kind != FFT_LAYOUT_PITCHED)
		return (struct transfer_area){host, size_bytes, 1, size_bytes, false};
	return (struct transfer_area){host, (uint64_t)layout->axis[1].n * layout->element_bytes,
	                              (uint64_t)layout->axis[0].n, (uint64_t)layout->axis[0].stride_bytes, false};
}

/* Before anything is queued, so that a lack of memory costs nothing; the plan last, as the dearest. */
static enum reason gpu_fft_take_memory(struct lane *lane, struct gpu_fft_job *job)
{
	const struct fft_map *map = &job->map;
	const uint64_t in_bytes = fft_layout_size_bytes(&map->input), out_bytes = fft_layout_size_bytes(&map->output);
	const bool gathers = map->input.kind == FFT_LAYOUT_SCATTERED;
	job->staging = lanes_take_staging(lane, gathers && in_bytes > out_bytes ? in_bytes : out_bytes);
	if (job->staging == NULL)
		return REASON_HOST_MEMORY;
	enum reason reason = lanes_take_memory(lane, in_bytes, &job->in);
	job->out = job->in;
	if (reason == REASON_NONE && !map->in_place)
		reason = lanes_take_memory(lane, out_bytes, &job->out);
	if (reason == REASON_NONE)
		reason = fft_plans_take(lane, &map->shape, job->call->plan_key, &job->plan);
	if (reason == REASON_NONE && job->plan->work_bytes > 0)
		reason = lanes_take_memory(lane, job->plan->work_bytes, &job->work);
	return reason;
}

static enum reason gpu_fft_send(struct lane *lane, struct gpu_fft_job *job)
{
	const struct fft_layout *input = &job->map.input;
	struct transfer_area area = gpu_fft_make_area(input, job->call->in);
	if (input->kind == FFT_LAYOUT_SCATTERED) {
		fft_layout_gather(input, job->staging, job->call->in);
		area.host = job->staging;
	} else {
		pinned_lock(lane, area.host, (area.rows - 1) * area.pitch_bytes + area.row_bytes);
	}
	return transfer_send(lane, job->in, &area);
}

static int gpu_fft_execute(const struct cuda_api *api, const struct gpu_fft_job *job, void *in, void *out)
{
	const struct fft_problem *problem = job->call->problem;
	const int handle = job->plan->handle;
	const bool single = problem->element == ELEMENT_C;
	switch (problem->family) {
	case FAMILY_FFT_R2C: return (single ? api->fft_exec_r2c : api->fft_exec_d2z)(handle, in, out);
	case FAMILY_FFT_C2R: return (single ? api->fft_exec_c2r : api->fft_exec_z2d)(handle, in, out);
	default: return (single ? api->fft_exec_c2c : api->fft_exec_z2z)(handle, in, out, problem->sign);
	}
}

/* The next execution, the innermost step first; false after the last. */
static bool gpu_fft_step(const struct fft_map *map, int64_t index[FFT_LOOPS_MAX], char **in, char **out)
{
	for (int i = map->steps - 1; i >= 0; i--) {
		const struct fft_step *step = &map->step[i];
		*in += step->input_bytes;
		*out += step->output_bytes;
		if (++index[i] < step->n)
			return true;
		*in -= step->n * step->input_bytes;
		*out -= step->n * step->output_bytes;
		index[i] = 0;
	}
	return false;
}

static int gpu_fft_execute_all(const struct cuda_api *api, const struct gpu_fft_job *job)
{
	int64_t index[FFT_LOOPS_MAX] = {0};
	char *in = job->in, *out = job->out;
	int status;
	do
		status = gpu_fft_execute(api, job, in, out);
	while (status == CUFFT_FINE && gpu_fft_step(&job->map, index, &in, &out));
	return status;
}

static enum reason gpu_fft_launch(struct lane *lane, const struct gpu_fft_job *job)
{
	int status = lane->api->fft_set_stream(job->plan->handle, lane->stream);
	if (status == CUFFT_FINE && job->work != NULL)
		status = lane->api->fft_set_work_area(job->plan->handle, job->work);
	if (status == CUFFT_FINE)
		status = gpu_fft_execute_all(lane->api, job);
	return status == CUFFT_FINE ? REASON_NONE : REASON_LIBRARY_FAILED;
}

static enum reason gpu_fft_queue(struct lane *lane, struct gpu_fft_job *job)
{
	enum reason reason = gpu_fft_take_memory(lane, job);
	if (reason == REASON_NONE)
		reason = gpu_fft_send(lane, job);
	if (reason == REASON_NONE)
		reason = gpu_fft_launch(lane, job);
	if (reason == REASON_NONE)
		reason = transfer_receive(lane, job->staging, job->out, fft_layout_size_bytes(&job->map.output));
	return reason;
}

static void gpu_fft_commit(const struct gpu_fft_job *job)
{
	const struct fft_layout *output = &job->map.output;
	const struct transfer_area area = gpu_fft_make_area(output, job->call->out);
	if (output->kind == FFT_LAYOUT_SCATTERED)
		fft_layout_scatter(output, job->call->out, job->staging);
	else
		transfer_commit(&area, job->staging);
}

/* What the description of a call promises of one that may go to the GPU. */
static bool gpu_fft_is_known(const struct call *call)
{
	const struct fft_problem *problem = call->fft.problem;
	return family_is_fft(call->family) && (problem->element == ELEMENT_C || problem->element == ELEMENT_Z) &&
	       (problem->family != FAMILY_FFT_C2C || problem->sign == -1 || problem->sign == 1);
}

static enum reason gpu_fft_run_on(struct lane *lane, struct gpu_fft_job *job)
{
	const enum reason reason = lanes_finish(lane, gpu_fft_queue(lane, job));
	if (reason == REASON_NONE)
		gpu_fft_commit(job);
	if (job->plan != NULL)
		fft_plans_give(job->plan, !lane->broken);
	return reason;
}

enum reason gpu_fft_run(const struct call *call, int device)
{
	struct gpu_fft_job job = {.call = &call->fft};
	struct lane *lane;
	if (!gpu_fft_is_known(call))
		return REASON_LIBRARY_FAILED;
	if (!fft_map_describe(call->fft.problem, &job.map))
		return REASON_UNSUPPORTED_LAYOUT;
	enum reason reason = lanes_take(device, &lane);
	if (reason != REASON_NONE)
		return reason;
	reason = gpu_fft_run_on(lane, &job);
	lanes_give(lane);
	return reason;
}

void gpu_fft_forget(const void *plan_key)
{
	fft_plans_forget(plan_key);
}
