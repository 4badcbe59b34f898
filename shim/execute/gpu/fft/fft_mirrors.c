/* fft_mirrors.c - which sides of a transform may have a mirror */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/fft/fft_mirrors.h"

#include "policy/call/fft_extent.h"

static void fft_mirrors_plan_input(struct fft_job *job)
{
	struct fft_job_mirror *in = &job->in;
	if (!fft_job_find_whole(job, false, &in->whole))
		return;
	const struct mirror *mirror = mirrors_plan_input(job->mirrors, &in->whole,
	                                                 job->cut.whole.input.element_bytes, NULL);
	in->mirror = mirror->device != NULL ? mirror : NULL;
	in->held = in->mirror != NULL && mirror->held;
}

static void fft_mirrors_plan_output(struct fft_job *job)
{
	struct fft_job_mirror *out = &job->out;
	if (!fft_job_find_whole(job, true, &out->whole))
		return;
	const struct mirror *mirror = mirrors_plan_result(
		job->mirrors, &out->whole, job->cut.whole.output.element_bytes, NULL, true);
	out->mirror = mirror->device != NULL ? mirror : NULL;
}

/* Whether one side in place covers the other; *both: that one. */
static bool fft_mirrors_join(const struct pack_area *in, const struct pack_area *out,
                             struct pack_area *both)
{
	const uint64_t in_bytes = in->count * in->pitch_bytes,
		       out_bytes = out->count * out->pitch_bytes;
	const bool alike = in->count == out->count && in->pitch_bytes == out->pitch_bytes;
	if (in->host != out->host)
		return false;
	*both = out_bytes > in_bytes || (out_bytes == in_bytes && out->count == 1) ? *out : *in;
	return both->count == 1 || (alike && in->run_bytes == out->run_bytes);
}

/*
 * In place: one mirror for both sides. Where one of them has gaps, they are read too, and nothing
 * writes them; the mirror has the bytes of the program's memory there.
 */
static void fft_mirrors_plan_update(struct fft_job *job)
{
	struct fft_job_mirror *in = &job->in, *out = &job->out;
	struct pack_area both;
	if (!fft_job_find_whole(job, false, &in->whole) ||
	    !fft_job_find_whole(job, true, &out->whole) ||
	    !fft_mirrors_join(&in->whole, &out->whole, &both)) {
		fft_mirrors_plan_output(job);
		return;
	}
	const struct mirror *mirror =
		mirrors_plan_update(job->mirrors, &both, job->cut.whole.output.element_bytes, true);
	in->mirror = out->mirror = mirror->device != NULL ? mirror : NULL;
	in->held = in->mirror != NULL && mirror->held;
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

void fft_mirrors_skip(const struct fft_job *job)
{
	if (mirrors_are_on())
		fft_mirrors_overwrite(job);
}

/* Of the larger side; scattered ones are not kept. */
static uint64_t fft_mirrors_count_bytes(const struct fft_job *job)
{
	uint64_t most_bytes = 0;
	for (int side = 0; side < 2; side++) {
		struct pack_area area;
		if (!fft_job_find_whole(job, side == 1, &area))
			continue;
		const uint64_t bytes = area.run_bytes * area.count;
		most_bytes = bytes > most_bytes ? bytes : most_bytes;
	}
	return most_bytes;
}

void fft_mirrors_begin(struct lane *lane, struct fft_job *job)
{
	struct pack_area unused;
	job->mirrors = mirrors_begin(lane, fft_mirrors_count_bytes(job));
	if (job->mirrors == NULL)
		return;
	if (job->shares) {
		fft_mirrors_plan_update(job);
	} else {
		fft_mirrors_plan_input(job);
		fft_mirrors_plan_output(job);
	}
	if (!fft_job_find_whole(job, true, &unused))
		fft_mirrors_overwrite(job);
}
