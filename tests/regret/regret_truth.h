/* regret_truth.h - what calls really take on a machine, which is not what the policy's formula says */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_REGRET_REGRET_TRUTH_H
#define GPUSHIM_TESTS_REGRET_REGRET_TRUTH_H

#include "measure/random.h"
#include "policy/machine/machine.h"
#include "tests/regret/regret_call.h"

/*
 * Mean times of each shape: the CPU's by the machine's curves, the GPU's by a plan of the engine's
 * own planner, timed step by step. Both times a factor (log-normal, sigma 0.25) that a routine has
 * on that machine, on each side, and that changes with the work: drawn anew for each factor of
 * four, and interpolated.
 */
struct regret_truth {
	double *cpu_ns, *gpu_ns;  /* of trace->shape_count */
	double start_ns, plan_ns; /* of CUDA, and of the first transform of a shape on the GPU */
};

/* false where there is no memory, and nothing is to be freed then. */
bool regret_truth_make(const struct trace *trace, const struct regret_call *calls,
                       const struct machine *machine, int threads, uint64_t seed,
                       struct regret_truth *truth);

void regret_truth_free(struct regret_truth *truth);

/* The noise of one call on one side (0: CPU): 3 % about 1. */
static inline double regret_truth_noise(uint64_t seed, uint64_t call, unsigned side)
{
	static const double spread = 0.104; /* of a uniform number, for a deviation of 0.03 */
	return 1 + spread * random_number(seed, 2 * call + side);
}

#endif
