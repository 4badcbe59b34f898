/* route_decide.c - decides on a call from the profile, the measured times and the GPU's state */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/route/route_decide.h"

#include "policy/decide/learn_share.h"

#include <errno.h>
#include <stddef.h>

#include "shim/base/fp_environment.h"
#include "shim/base/one_off.h"
#include "shim/describe/plans.h"
#include "shim/execute/cpu/cpu_threads.h"
#include "shim/execute/gpu/copy/copiers.h"
#include "shim/execute/gpu/device/lanes.h"
#include "shim/execute/gpu/node/device_nodes.h"
#include "shim/execute/gpu/session/session.h"
#include "shim/execute/gpu/session/survey.h"
#include "shim/record/counters.h"
#include "shim/route/route_machine.h"

static struct learn route_decide_learned;
static const struct options *route_decide_options;
/* Some routine is decided by time; times are predicted, for that or because there is a profile. */
static bool route_decide_times, route_decide_predicts;
static bool route_decide_start_is_free;

/* Whether any routine is decided by time. */
static bool route_decide_is_timed(const struct options *options)
{
	bool timed = false;
	for (int family = 0; family < FAMILY_COUNT; family++)
		for (int element = 0; element < ELEMENT_COUNT; element++) {
			const int policy =
				routine_policy_get(&options->policies, (enum family)family,
			                           (enum element)element, options->policy);
			timed = timed || policy == POLICY_AUTO || policy == POLICY_DRY;
		}
	return timed;
}

void route_decide_open(const struct options *options)
{
	route_decide_options = options;
	route_decide_times = route_decide_is_timed(options);
	route_decide_start_is_free = options->warmup == WARMUP_WAIT || !device_nodes_exist("");
	const bool found =
		route_machine_open(options, route_decide_times && !options->deterministic);
	route_decide_predicts = route_decide_times || found;
}

static struct experience route_decide_get_experience(void)
{
	struct experience experience = {.learn = route_decide_times ? &route_decide_learned : NULL};
	if (route_decide_predicts)
		experience.machine = route_machine_find(&experience.source);
	return experience;
}

uint64_t route_decide_find_gate(const struct situation *situation, enum family family,
                                enum element element)
{
	const struct experience experience = route_decide_get_experience();
	return decide_gate_bytes(route_decide_options, &experience, situation, family, element);
}

/* A call and all that the decision on it is taken from. */
struct decision_inputs {
	const struct call *call;
	struct experience experience;
	struct situation situation;
};

static struct plan_entry *route_decide_find_plan(const struct call *call)
{
	return family_is_fft(call->family) ? plans_find(call->fft.plan_key) : NULL;
}

/*
 * The GPU's state and the machine may have changed since they were last read. Without a machine
 * nothing is predicted, and the survey is not needed.
 */
static void route_decide_read_state(struct decision_inputs *inputs)
{
	struct situation *situation = &inputs->situation;
	session_describe(situation);
	survey_peers(situation);
	inputs->experience = route_decide_get_experience();
	if (inputs->experience.machine != NULL)
		survey_call(inputs->call, inputs->experience.machine->fft_plan_ns, situation);
	else if (situation->host_arithmetic || situation->inside_call || situation->below_fallback)
		survey_call(inputs->call, 0, situation); /* an operand may be the device's alone */
	if (inputs->experience.machine == NULL || !family_is_lapack(inputs->call->family))
		return;
	situation->setting.memory_bytes = (double)options_find_memory(route_decide_options);
	survey_solver(inputs->experience.machine->solver_start_ns, situation);
}

static struct decision_inputs route_decide_begin(const struct call *call, bool program_excluded)
{
	return (struct decision_inputs){.call = call,
	                                .experience = route_decide_get_experience(),
	                                .situation = {.program_excluded = program_excluded,
	                                              .start_is_free = route_decide_start_is_free}};
}

static void route_decide_find_decision(struct decision_inputs *inputs, struct decision *decision)
{
	route_decide_read_state(inputs);
	decide(route_decide_options, &inputs->experience, &inputs->situation, inputs->call,
	       decision);
}

static void route_decide_find_threads(struct decision_inputs *inputs, const void *code)
{
	const struct plan_entry *plan = route_decide_find_plan(inputs->call);
	struct situation *situation = &inputs->situation;
	if (inputs->experience.machine == NULL)
		return;
	if (family_is_fft(inputs->call->family))
		situation->setting.cpu_threads =
			cpu_threads_find_fft(code, plan != NULL ? plan->request.threads : 0);
	else
		situation->setting.cpu_threads = cpu_threads_find(code);
	situation->setting.copy_threads = copiers_count_beside(situation->setting.cpu_threads);
	if (plan != NULL)
		situation->setup_saved_ns =
			atomic_load_explicit(&plan->saved_ns, memory_order_relaxed);
	if (family_is_lapack(inputs->call->family))
		situation->setup_saved_ns = atomic_load_explicit(
			&route_decide_learned.solver_savings_ns, memory_order_relaxed);
}

