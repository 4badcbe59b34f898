/* explain_smallest.c - searches from the largest size down, then bisects */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/explain/explain_smallest.h"

#include "shim/execute/gpu/lapack/lapack_recipe.h"

enum { SMALLEST_BLAS_LIMIT = 65536, SMALLEST_FFT_LIMIT_BITS = 30 };

int64_t explain_smallest_limit(const struct call_problem *problem)
{
	const int rank = problem->sizes > 0 ? problem->sizes : 1;
	if (problem->family == FAMILY_GEEV)
		return LAPACK_RECIPE_GEEV_MOST;
	return family_is_fft(problem->family) ? INT64_C(1) << SMALLEST_FFT_LIMIT_BITS / rank
	                                      : SMALLEST_BLAS_LIMIT;
}

struct explain_size explain_smallest_look(const struct explain_view *view,
                                          const struct call_problem *problem, int64_t n)
{
	struct built_call built;
	struct cost cost;
	struct explain_size size = {.speedup = 0};
	bool gated;
	if (!call_problem_build_square(problem, n, &built) || built.call.defect != REASON_NONE)
		return size;
	cost_predict(&view->machine->complete, view->setting, &built.call, &cost);
	if (!(cost.cpu.whole_ns > 0) || !(cost.gpu.whole_ns > 0))
		return size;
	size.speedup = cost.cpu.whole_ns / cost.gpu.whole_ns;
	const struct decision decision = explain_decide_settled(view, &built.call, &cost, &gated);
	size.kept = explain_decide_is_kept(&decision);
	return size;
}

/* The next smaller size to try. */
static int64_t explain_smallest_step(int64_t n)
{
	const int64_t step = n / 50;
	return n - (step > 1 ? step : 1);
}

static bool explain_smallest_wins(const struct explain_view *view,
                                  const struct call_problem *problem, int64_t n, bool by_time)
{
	const struct explain_size size = explain_smallest_look(view, problem, n);
	return size.speedup > 1 && (by_time || !size.kept);
}

static int64_t explain_smallest_search(const struct explain_view *view,
                                       const struct call_problem *problem, bool by_time)
{
	int64_t wins = 0, loses = explain_smallest_limit(problem);
	while (loses > 0 && explain_smallest_wins(view, problem, loses, by_time)) {
		wins = loses;
		loses = explain_smallest_step(loses);
	}
	while (wins - loses > 1) {
		const int64_t middle = loses + (wins - loses) / 2;
		if (explain_smallest_wins(view, problem, middle, by_time))
			wins = middle;
		else
			loses = middle;
	}
	return wins;
}

struct explain_smallest explain_smallest_find(const struct explain_view *view,
                                              const struct call_problem *problem)
{
	return (struct explain_smallest){
		.by_time = explain_smallest_search(view, problem, true),
		.pays = explain_smallest_search(view, problem, false),
	};
}
