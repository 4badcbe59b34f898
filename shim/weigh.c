/* weigh.c - decides on calls with all that is known: the machine, what was learnt, where the call finds itself */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/weigh.h"

#include <errno.h>
#include <stddef.h>

#include "shim/describe/plans.h"
#include "shim/execute/cpu_threads.h"
#include "shim/execute/gpu/device_nodes.h"
#include "shim/execute/gpu/session.h"
#include "shim/execute/gpu/survey.h"
#include "shim/init.h"
#include "shim/record/counters.h"
#include "shim/weigh_machine.h"

static struct learn weigh_learn;
static const struct options *weigh_options;
static bool weigh_times, weigh_predicts; /* decides by time; tells times */
static bool weigh_start_is_free;

/* Whether any routine is decided by time. */
static bool weigh_is_timed(const struct options *options)
{
	bool timed = false;
	for (int family = 0; family < FAMILY_COUNT; family++)
		for (int element = 0; element < ELEMENT_COUNT; element++) {
			const int policy = routine_policy_get(&options->policies, (enum family)family,
			                                      (enum element)element, options->policy);
			timed = timed || policy == POLICY_AUTO || policy == POLICY_DRY;
		}
	return timed;
}

void weigh_open(const struct options *options)
{
	weigh_options = options;
	weigh_times = weigh_is_timed(options);
	weigh_start_is_free = options->warmup == WARMUP_WAIT || !device_nodes_exist("");
	const bool found = weigh_machine_open(options, weigh_times && !options->deterministic);
	weigh_predicts = weigh_times || found;
}

static struct experience weigh_find_experience(void)
{
	struct experience experience = {.learn = weigh_times ? &weigh_learn : NULL};
	if (weigh_predicts)
		experience.machine = weigh_machine_find(&experience.source);
	return experience;
}

uint64_t weigh_find_gate(const struct situation *situation, enum family family, enum element element)
{
	const struct experience experience = weigh_find_experience();
	return decide_gate_bytes(weigh_options, &experience, situation, family, element);
}

/* A decision in the making. */
struct weighing {
	const struct call *call;
	struct experience experience;
	struct situation situation;
};

static struct plan_entry *weigh_find_plan(const struct call *call)
{
	return family_is_fft(call->family) ? plans_find(call->fft.plan_key) : NULL;
}

/* The GPU's state may have changed since, and what is known of it; where nothing is predicted no more is needed. */
static void weigh_look_around(struct weighing *weighing)
{
	struct situation *situation = &weighing->situation;
	session_describe(situation);
	weighing->experience = weigh_find_experience();
	if (weighing->experience.machine != NULL)
		survey_call(weighing->call, weighing->experience.machine->fft_plan_ns, situation);
}

static struct weighing weigh_begin(const struct call *call, bool program_excluded)
{
	return (struct weighing){
		.call = call,
		.experience = weigh_find_experience(),
		.situation = {.program_excluded = program_excluded, .start_is_free = weigh_start_is_free}};
}

static void weigh_find_decision(struct weighing *weighing, struct decision *decision)
{
	weigh_look_around(weighing);
	decide(weigh_options, &weighing->experience, &weighing->situation, weighing->call, decision);
}

static void weigh_find_threads(struct weighing *weighing, const void *code)
{
	const struct plan_entry *plan = weigh_find_plan(weighing->call);
	struct situation *situation = &weighing->situation;
	if (weighing->experience.machine == NULL)
		return;
	if (family_is_fft(weighing->call->family))
		situation->setting.cpu_threads = cpu_threads_find_fft(code, plan != NULL ? plan->request.threads : 0);
	else
		situation->setting.cpu_threads = cpu_threads_find(code);
	if (plan != NULL)
		situation->setup_saved_ns = atomic_load_explicit(&plan->saved_ns, memory_order_relaxed);
}

void weigh_decide(struct visit *visit, bool program_excluded)
{
	struct weighing weighing = weigh_begin(&visit->call, program_excluded);
	struct decision *decision = &visit->decision;
	weigh_find_threads(&weighing, visit->code);
	weigh_find_decision(&weighing, decision);
	const bool waits = weigh_options->warmup == WARMUP_WAIT && decision->reason == REASON_WARMING_UP;
	if (decision->wakes_gpu || waits)
		session_wake();
	if (waits)
		weigh_find_decision(&weighing, decision);
	if (weighing.situation.gpu == GPU_OFF)
		init_raise_gates();
	visit->pays_setup = waits || (decision->target == TARGET_GPU && weighing.situation.setting.setup_ns > 0);
}

bool weigh_expects_gpu(const struct call *call, const void *code, int threads, bool program_excluded)
{
	const int saved_errno = errno;
	struct weighing weighing = weigh_begin(call, program_excluded);
	struct decision decision;
	weighing.situation.setting.cpu_threads = cpu_threads_find_fft(code, threads);
	weigh_find_decision(&weighing, &decision);
	if (decision.wakes_gpu) {
		session_wake();
		weigh_find_decision(&weighing, &decision);
	}
	errno = saved_errno;
	return decision.target == TARGET_GPU || decision.reason == REASON_WARMING_UP ||
	       decision.reason == REASON_START_NOT_PAID || decision.reason == REASON_SETUP_NOT_PAID;
}

static void weigh_note_saving(const struct visit *visit)
{
	const double saving_ns = visit->decision.saving_ns;
	struct plan_entry *plan = weigh_find_plan(&visit->call);
	if (visit->decision.reason == REASON_START_NOT_PAID)
		learn_note_saving(&weigh_learn, saving_ns);
	else if (plan != NULL) /* of two threads one may be lost */
		atomic_store_explicit(&plan->saved_ns,
		                      atomic_load_explicit(&plan->saved_ns, memory_order_relaxed) + saving_ns,
		                      memory_order_relaxed);
}

/* A call that the GPU gave back took the time of both, one that waited for CUDA or a plan that of its making too. */
void weigh_note(const struct visit *visit, int64_t elapsed_ns)
{
	const struct decision *decision = &visit->decision;
	if (!weigh_times)
		return;
	if (decision->saving_ns > 0)
		weigh_note_saving(visit);
	if (reason_outcome(decision->reason) == OUTCOME_BACK || visit->pays_setup)
		return;
	learn_note(&weigh_learn, &visit->call, decision, (double)elapsed_ns);
	counters_set_books(&weigh_learn.books);
}