void route_decide_call(struct visit *visit, bool program_excluded)
{
	struct decision_inputs inputs = route_decide_begin(&visit->call, program_excluded);
	struct decision *decision = &visit->decision;
	if (!family_is_lapack(visit->call.family))
		visit->share = (struct cpu_share){.wanted = 0};
	inputs.situation.host_arithmetic = !fp_environment_suits_device(&visit->program);
	inputs.situation.inside_call = lanes_is_inside(visit);
	inputs.situation.below_fallback = visit->below_fallback;
	route_decide_find_threads(&inputs, visit->code);
	route_decide_find_decision(&inputs, decision);
	const bool waits = route_decide_options->warmup == WARMUP_WAIT &&
	                   decision->reason == REASON_WARMING_UP;
	if (decision->wakes_gpu || waits)
		session_wake();
	if (waits)
		route_decide_find_decision(&inputs, decision);
	session_mark_thread();
	visit->pays_setup =
		waits || (decision->target == TARGET_GPU && inputs.situation.setting.setup_ns > 0);
}

bool route_decide_expects_gpu(const struct call *call, const void *code, int threads,
                              bool program_excluded)
{
	const int saved_errno = errno;
	struct decision_inputs inputs = route_decide_begin(call, program_excluded);
	struct decision decision;
	inputs.situation.setting.cpu_threads = cpu_threads_find_fft(code, threads);
	route_decide_find_decision(&inputs, &decision);
	if (decision.wakes_gpu) {
		session_wake();
		route_decide_find_decision(&inputs, &decision);
	}
	errno = saved_errno;
	return decision.target == TARGET_GPU || decision.reason == REASON_WARMING_UP ||
	       decision.reason == REASON_START_NOT_PAID || decision.reason == REASON_SETUP_NOT_PAID;
}

void route_decide_settle(struct visit *visit)
{
	if (visit->decision.reason != REASON_WARMING_UP)
		return;
	const enum reason absence = session_find_absence();
	if (absence != REASON_NONE)
		visit->decision.reason = absence;
}

static void route_decide_note_saving(const struct visit *visit)
{
	const double saving_ns = visit->decision.saving_ns;
	struct plan_entry *plan = route_decide_find_plan(&visit->call);
	if (visit->decision.reason == REASON_START_NOT_PAID)
		learn_note_saving(&route_decide_learned, saving_ns);
	else if (family_is_lapack(visit->call.family))
		learn_note_solver_saving(&route_decide_learned, saving_ns);
	else if (plan != NULL) /* two threads at once may lose one of two additions */
		atomic_store_explicit(&plan->saved_ns,
		                      atomic_load_explicit(&plan->saved_ns, memory_order_relaxed) +
		                              saving_ns,
		                      memory_order_relaxed);
}

/* Whether the call waited for CUDA's start, for a cuFFT plan, or on the GPU for one-off work. */
static bool route_decide_is_first(const struct visit *visit)
{
	return visit->pays_setup ||
	       (visit->decision.target == TARGET_GPU && one_off_since(visit->one_off));
}

static void route_decide_learn_shared(const struct visit *visit, int64_t elapsed_ns)
{
	const struct cpu_share *share = &visit->share;
	const double part_ns[LEARN_SIDES] = {
		[TARGET_CPU] = (double)share->cpu_ns, [TARGET_GPU] = (double)share->device_ns};
	if (!route_decide_is_first(visit))
		learn_share_note(&route_decide_learned, &visit->call, &visit->decision, share->done,
		                 part_ns, (double)elapsed_ns);
}

/*
 * Not learnt from: a call that the GPU gave back, whose time has both sides' in it. With a share
 * that the user has set, the time of the call is what the choice of the GPU costs.
 */
void route_decide_learn(const struct visit *visit, int64_t elapsed_ns)
{
	const struct decision *decision = &visit->decision;
	if (!route_decide_times)
		return;
	if (decision->saving_ns > 0)
		route_decide_note_saving(visit);
	if (reason_outcome(decision->reason) == OUTCOME_BACK)
		return;
	if (decision->reason == REASON_SHARED_WITH_CPU && visit_find_share(visit).done > 0)
		route_decide_learn_shared(visit, elapsed_ns);
	else if (route_decide_is_first(visit))
		learn_note_first(&route_decide_learned, &visit->call, decision, (double)elapsed_ns);
	else
		learn_note(&route_decide_learned, &visit->call, decision, (double)elapsed_ns);
	counters_set_totals(&route_decide_learned.totals);
}
