/* cpu_slices.c - makes and executes plans for parts of a batch of transforms */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/cpu/cpu_slices.h"

#include <stdlib.h>

#include "shim/base/fp_environment.h"
#include "shim/base/loader.h"
#include "shim/execute/cpu/cpu_planner.h"
#include "shim/shield/shield.h"

/* The distance of slices at which FFTW's vector code finds each of them aligned as the first. */
enum { CPU_SLICES_ALIGNMENT_BYTES = 64 };

/* rest: NULL where the batch has none. slice_turns, rest_turns: what they are plans for. */
struct cpu_slices {
	struct fft_problem slice_turns, rest_turns;
	struct cpu_plan *slice, *rest;
	int64_t count;
	int loop;
};

static struct fft_call cpu_slices_place_slice(const struct cpu_slices *slices,
                                              const struct fft_share *share,
                                              const struct fft_call *call, int64_t first)
{
	return fft_share_place(share, call, &slices->slice_turns, first);
}

static struct fft_call cpu_slices_place_rest(const struct cpu_slices *slices,
                                             const struct fft_share *share,
                                             const struct fft_call *call)
{
	return fft_share_place(share, call, &slices->rest_turns, 0);
}

/* -- making -- */

/* Of the program's flags what it says of its arrays. FFTW_DESTROY_INPUT allows, and need not be. */
static unsigned cpu_slices_find_flags(const struct fft_share *share, unsigned asked)
{
	const int64_t in_bytes = share->slice * share->cut.input_bytes,
		      out_bytes = share->slice * share->cut.output_bytes;
	unsigned flags = asked & (CPU_PLANNER_UNALIGNED | CPU_PLANNER_PRESERVE_INPUT);
	if (in_bytes % CPU_SLICES_ALIGNMENT_BYTES != 0 ||
	    out_bytes % CPU_SLICES_ALIGNMENT_BYTES != 0)
		flags |= CPU_PLANNER_UNALIGNED;
	return flags | CPU_PLANNER_ESTIMATE;
}

static bool cpu_slices_fill(struct cpu_slices *slices, const struct fft_share *share,
                            const struct fft_call *call, const void *beside)
{
	const unsigned flags = cpu_slices_find_flags(share, call->problem->flags);
	const struct fft_call slice = cpu_slices_place_slice(slices, share, call, share->rest);
	slices->slice = cpu_planner_make(&slice, flags, beside);
	if (slices->slice == NULL || share->rest == 0)
		return slices->slice != NULL;
	const struct fft_call rest = cpu_slices_place_rest(slices, share, call);
	slices->rest = cpu_planner_make(&rest, flags, beside);
	return slices->rest != NULL;
}

typedef void cpu_slices_setter(int threads);

/* NULL: there is none. The number must be set if the planner has another one than is wanted. */
static cpu_slices_setter *cpu_slices_find_setter(const struct cpu_slices_planner *planner,
                                                 enum element element)
{
	const char *name =
		element == ELEMENT_C ? "fftwf_plan_with_nthreads" : "fftw_plan_with_nthreads";
	void *code = planner->setter != NULL ? loader_find_beside(planner->setter, name) : NULL;
	return __extension__(cpu_slices_setter *) code;
}

static bool cpu_slices_plan(struct cpu_slices *slices, const struct fft_share *share,
                            const struct fft_call *call, int threads,
                            const struct cpu_slices_planner *planner)
{
	if (threads == planner->threads)
		return cpu_slices_fill(slices, share, call, planner->beside);
	cpu_slices_setter *set = cpu_slices_find_setter(planner, call->problem->element);
	if (set == NULL)
		return false;
	set(threads);
	const bool made = cpu_slices_fill(slices, share, call, planner->beside);
	set(planner->threads);
	return made;
}

struct cpu_slices *cpu_slices_make(const struct fft_share *share, const struct fft_call *call,
                                   int threads, const struct cpu_slices_planner *planner)
{
	struct cpu_slices *slices = calloc(1, sizeof *slices);
	if (slices == NULL)
		return NULL;
	slices->slice_turns = fft_share_count(share, share->slice);
	slices->rest_turns = fft_share_count(share, share->rest);
	slices->count = share->cut.count;
	slices->loop = share->cut.loop;
	cpu_planner_lock();
	const bool made = cpu_slices_plan(slices, share, call, threads, planner);
	cpu_planner_unlock();
	if (made)
		return slices;
	cpu_slices_drop(slices);
	return NULL;
}

void cpu_slices_drop(struct cpu_slices *slices)
{
	if (slices->slice != NULL)
		cpu_planner_drop(slices->slice);
	if (slices->rest != NULL)
		cpu_planner_drop(slices->rest);
	free(slices);
}

/* -- executing -- */

bool cpu_slices_fit(const struct cpu_slices *slices, const struct fft_share *share,
                    const struct fft_call *call)
{
	if (slices->count != share->cut.count || slices->loop != share->cut.loop ||
	    slices->slice_turns.loop[slices->loop].n != share->slice)
		return false;
	const struct fft_call slice = cpu_slices_place_slice(slices, share, call, share->rest),
			      rest = cpu_slices_place_rest(slices, share, call);
	return cpu_planner_fits(slices->slice, &slice) &&
	       (slices->rest == NULL || cpu_planner_fits(slices->rest, &rest));
}

int64_t cpu_slices_run(const struct cpu_slices *slices, const struct fft_share *share,
                       const struct fft_call *call, int64_t end)
{
	const bool whole = end > share->rest;
	const int64_t first = whole ? end - share->slice : 0;
	const struct fft_call part = whole ? cpu_slices_place_slice(slices, share, call, first)
	                                   : cpu_slices_place_rest(slices, share, call);
	fp_environment_lend();
	cpu_planner_run(whole ? slices->slice : slices->rest, &part);
	fp_environment_take_back();
	return first;
}

int64_t cpu_slices_run_open(const struct cpu_slices *slices, const struct fft_share *share,
                            const struct fft_call *call, int64_t end)
{
	shield_open();
	const int64_t first = cpu_slices_run(slices, share, call, end);
	shield_close();
	return first;
}
