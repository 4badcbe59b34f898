/* fft_mirrors.c - which sides of a transform may have a mirror */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/fft/fft_mirrors.h"

#include "policy/call/fft_extent.h"

/* Input that results overwrite is kept by the host while it is sent, so that it is always sent. */
static void fft_mirrors_plan_input(struct fft_job *job)
{
	struct fft_job_mirror *in = &job->in;
	if (job->shares || !fft_job_find_whole(job, false, &in->whole))
		return;
	const struct mirror *mirror =
		mirrors_plan_input(job->mirrors, &in->whole, job->cut.whole.input.element_bytes);
	in->mirror = mirror->device != NULL ? mirror : NULL;
	in->held = in->mirror != NULL && mirror->held;
}

static void fft_mirrors_plan_output(struct fft_job *job)
{
	struct fft_job_mirror *out = &job->out;
	if (!fft_job_find_whole(job, true, &out->whole))
		return;
	const struct mirror *mirror = mirrors_plan_result(
		job->mirrors, &out->whole, job->cut.whole.output.element_bytes, true);
	out->mirror = mirror->device != NULL ? mirror : NULL;
}

/* Of scattered elements everything from the first to the last: they share most pages. */
static void fft_mirrors_overwrite(const struct fft_job *job)
{
	struct fft_extent extent;
	if (!fft_extent_find(job->call->problem, true, FFT_EXTENT_ALL, &extent))
		return;
	const uint64_t bytes = (uint64_t)(extent.end - extent.begin);
	const struct pack_area area = {(char *)job->call->out + extent.begin, bytes, 1, bytes};
	mirrors_overwrite(&area);
}

void fft_mirrors_begin(struct lane *lane, struct fft_job *job)
{
	struct pack_area unused;
	job->mirrors = mirrors_begin(lane);
	if (job->mirrors == NULL)
		return;
	fft_mirrors_plan_input(job);
	fft_mirrors_plan_output(job);
	if (!fft_job_find_whole(job, true, &unused))
		fft_mirrors_overwrite(job);
}
