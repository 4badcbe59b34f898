/* regret_truth.h - the real times of calls on a machine; no formula of the policy is in them */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_REGRET_REGRET_TRUTH_H
#define GPUSHIM_TESTS_REGRET_REGRET_TRUTH_H

#include "measure/random.h"
#include "policy/options/options.h"
#include "tests/regret/regret_fault.h"

/*
 * Mean times of each shape, from formulas of their own: nothing of policy/decide, policy/plan or a
 * profile is asked. Both sides are multiplied by a factor (log-normal, sigma 0.25) of the routine,
 * the machine and the side, which is drawn for each factor of four in work, and interpolated
 * between; and by one (sigma 0.15) of the call's shape.
 */
struct regret_truth {
	double *cpu_ns, *gpu_ns;  /* one per shape */
	double start_ns, plan_ns; /* of CUDA, and of a shape's first transform on the GPU */
};

/* One replay of a trace. */
struct regret_trial {
	int machine;
	uint64_t seed;
	const struct regret_fault *fault;
	const struct options *options; /* of the processes that use the policy */
	int loud;                      /* the belief whose decisions are printed, or -1 */
};

/* false where there is no memory; then nothing is to be freed. */
bool regret_truth_make(const struct call_trace *trace, const struct regret_call *calls,
                       const struct regret_trial *trial, struct regret_truth *truth);

void regret_truth_free(struct regret_truth *truth);

/* The factor of noise of one call on one side (0: CPU): 3 % about 1. */
static inline double regret_truth_noise(uint64_t seed, uint64_t call, unsigned side)
{
	static const double spread = 0.104; /* width of a uniform number whose deviation is 0.03 */
	return 1 + spread * random_number(seed, 2 * call + side);
}

#endif
