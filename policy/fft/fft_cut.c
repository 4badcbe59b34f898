/* fft_cut.c - tries each loop: whether groups of its iterations are as contiguous as the whole */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/fft/fft_cut.h"

#include "policy/call/fft_extent.h"

/* Shorter runs are slow to copy; this many groups keep both links busy. */
enum { FFT_CUT_RUN_BYTES = 1024, FFT_CUT_ENOUGH = 16 };

/* Whether the outer loop continues the inner one on both sides. */
static bool fft_cut_continues(const struct fft_dim *outer, const struct fft_dim *inner)
{
	int64_t input, output;
	return !__builtin_mul_overflow(inner->n, inner->input_stride, &input) &&
	       !__builtin_mul_overflow(inner->n, inner->output_stride, &output) &&
	       outer->input_stride == input && outer->output_stride == output;
}

/* Joins one pair of loops; false if there is none. */
static bool fft_cut_join_loops(struct fft_problem *problem)
{
	for (int outer = 0; outer < problem->loops; outer++)
		for (int inner = 0; inner < problem->loops; inner++) {
			struct fft_dim *loop = problem->loop;
			if (inner == outer || !fft_cut_continues(&loop[outer], &loop[inner]))
				continue;
			loop[inner].n *= loop[outer].n;
			loop[outer] = loop[--problem->loops];
			return true;
		}
	return false;
}

static uint64_t fft_cut_run_bytes(const struct fft_layout *layout)
{
	if (layout->kind != FFT_LAYOUT_PITCHED)
		return fft_layout_size_bytes(layout);
	return (uint64_t)layout->axis[1].n * layout->element_bytes;
}

/* Whether the part is as fast to copy as the whole, or fast enough. */
static bool fft_cut_side_suits(const struct fft_layout *whole, const struct fft_layout *part)
{
	if (whole->kind == FFT_LAYOUT_SCATTERED)
		return true;
	const uint64_t whole_bytes = fft_cut_run_bytes(whole);
	const uint64_t least_bytes =
		whole_bytes < FFT_CUT_RUN_BYTES ? whole_bytes : FFT_CUT_RUN_BYTES;
	return part->kind != FFT_LAYOUT_SCATTERED && fft_cut_run_bytes(part) >= least_bytes;
}

bool fft_cut_describe(const struct fft_cut *cut, int64_t pieces, struct fft_map *map)
{
	struct fft_problem part = cut->problem;
	if (pieces == cut->count) {
		*map = cut->whole;
		return true;
	}
	part.loop[cut->loop].n = pieces;
	part.howmany = part.howmany / cut->count * pieces;
	return fft_map_describe(&part, map);
}

/* The least group that suits, among powers of two; 0 if none does. */
static int64_t fft_cut_find_least(const struct fft_cut *cut)
{
	struct fft_map map;
	for (int64_t pieces = 1; pieces <= cut->count / 2; pieces *= 2)
		if (fft_cut_describe(cut, pieces, &map) && map.steps <= cut->whole.steps &&
		    fft_cut_side_suits(&cut->whole.input, &map.input) &&
		    fft_cut_side_suits(&cut->whole.output, &map.output))
			return pieces;
	return 0;
}

static uint64_t fft_cut_reach(const struct fft_dim *loop)
{
	return loop->input_stride < 0 ? -(uint64_t)loop->input_stride
	                              : (uint64_t)loop->input_stride;
}

/* The loop with the largest stride that is not in the mask tried; -1 if none is left. */
static int fft_cut_next_loop(const struct fft_problem *problem, unsigned tried)
{
	int next = -1;
	for (int i = 0; i < problem->loops; i++)
		if ((tried & 1U << i) == 0 &&
		    (next < 0 ||
		     fft_cut_reach(&problem->loop[i]) > fft_cut_reach(&problem->loop[next])))
			next = i;
	return next;
}

/* Takes this loop if it gives more pieces than the present one. */
static void fft_cut_try_loop(struct fft_cut *cut, int loop)
{
	const struct fft_dim *axis = &cut->problem.loop[loop];
	struct fft_cut trial = *cut;
	trial.loop = loop;
	trial.count = axis->n;
	trial.least = fft_cut_find_least(&trial);
	if (trial.least == 0 || trial.count / trial.least <= cut->count / cut->least)
		return;
	trial.input_bytes =
		axis->input_stride * (int64_t)fft_extent_element_bytes(&cut->problem, false);
	trial.output_bytes =
		axis->output_stride * (int64_t)fft_extent_element_bytes(&cut->problem, true);
	*cut = trial;
}

bool fft_cut_find(const struct fft_call *call, bool shares, struct fft_cut *cut)
{
	unsigned tried = 0;
	*cut = (struct fft_cut){.problem = *call->problem, .count = 1, .least = 1};
	if (!fft_map_describe(call->problem, &cut->whole))
		return false;
	while (fft_cut_join_loops(&cut->problem))
		continue;
	for (int loop = fft_cut_next_loop(&cut->problem, tried);
	     loop >= 0 && cut->count / cut->least < FFT_CUT_ENOUGH;
	     loop = fft_cut_next_loop(&cut->problem, tried)) {
		tried |= 1U << loop;
		if (!shares || fft_extent_is_apart(call, &cut->problem, loop))
			fft_cut_try_loop(cut, loop);
	}
	return true;
}
