/* decide.c - options, defects, policy, GPU state: in this order */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/decide.h"

#include <stddef.h>

#include "policy/cost.h"

static enum reason decide_ruled_out(const struct options *options, const struct situation *situation)
{
	if (!options->enabled)
		return REASON_DISABLED;
	if (situation->program_excluded)
		return REASON_PROGRAM_EXCLUDED;
	if (options->policy == POLICY_NEVER)
		return REASON_POLICY_NEVER;
	return REASON_NONE;
}

static uint64_t decide_threshold(const struct options *options, enum family family, enum element element)
{
	return routine_threshold_get(&options->thresholds, family, element, options->workload_threshold);
}

static enum reason decide_by_policy(const struct options *options, const struct call *call)
{
	if (options->policy == POLICY_ALWAYS)
		return REASON_POLICY_ALWAYS;
	if (call->size_bytes < decide_threshold(options, call->family, call->element))
		return REASON_BELOW_THRESHOLD;
	if (call->work_flops < (double)options->work_threshold)
		return REASON_BELOW_WORK;
	if (!family_is_fft(call->family) && call->blas.k < (int64_t)options->k_threshold)
		return REASON_BELOW_K;
	return REASON_ABOVE_THRESHOLD;
}

static void decide_by_gpu(const struct situation *situation, enum reason wish, struct decision *decision)
{
	switch (situation->gpu) {
	case GPU_READY:
		decision->target = TARGET_GPU;
		decision->reason = wish;
		decision->device = situation->device;
		break;
	case GPU_ASLEEP:
	case GPU_WARMING:
		decision->reason = REASON_WARMING_UP;
		decision->wakes_gpu = situation->gpu == GPU_ASLEEP;
		break;
	case GPU_OFF: decision->reason = situation->off_reason; break;
	}
}

void decide(const struct options *options, const struct machine *machine, const struct situation *situation,
            const struct call *call, struct decision *decision)
{
	*decision =
		(struct decision){.target = TARGET_CPU, .device = -1, .predicted_cpu_ns = -1, .predicted_gpu_ns = -1};
	if (machine != NULL && call->defect == REASON_NONE)
		cost_predict(machine, call, &decision->predicted_cpu_ns, &decision->predicted_gpu_ns);
	decision->reason = decide_ruled_out(options, situation);
	if (decision->reason != REASON_NONE)
		return;
	decision->reason = call->defect;
	if (decision->reason != REASON_NONE)
		return;
	const enum reason wish = decide_by_policy(options, call);
	if (reason_outcome(wish) == OUTCOME_CPU)
		decision->reason = wish;
	else
		decide_by_gpu(situation, wish, decision);
}

uint64_t decide_gate_bytes(const struct options *options, const struct situation *situation, enum family family,
                           enum element element)
{
	if (decide_ruled_out(options, situation) != REASON_NONE)
		return UINT64_MAX;
	return options->policy == POLICY_ALWAYS ? 0 : decide_threshold(options, family, element);
}
