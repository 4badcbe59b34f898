/* replay.c - decides again on calls whose times are known */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/decide/replay.h"

#include "policy/decide/learn_share.h"
#include "policy/decide/share_cost.h"

void replay_open_gates(struct replay *replay)
{
	for (int family = 0; family < FAMILY_COUNT; family++)
		for (int element = 0; element < ELEMENT_COUNT; element++)
			replay->gate_bytes[family][element] = decide_gate_bytes(
				replay->options, &replay->experience, &replay->situation,
				(enum family)family, (enum element)element);
}

bool replay_decides(const struct replay *replay, const struct call *call)
{
	return call->size_bytes >= replay->gate_bytes[call->family][call->element];
}

void replay_pass(struct replay *replay, double gap_ns, double cpu_ns)
{
	replay->clock_ns += gap_ns + cpu_ns;
	replay->busy_ns += cpu_ns;
}

bool replay_advance(struct replay *replay, double gap_ns)
{
	replay->clock_ns += gap_ns;
	if (replay->situation.gpu != GPU_WARMING || replay->clock_ns < replay->ready_ns)
		return false;
	replay->situation.gpu = GPU_READY;
	return true;
}

/* The call that starts CUDA goes on on the CPU, or waits for CUDA. */
static void replay_wake(struct replay *replay, const struct call *call, struct decision *decision)
{
	if (replay->options->warmup != WARMUP_WAIT) {
		replay->situation.gpu = GPU_WARMING;
		replay->ready_ns = replay->clock_ns + replay->start_ns;
		return;
	}
	replay->situation.gpu = GPU_READY;
	replay_pass(replay, 0, replay->start_ns);
	decide(replay->options, &replay->experience, &replay->situation, call, decision);
}

/* As shim/route/route_decide.c does it. first: the call paid for what later ones use too. */
static void replay_note(struct replay *replay, const struct call *call, struct replay_plan *plan,
                        const struct decision *decision, double elapsed_ns, bool first)
{
	struct learn *learn = replay->experience.learn;
	if (learn == NULL)
		return;
	if (decision->saving_ns > 0 && decision->reason == REASON_START_NOT_PAID)
		learn_note_saving(learn, decision->saving_ns);
	else if (decision->saving_ns > 0)
		plan->saved_ns += decision->saving_ns;
	if (first)
		learn_note_first(learn, call, decision, elapsed_ns);
	else
		learn_note(learn, call, decision, elapsed_ns);
}

/*
 * Runs a call that both sides share: each part takes what share_cost_predict makes of the times
 * alone. Returns the time of the call, less than 0 where it is not divided.
 */
static double replay_share(struct replay *replay, const struct call *call,
                           const struct decision *decision, const struct replay_times *times)
{
	const struct share_sides sides = {
		.alone_ns = {times->cpu_ns, times->gpu_ns},
		.factor = {times->share_factor[TARGET_CPU] > 0 ? times->share_factor[TARGET_CPU]
	                                                       : 1,
	                   times->share_factor[TARGET_GPU] > 0 ? times->share_factor[TARGET_GPU]
	                                                       : 1},
	};
	struct share_plan plan;
	if (!share_cost_predict(replay->experience.machine, &replay->situation.setting, call,
	                        &sides, decision->cpu_share, &plan))
		return -1;
	for (int side = 0; side < LEARN_SIDES; side++)
		plan.part_ns[side] *= sides.factor[side];
	if (replay->experience.learn != NULL)
		learn_share_note(replay->experience.learn, call, decision, plan.cpu_share,
		                 plan.part_ns, plan.whole_ns);
	return plan.whole_ns;
}

/* The one-time cost of the call's kind on the GPU: of its cuFFT plan, or of cuSOLVER's start. */
static double replay_find_setup(const struct replay *replay, const struct call *call)
{
	const struct machine *machine = replay->experience.machine;
	if (family_is_lapack(call->family))
		return machine->solver_start_ns;
	return family_is_fft(call->family) ? machine->fft_plan_ns : 0;
}

void replay_run(struct replay *replay, const struct call *call, struct replay_plan *plan,
                const struct replay_times *times, struct decision *decision)
{
	const bool solves = family_is_lapack(call->family);
	struct replay_plan *own = solves ? &replay->solver : plan;
	const bool pays = (solves || family_is_fft(call->family)) && !own->made;
	struct situation *situation = &replay->situation;
	situation->setup_saved_ns = own->saved_ns;
	situation->setting.setup_ns = pays ? replay_find_setup(replay, call) : 0;
	decide(replay->options, &replay->experience, situation, call, decision);
	if (decision->wakes_gpu)
		replay_wake(replay, call, decision);
	const bool gpu = decision->target == TARGET_GPU;
	const double shared_ns = decision->reason == REASON_SHARED_WITH_CPU
	                                 ? replay_share(replay, call, decision, times)
	                                 : -1;
	if (shared_ns > 0) {
		replay_pass(replay, 0, shared_ns);
		replay->offloads++;
		return;
	}
	const double made_ns = solves ? situation->setting.setup_ns : times->plan_ns;
	const double elapsed_ns = gpu ? times->gpu_ns + (pays ? made_ns : 0) : times->cpu_ns;
	replay_pass(replay, 0, elapsed_ns);
	replay->offloads += gpu;
	bool *used = &replay->used[call->family][call->element];
	replay_note(replay, call, own, decision, elapsed_ns, gpu && (pays || !*used));
	own->made = own->made || (gpu && pays);
	*used = *used || gpu;
}
