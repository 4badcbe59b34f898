/* fft_share.c - which turns of a batch may be computed at once, and how they are divided */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/fft/fft_share.h"

#include <stddef.h>

#include "policy/call/fft_extent.h"

/* So many parts of a batch are the CPU's slices. */
enum { FFT_SHARE_FINE = 100 };

/* -- turns that share no element -- */

enum { FFT_SHARE_AXES = FFT_RANK_MAX + FFT_LOOPS_MAX };

/* One side of a transform: its axes with more than one element, by growing distance. */
struct fft_share_side {
	int axes;
	uint64_t n[FFT_SHARE_AXES], distance[FFT_SHARE_AXES];
};

static void fft_share_add_axis(struct fft_share_side *side, int64_t n, int64_t stride)
{
	const uint64_t distance = stride < 0 ? -(uint64_t)stride : (uint64_t)stride;
	int at = side->axes;
	if (n <= 1)
		return;
	for (; at > 0 && side->distance[at - 1] > distance; at--) {
		side->n[at] = side->n[at - 1];
		side->distance[at] = side->distance[at - 1];
	}
	side->n[at] = (uint64_t)n;
	side->distance[at] = distance;
	side->axes++;
}

static struct fft_share_side fft_share_describe_side(const struct fft_problem *problem, bool output)
{
	const bool halved = problem->family == (output ? FAMILY_FFT_R2C : FAMILY_FFT_C2R);
	struct fft_share_side side = {.axes = 0};
	for (int i = 0; i < problem->rank; i++) {
		const struct fft_dim *dim = &problem->dims[i];
		fft_share_add_axis(&side,
		                   halved && i == problem->rank - 1 ? dim->n / 2 + 1 : dim->n,
		                   output ? dim->output_stride : dim->input_stride);
	}
	for (int i = 0; i < problem->loops; i++) {
		const struct fft_dim *loop = &problem->loop[i];
		fft_share_add_axis(&side, loop->n,
		                   output ? loop->output_stride : loop->input_stride);
	}
	return side;
}

/* Whether each axis leads beyond all that the shorter ones reach: no two elements are one. */
static bool fft_share_is_distinct(const struct fft_problem *problem, bool output)
{
	const struct fft_share_side side = fft_share_describe_side(problem, output);
	uint64_t reach = 0;
	for (int i = 0; i < side.axes; i++) {
		uint64_t more;
		if (side.distance[i] <= reach ||
		    __builtin_mul_overflow(side.n[i] - 1, side.distance[i], &more) ||
		    __builtin_add_overflow(reach, more, &reach))
			return false;
	}
	return true;
}

/* -- dividing -- */

/*
 * A part of FFT_SHARE_FINE of the call: one side waits no longer for the other. Of fewer turns than
 * `least` an array with gaps would be walked in short runs.
 */
static int64_t fft_share_find_slice(const struct fft_cut *cut)
{
	const int64_t most = cut->count / 2, fine = cut->count / FFT_SHARE_FINE;
	const int64_t slice = fine > cut->least ? fine : cut->least;
	return slice < most ? slice : most;
}

static bool fft_share_finds_loop(const struct fft_call *call, struct fft_cut *cut)
{
	if (call->problem == NULL || !fft_cut_find(call, fft_extent_overlap(call), cut) ||
	    cut->count < 2 || !fft_share_is_distinct(&cut->problem, true))
		return false;
	return cut->problem.family != FAMILY_FFT_C2R || fft_share_is_distinct(&cut->problem, false);
}

bool fft_share_takes(const struct call *call)
{
	return family_is_fft(call->family) && call->defect == REASON_NONE &&
	       call->fft.problem != NULL && call->fft.problem->howmany > 1;
}

bool fft_share_cut(const struct fft_call *call, double share, struct fft_share *found)
{
	struct fft_map map;
	if (!fft_share_finds_loop(call, &found->cut))
		return false;
	const int64_t count = found->cut.count, slice = fft_share_find_slice(&found->cut),
		      most = (count - 1) / slice;
	int64_t slices = (int64_t)(share * (double)count / (double)slice + 0.5);
	slices = slices < 1 ? 1 : slices > most ? most : slices;
	found->slice = slice;
	found->rest = count % slice;
	found->device = count - slices * slice;
	found->cpu_share = (double)(slices * slice) / (double)count;
	return fft_cut_describe(&found->cut, found->device, &map);
}

struct fft_problem fft_share_count(const struct fft_share *share, int64_t turns)
{
	struct fft_problem problem = share->cut.problem;
	problem.loop[share->cut.loop].n = turns;
	problem.howmany = problem.howmany / share->cut.count * turns;
	return problem;
}

struct fft_call fft_share_place(const struct fft_share *share, const struct fft_call *call,
                                const struct fft_problem *turns, int64_t first)
{
	struct fft_call part = *call;
	part.problem = turns;
	part.in = (char *)call->in + first * share->cut.input_bytes;
	part.out = (char *)call->out + first * share->cut.output_bytes;
	return part;
}
