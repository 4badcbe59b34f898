/* fft_mirrors.c - results of a transform take the place of what mirrors have */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/fft/fft_mirrors.h"

#include "policy/call/fft_extent.h"
#include "shim/execute/gpu/engine/mirrors.h"

/* Of scattered elements everything from the first to the last: they share most pages. */
void fft_mirrors_overwrite(const struct fft_job *job)
{
	struct fft_extent extent;
	struct pack_area area;
	if (!mirrors_are_on())
		return;
	if (fft_job_find_whole(job, true, &area)) {
		mirrors_overwrite(&area);
	} else if (fft_extent_find(job->call->problem, true, FFT_EXTENT_ALL, &extent)) {
		const uint64_t bytes = (uint64_t)(extent.end - extent.begin);
		area = (struct pack_area){(char *)job->call->out + extent.begin, bytes, 1, bytes};
		mirrors_overwrite(&area);
	}
}
