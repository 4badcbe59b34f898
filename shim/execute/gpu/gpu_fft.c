/* gpu_fft.c - FFTW transforms by cuFFT, which sees tight arrays only */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/gpu_fft.h"

#include "shim/execute/gpu/fft_layout.h"
#include "shim/execute/gpu/fft_plans.h"
#include "shim/execute/gpu/transfer.h"

/* One transform on its way. in and out are on the device; staging serves first the input, then the output. */
struct gpu_fft_job {
	const struct fft_call *call;
	struct fft_layout input, output;
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

/* Before anything is queued, so that a lack of memory costs nothing. A complex transform works in place. */
static enum reason gpu_fft_take_memory(struct lane *lane, struct gpu_fft_job *job)
{
	const uint64_t in_bytes = fft_layout_size_bytes(&job->input), out_bytes = fft_layout_size_bytes(&job->output);
	job->staging = lanes_take_staging(lane, in_bytes > out_bytes ? in_bytes : out_bytes);
	if (job->staging == NULL)
		return REASON_HOST_MEMORY;
	enum reason reason = lanes_take_memory(lane, in_bytes, &job->in);
	job->out = job->in;
	if (reason == REASON_NONE && job->call->problem->family != FAMILY_FFT_C2C)
		reason = lanes_take_memory(lane, out_bytes, &job->out);
	if (reason == REASON_NONE && job->plan->work_bytes > 0)
		reason = lanes_take_memory(lane, job->plan->work_bytes, &job->work);
	return reason;
}

static enum reason gpu_fft_send(struct lane *lane, struct gpu_fft_job *job)
{
	struct transfer_area area = gpu_fft_make_area(&job->input, job->call->in);
	if (job->input.kind == FFT_LAYOUT_SCATTERED) {
		fft_layout_gather(&job->input, job->staging, job->call->in);
		area.host = job->staging;
	}
	return transfer_send(lane, job->in, &area);
}

static int gpu_fft_execute(const struct cuda_api *api, const struct gpu_fft_job *job)
{
	const struct fft_problem *problem = job->call->problem;
	const int handle = job->plan->handle;
	const bool single = problem->element == ELEMENT_C;
	switch (problem->family) {
	case FAMILY_FFT_R2C: return (single ? api->fft_exec_r2c : api->fft_exec_d2z)(handle, job->in, job->out);
	case FAMILY_FFT_C2R: return (single ? api->fft_exec_c2r : api->fft_exec_z2d)(handle, job->in, job->out);
	default: return (single ? api->fft_exec_c2c : api->fft_exec_z2z)(handle, job->in, job->out, problem->sign);
	}
}

static enum reason gpu_fft_launch(struct lane *lane, const struct gpu_fft_job *job)
{
	int status = lane->api->fft_set_stream(job->plan->handle, lane->stream);
	if (status == CUFFT_FINE && job->work != NULL)
		status = lane->api->fft_set_work_area(job->plan->handle, job->work);
	if (status == CUFFT_FINE)
		status = gpu_fft_execute(lane->api, job);
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
		reason = transfer_receive(lane, job->staging, job->out, fft_layout_size_bytes(&job->output));
	return reason;
}

static void gpu_fft_commit(const struct gpu_fft_job *job)
{
	const struct transfer_area area = gpu_fft_make_area(&job->output, job->call->out);
	if (job->output.kind == FFT_LAYOUT_SCATTERED)
		fft_layout_scatter(&job->output, job->call->out, job->staging);
	else
		transfer_commit(&area, job->staging);
}

static bool gpu_fft_describe(const struct fft_problem *problem, struct gpu_fft_job *job)
{
	if (problem->element != ELEMENT_C && problem->element != ELEMENT_Z)
		return false;
	if (problem->family == FAMILY_FFT_C2C && problem->sign != -1 && problem->sign != 1)
		return false;
	return fft_layout_describe(problem, FFT_LAYOUT_INPUT, &job->input) &&
	       fft_layout_describe(problem, FFT_LAYOUT_OUTPUT, &job->output);
}

static enum reason gpu_fft_run_on(struct lane *lane, struct gpu_fft_job *job)
{
	enum reason reason = fft_plans_take(lane, job->call, &job->plan);
	if (reason == REASON_NONE)
		reason = gpu_fft_queue(lane, job);
	reason = lanes_finish(lane, reason);
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
	if (!family_is_fft(call->family) || !gpu_fft_describe(call->fft.problem, &job))
		return REASON_LIBRARY_FAILED;
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
