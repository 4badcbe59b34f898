/* regret_truth.h - the real times of calls on a machine, which differ from the policy's formula */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_REGRET_REGRET_TRUTH_H
#define GPUSHIM_TESTS_REGRET_REGRET_TRUTH_H

#include "measure/random.h"
#include "policy/machine/machine.h"
#include "tests/regret/regret_call.h"

/*
 * Mean times of each shape. The CPU's come from the machine's curves, the GPU's from a plan of the
 * engine's planner, timed step by step. Both are multiplied by a factor (log-normal, sigma 0.25) of
 * the routine, the machine and the side; it is drawn for each factor of four in work, and
 * interpolated between.
 */
struct regret_truth {
	double *cpu_ns, *gpu_ns;  /* one per shape */
	double start_ns, plan_ns; /* of CUDA, and of a shape's first transform on the GPU */
};

/* false where there is no memory; then nothing is to be freed. */
bool regret_truth_make(const struct call_trace *trace, const struct regret_call *calls,
                       const struct machine *machine, int threads, uint64_t seed,
                       struct regret_truth *truth);

void regret_truth_free(struct regret_truth *truth);

/* The factor of noise of one call on one side (0: CPU): 3 % about 1. */
static inline double regret_truth_noise(uint64_t seed, uint64_t call, unsigned side)
{
	static const double spread = 0.104; /* width of a uniform number whose deviation is 0.03 */
	return 1 + spread * random_number(seed, 2 * call + side);
}

#endif
