/* explain_facts.c - decides as the shim does, and finds what would change the decision */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/explain/explain_facts.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/explain/explain_smallest.h"

const char *explain_facts_name_band(enum explain_band band)
{
	static const char *const name[] = {"significant", "worthwhile", "marginal",
	                                   "do not offload", "unknown"};
	return name[band];
}

enum explain_band explain_facts_find_band(double speedup)
{
	if (!(speedup > 0))
		return BAND_UNKNOWN;
	if (speedup > 5)
		return BAND_SIGNIFICANT;
	if (speedup >= 2)
		return BAND_WORTHWHILE;
	return speedup >= 1 ? BAND_MARGINAL : BAND_DO_NOT;
}

static struct situation explain_facts_situate(const struct explain_facts *facts)
{
	return (struct situation){.gpu = GPU_READY, .setting = *facts->setting};
}

static uint64_t explain_facts_find_gate(const struct explain_facts *facts,
                                        const struct options *options)
{
	const struct experience experience = {.machine = &facts->machine->complete,
	                                      .source = facts->machine->source};
	const struct situation situation = explain_facts_situate(facts);
	return decide_gate_bytes(options, &experience, &situation, facts->call->family,
	                         facts->call->element);
}

/* Decides as the shim does once CUDA runs: by the gate first, then by decide. learn may be NULL. */
static struct decision explain_facts_decide(const struct explain_facts *facts,
                                            const struct options *options, struct learn *learn,
                                            bool *gated)
{
	const struct experience experience = {.machine = &facts->machine->complete,
	                                      .source = facts->machine->source,
	                                      .learn = learn};
	const struct situation situation = explain_facts_situate(facts);
	struct decision decision;
	decide(options, &experience, &situation, facts->call, &decision);
	const bool ruled_out =
		decision.reason == REASON_DISABLED || decision.reason == REASON_POLICY_NEVER;
	*gated = !ruled_out && facts->call->size_bytes < explain_facts_find_gate(facts, options);
	if (*gated) {
		decision.target = TARGET_CPU;
		decision.reason = REASON_BELOW_THRESHOLD;
		decision.device = -1;
		decision.looks = false;
	}
	return decision;
}

/* Observations after which learn has no doubt. */
enum { EXPLAIN_CALLS_SEEN = 4 };

/* The decision after calls like this one were measured on both sides and took the expected time. */
static struct decision explain_facts_settle(const struct explain_facts *facts,
                                            const struct options *options, bool *gated)
{
	static struct learn learn;
	const double cpu_ns = facts->cost.cpu.whole_ns, gpu_ns = facts->cost.gpu.whole_ns;
	const enum target faster = gpu_ns < cpu_ns ? TARGET_GPU : TARGET_CPU;
	const enum target order[] = {faster == TARGET_GPU ? TARGET_CPU : TARGET_GPU, faster};
	memset(&learn, 0, sizeof learn);
	for (int i = 0; i < LEARN_SIDES; i++) {
		const struct decision seen = {.target = order[i],
		                              .model_cpu_ns = cpu_ns,
		                              .model_gpu_ns = gpu_ns,
		                              .predicted_cpu_ns = cpu_ns,
		                              .predicted_gpu_ns = gpu_ns};
		for (int call = 0; call < EXPLAIN_CALLS_SEEN; call++)
			learn_note(&learn, facts->call, &seen,
			           order[i] == TARGET_GPU ? gpu_ns : cpu_ns);
	}
	return explain_facts_decide(facts, options, &learn, gated);
}

/* Arithmetic intensity and its break-even point, at the rates of this call. */
static void explain_facts_find_intensity(struct explain_facts *facts)
{
	const struct cost *cost = &facts->cost;
	const double moved_ns = cost->gpu.in_ns + cost->gpu.out_ns, work = facts->call->work_flops;
	facts->intensity = cost_find_intensity(facts->setting, facts->call);
	facts->break_even = DBL_MAX;
	if (facts->intensity == DBL_MAX)
		facts->break_even = 0; /* nothing crosses the link */
	else if (moved_ns > 0 && cost->cpu.work_ns > 0 && cost->gpu.work_ns > 0)
		facts->break_even =
			cost_break_even(work / facts->intensity / moved_ns,
		                        work / cost->cpu.work_ns, work / cost->gpu.work_ns);
}

static double explain_facts_count_calls(double price_ns, double saving_ns)
{
	return price_ns > 0 && saving_ns > 0 ? ceil(price_ns / saving_ns) : 0;
}

static struct explain_change *explain_facts_add_change(struct explain_facts *facts)
{
	struct explain_change *change = &facts->change[facts->changes++];
	memset(change, 0, sizeof *change);
	change->cpu_ns = facts->cost.cpu.whole_ns;
	change->gpu_ns = facts->cost.gpu.whole_ns;
	return change;
}

