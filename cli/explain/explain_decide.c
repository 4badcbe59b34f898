/* explain_decide.c - decides as the shim does: the gate first, then the rules */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/explain/explain_decide.h"

#include <string.h>

static struct experience explain_decide_find_experience(const struct explain_view *view,
                                                        struct learn *learn)
{
	return (struct experience){.machine = &view->machine->complete,
	                           .source = view->machine->source,
	                           .learn = learn};
}

static struct situation explain_decide_situate(const struct explain_view *view)
{
	return (struct situation){.gpu = GPU_READY, .setting = *view->setting};
}

uint64_t explain_decide_gate(const struct explain_view *view, const struct call *call)
{
	const struct experience experience = explain_decide_find_experience(view, NULL);
	const struct situation situation = explain_decide_situate(view);
	return decide_gate_bytes(view->options, &experience, &situation, call->family,
	                         call->element);
}

/* Decides as the shim does once CUDA runs. learn may be NULL. */
static struct decision explain_decide_with(const struct explain_view *view, const struct call *call,
                                           struct learn *learn, bool *gated)
{
	const struct experience experience = explain_decide_find_experience(view, learn);
	const struct situation situation = explain_decide_situate(view);
	struct decision decision;
	decide(view->options, &experience, &situation, call, &decision);
	const bool ruled_out =
		decision.reason == REASON_DISABLED || decision.reason == REASON_POLICY_NEVER;
	*gated = !ruled_out && !decide_passes_gate(view->options, &experience, &situation, call);
	if (*gated) {
		decision.target = TARGET_CPU;
		decision.reason = REASON_BELOW_THRESHOLD;
		decision.device = -1;
		decision.looks = false;
	}
	return decision;
}

struct decision explain_decide_first(const struct explain_view *view, const struct call *call,
                                     bool *gated)
{
	return explain_decide_with(view, call, NULL, gated);
}

/* Observations after which learn has no doubt. */
enum { EXPLAIN_CALLS_SEEN = 4 };

struct decision explain_decide_settled(const struct explain_view *view, const struct call *call,
                                       const struct cost *cost, bool *gated)
{
	static struct learn learn;
	const double cpu_ns = cost->cpu.whole_ns, gpu_ns = cost->gpu.whole_ns;
	const enum target faster = gpu_ns < cpu_ns ? TARGET_GPU : TARGET_CPU;
	const enum target order[] = {faster == TARGET_GPU ? TARGET_CPU : TARGET_GPU, faster};
	memset(&learn, 0, sizeof learn);
	for (int i = 0; i < LEARN_SIDES; i++) {
		const struct decision seen = {.target = order[i],
		                              .model_cpu_ns = cpu_ns,
		                              .model_gpu_ns = gpu_ns,
		                              .predicted_cpu_ns = cpu_ns,
		                              .predicted_gpu_ns = gpu_ns};
		for (int times = 0; times < EXPLAIN_CALLS_SEEN; times++)
			learn_note(&learn, call, &seen, order[i] == TARGET_GPU ? gpu_ns : cpu_ns);
	}
	return explain_decide_with(view, call, &learn, gated);
}

bool explain_decide_is_kept(const struct decision *decision)
{
	switch (decision->reason) {
	case REASON_DISABLED:
	case REASON_PROGRAM_EXCLUDED:
	case REASON_POLICY_NEVER:
	case REASON_BELOW_THRESHOLD:
	case REASON_BELOW_WORK:
	case REASON_BELOW_K: return true;
	default: return false;
	}
}
