/* explain_smallest.c - searches from the largest size down, then bisects */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/explain/explain_smallest.h"

enum { SMALLEST_BLAS_LIMIT = 65536, SMALLEST_FFT_LIMIT_BITS = 30 };

int64_t explain_smallest_limit(const struct call_problem *problem)
{
	const int rank = problem->sizes > 0 ? problem->sizes : 1;
	return family_is_fft(problem->family) ? INT64_C(1) << SMALLEST_FFT_LIMIT_BITS / rank
	                                      : SMALLEST_BLAS_LIMIT;
}

double explain_smallest_speedup(const struct machine *machine, const struct cost_setting *setting,
                                const struct call_problem *problem, int64_t n)
{
	struct built_call built;
	struct cost cost;
	if (!call_problem_build_square(problem, n, &built) || built.call.defect != REASON_NONE)
		return 0;
	cost_predict(machine, setting, &built.call, &cost);
	return cost.cpu.whole_ns > 0 && cost.gpu.whole_ns > 0
	               ? cost.cpu.whole_ns / cost.gpu.whole_ns
	               : 0;
}

/* The next smaller size to try. */
static int64_t explain_smallest_step(int64_t n)
{
	const int64_t step = n / 50;
	return n - (step > 1 ? step : 1);
}

int64_t explain_smallest_find(const struct machine *machine, const struct cost_setting *setting,
                              const struct call_problem *problem)
{
	int64_t wins = 0, loses = explain_smallest_limit(problem);
	while (loses > 0 && explain_smallest_speedup(machine, setting, problem, loses) > 1) {
		wins = loses;
		loses = explain_smallest_step(loses);
	}
	while (wins - loses > 1) {
		const int64_t middle = loses + (wins - loses) / 2;
		if (explain_smallest_speedup(machine, setting, problem, middle) > 1)
			wins = middle;
		else
			loses = middle;
	}
	return wins;
}