/* Adds the option to the changes if it moves the call to the other side. */
static void explain_facts_try_option(struct explain_facts *facts, const struct options *options,
                                     const char *key, const char *value)
{
	static struct options changed;
	char message[OPTION_MESSAGE_BYTES];
	bool gated;
	changed = *options;
	if (!options_set(&changed, key, value, message))
		return; /* outside the range of the option */
	options_settle(&changed);
	const struct decision decision = explain_facts_settle(facts, &changed, &gated);
	if (decision.target == facts->decision.target)
		return;
	struct explain_change *change = explain_facts_add_change(facts);
	change->is_option = true;
	change->decision = decision;
	snprintf(change->text, sizeof change->text, "EPOCHLY_GPU_%s=%s", key, value);
	for (char *letter = change->text; *letter != '=' && *letter != '\0'; letter++)
		if (*letter >= 'a' && *letter <= 'z')
			*letter = (char)(*letter - 'a' + 'A');
}

/* The key of an option that may be set for single routines; own: it is set for this one. */
static const char *explain_facts_write_key(const struct explain_facts *facts, const char *option,
                                           bool own, char key[EXPLAIN_CHANGE_BYTES])
{
	char name[CALL_NAME_BYTES];
	call_problem_name(facts->problem, name);
	snprintf(key, EXPLAIN_CHANGE_BYTES, "%s%s%s", option, own ? "_" : "", own ? name : "");
	return key;
}

static void explain_facts_find_options(struct explain_facts *facts, const struct options *options)
{
	const enum family family = facts->call->family;
	const enum element element = facts->call->element;
	const bool own_threshold = routine_threshold_get(&options->thresholds, family, element,
	                                                 UINT64_MAX) != UINT64_MAX;
	const bool own_policy = routine_policy_get(&options->policies, family, element, -1) != -1;
	char key[EXPLAIN_CHANGE_BYTES], value[32];
	switch (facts->decision.reason) {
	case REASON_DISABLED: explain_facts_try_option(facts, options, "enabled", "true"); break;
	case REASON_BELOW_THRESHOLD:
		snprintf(value, sizeof value, "%llu", (unsigned long long)facts->call->size_bytes);
		explain_facts_try_option(
			facts, options,
			explain_facts_write_key(facts, "workload_threshold", own_threshold, key),
			value);
		break;
	case REASON_BELOW_WORK:
		snprintf(value, sizeof value, "%.0f", floor(facts->call->work_flops));
		explain_facts_try_option(facts, options, "work_threshold", value);
		break;
	case REASON_BELOW_K:
		snprintf(value, sizeof value, "%lld", (long long)facts->call->blas.k);
		explain_facts_try_option(facts, options, "k_threshold", value);
		break;
	default: break;
	}
	explain_facts_write_key(facts, "policy", own_policy, key);
	if (facts->decision.target == TARGET_GPU || facts->changes == 0)
		explain_facts_try_option(facts, options, key, "auto");
	if (facts->changes == 0)
		explain_facts_try_option(facts, options, key,
		                         facts->decision.target == TARGET_GPU ? "never" : "always");
}

/* Adds the time with operands elsewhere, where that is less. */
static void explain_facts_try_place(struct explain_facts *facts, enum cost_place place,
                                    const char *text)
{
	struct cost_setting setting = *facts->setting;
	struct cost cost;
	bool differs = false;
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++) {
		differs = differs || setting.place[name] < place;
		if (setting.place[name] < place)
			setting.place[name] = place;
	}
	cost_predict(&facts->machine->complete, &setting, facts->call, &cost);
	if (!differs || cost.gpu.whole_ns < 0 || cost.gpu.whole_ns >= facts->cost.gpu.whole_ns)
		return;
	struct explain_change *change = explain_facts_add_change(facts);
	snprintf(change->text, sizeof change->text, "%s", text);
	change->cpu_ns = facts->cost.cpu.whole_ns;
	change->gpu_ns = cost.gpu.whole_ns;
}

void explain_facts_find(struct explain_facts *facts, const struct options *options)
{
	const struct machine *machine = &facts->machine->complete;
	cost_predict(machine, facts->setting, facts->call, &facts->cost);
	facts->first = explain_facts_decide(facts, options, NULL, &facts->gated);
	facts->decision = explain_facts_settle(facts, options, &facts->gated);
	facts->gate_bytes = explain_facts_find_gate(facts, options);
	const double cpu_ns = facts->cost.cpu.whole_ns, gpu_ns = facts->cost.gpu.whole_ns;
	facts->speedup = cpu_ns > 0 && gpu_ns > 0 ? cpu_ns / gpu_ns : 0;
	facts->band = explain_facts_find_band(facts->speedup);
	explain_facts_find_intensity(facts);
	facts->smallest = explain_smallest_find(machine, facts->setting, facts->problem);
	if (facts->speedup > 1) {
		facts->start_calls = explain_facts_count_calls(machine->start_ns, cpu_ns - gpu_ns);
		if (family_is_fft(facts->call->family))
			facts->plan_calls =
				explain_facts_count_calls(machine->fft_plan_ns, cpu_ns - gpu_ns);
	}
	facts->changes = 0;
	explain_facts_find_options(facts, options);
	explain_facts_try_place(facts, COST_PINNED, "operands in page-locked memory");
	explain_facts_try_place(facts, COST_DEVICE, "operands in the GPU's memory");
}
