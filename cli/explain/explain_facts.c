/* explain_facts.c - the decision on a call, its times, and what would change the decision */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/explain/explain_facts.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/explain/explain_kept.h"

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

/* Arithmetic intensity and its break-even point, at the rates of this call. */
static void explain_facts_find_intensity(struct explain_facts *facts)
{
	const struct cost *cost = &facts->cost;
	const double moved_ns = cost->gpu.in_ns + cost->gpu.out_ns, work = facts->call->work_flops;
	facts->intensity = cost_find_intensity(facts->view.setting, facts->call);
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
static void explain_facts_try_option(struct explain_facts *facts, const char *key,
                                     const char *value)
{
	static struct options changed;
	char message[OPTION_MESSAGE_BYTES];
	bool gated;
	changed = *facts->view.options;
	if (!options_set(&changed, key, value, message))
		return; /* outside the range of the option */
	options_settle(&changed);
	struct explain_view view = facts->view;
	view.options = &changed;
	const struct decision decision =
		explain_decide_settled(&view, facts->call, &facts->cost, &gated);
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

static void explain_facts_find_options(struct explain_facts *facts)
{
	const struct options *options = facts->view.options;
	const enum family family = facts->call->family;
	const enum element element = facts->call->element;
	const bool own_threshold = routine_threshold_get(&options->thresholds, family, element,
	                                                 UINT64_MAX) != UINT64_MAX;
	const bool own_policy = routine_policy_get(&options->policies, family, element, -1) != -1;
	char key[EXPLAIN_CHANGE_BYTES], value[32];
	switch (facts->decision.reason) {
	case REASON_DISABLED: explain_facts_try_option(facts, "enabled", "true"); break;
	case REASON_BELOW_THRESHOLD:
		snprintf(value, sizeof value, "%llu", (unsigned long long)facts->call->size_bytes);
		explain_facts_try_option(
			facts,
			explain_facts_write_key(facts, "workload_threshold", own_threshold, key),
			value);
		break;
	case REASON_BELOW_WORK:
		snprintf(value, sizeof value, "%.0f", floor(facts->call->work_flops));
		explain_facts_try_option(facts, "work_threshold", value);
		break;
	case REASON_BELOW_K:
		snprintf(value, sizeof value, "%lld", (long long)facts->call->blas.k);
		explain_facts_try_option(facts, "k_threshold", value);
		break;
	default: break;
	}
	explain_facts_write_key(facts, "policy", own_policy, key);
	if (facts->decision.target == TARGET_GPU || facts->changes == 0)
		explain_facts_try_option(facts, key, "auto");
	if (facts->changes == 0)
		explain_facts_try_option(facts, key,
		                         facts->decision.target == TARGET_GPU ? "never" : "always");
}

/* Adds the time in another setting, where that is less. */
static void explain_facts_try_setting(struct explain_facts *facts,
                                      const struct cost_setting *setting, const char *text)
{
	struct cost cost;
	cost_predict(&facts->view.machine->complete, setting, facts->call, &cost);
	if (cost.gpu.whole_ns < 0 || cost.gpu.whole_ns >= facts->cost.gpu.whole_ns)
		return;
	struct explain_change *change = explain_facts_add_change(facts);
	snprintf(change->text, sizeof change->text, "%s", text);
	change->cpu_ns = facts->cost.cpu.whole_ns;
	change->gpu_ns = cost.gpu.whole_ns;
}

static void explain_facts_try_place(struct explain_facts *facts, enum cost_place place,
                                    const char *text)
{
	struct cost_setting setting = *facts->view.setting;
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
		if (setting.place[name] < place)
			setting.place[name] = place;
	explain_facts_try_setting(facts, &setting, text);
}

static void explain_facts_try_unchanged(struct explain_facts *facts)
{
	struct cost_setting setting = *facts->view.setting;
	if (!explain_kept_is_on(facts->view.options))
		return;
	explain_kept_set(&setting, explain_kept_find(facts->call));
	explain_facts_try_setting(facts, &setting, "inputs unchanged since an earlier call");
}

/* Of calls that options keep on the CPU none pays for anything. */
static void explain_facts_find_prices(struct explain_facts *facts)
{
	const struct machine *machine = &facts->view.machine->complete;
	const double saving_ns = facts->cost.cpu.whole_ns - facts->cost.gpu.whole_ns;
	if (!(facts->speedup > 1) || facts->kept)
		return;
	facts->start_calls = explain_facts_count_calls(machine->start_ns, saving_ns);
	if (family_is_fft(facts->call->family))
		facts->plan_calls = explain_facts_count_calls(machine->fft_plan_ns, saving_ns);
	if (family_is_lapack(facts->call->family))
		facts->solver_calls =
			explain_facts_count_calls(machine->solver_start_ns, saving_ns);
}

void explain_facts_find(struct explain_facts *facts)
{
	const struct explain_view *view = &facts->view;
	cost_predict(&view->machine->complete, view->setting, facts->call, &facts->cost);
	facts->first = explain_decide_first(view, facts->call, &facts->gated);
	facts->decision = explain_decide_settled(view, facts->call, &facts->cost, &facts->gated);
	facts->kept = explain_decide_is_kept(&facts->decision);
	facts->gate_bytes = explain_decide_gate(view, facts->call);
	const double cpu_ns = facts->cost.cpu.whole_ns, gpu_ns = facts->cost.gpu.whole_ns;
	facts->speedup = cpu_ns > 0 && gpu_ns > 0 ? cpu_ns / gpu_ns : 0;
	facts->band = explain_facts_find_band(facts->speedup);
	explain_facts_find_intensity(facts);
	facts->smallest = explain_smallest_find(view, facts->problem);
	explain_facts_find_prices(facts);
	facts->changes = 0;
	explain_facts_find_options(facts);
	if (facts->kept)
		return;
	explain_facts_try_unchanged(facts);
	explain_facts_try_place(facts, COST_PINNED, "operands in page-locked memory");
	explain_facts_try_place(facts, COST_DEVICE, "operands in the GPU's memory");
}

void explain_facts_find_wait(struct explain_facts *facts)
{
	static struct options waits;
	char message[OPTION_MESSAGE_BYTES];
	struct explain_view view = facts->view;
	const struct explain_prediction *present = &facts->prediction;
	if (facts->kept || facts->decision.target != TARGET_GPU ||
	    present->first.target == TARGET_GPU || facts->changes == EXPLAIN_CHANGES)
		return;
	waits = *view.options;
	if (!options_set(&waits, "warmup", "wait", message))
		return;
	view.options = &waits;
	const struct explain_prediction waiting =
		explain_predict(&view, facts->call, &facts->cost, facts->calls);
	if (waiting.first.target != TARGET_GPU ||
	    !(waiting.totals.auto_ns < present->totals.auto_ns))
		return;
	struct explain_change *change = explain_facts_add_change(facts);
	change->is_option = change->waits = true;
	change->decision = waiting.first;
	change->cpu_ns = present->totals.auto_ns;
	change->gpu_ns = waiting.totals.auto_ns;
	snprintf(change->text, sizeof change->text, "EPOCHLY_GPU_WARMUP=wait");
}
