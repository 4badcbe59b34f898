/* explain_states.c - the call at the program's start, and the same once CUDA runs */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/explain/explain.h"

#include "cli/common/prediction.h"

/* The policy of the routine, and the one that the prediction replaces it with. */
static int explain_states_find_policy(const struct explain_facts *facts, bool predicted)
{
	static struct options of_auto;
	const struct options *options = facts->view.options;
	predict_set_options(options, &of_auto);
	const struct options *chosen = predicted ? &of_auto : options;
	return routine_policy_get(&chosen->policies, facts->call->family, facts->call->element,
	                          chosen->policy);
}

static const char *explain_states_name_policy(int policy)
{
	static const char *const name[] = {
#define EXPLAIN_POLICY_NAME(id, word) [id] = word,
		OPTION_POLICY_WORDS(EXPLAIN_POLICY_NAME)
#undef EXPLAIN_POLICY_NAME
	};
	return name[policy];
}

/* Why the call is on this side. */
static void explain_states_print_side(struct emit *emit, const struct explain_facts *facts,
                                      const struct decision *decision, bool why)
{
	const bool gpu = decision->target == TARGET_GPU;
	emit_colour(emit, gpu ? EMIT_GREEN : EMIT_YELLOW);
	emit_print(emit, gpu ? "GPU" : "CPU");
	emit_colour(emit, EMIT_PLAIN);
	if (gpu && facts->speedup > 1)
		emit_number(emit, EMIT_NO_KEY, ", %s times as fast", facts->speedup);
	else if (why)
		emit_print(emit, ", since %s", reason_sentence(decision->reason));
	emit_print(emit, "\n");
}

bool explain_states_starts_cuda(const struct explain_facts *facts)
{
	return !facts->kept && explain_states_find_policy(facts, false) != POLICY_DRY;
}

void explain_states_print(struct emit *emit, const struct explain_facts *facts)
{
	const struct decision *first = &facts->prediction.first, *then = &facts->decision;
	const char *count = facts->calls == 1 ? "one call" : "first call";
	const int policy = explain_states_find_policy(facts, false);
	const bool same = policy == explain_states_find_policy(facts, true);
	if (first->target == then->target)
		return;
	emit_print(emit, same ? "%s: " : "%s under policy auto: ", count);
	explain_states_print_side(emit, facts, first, true);
	if (same)
		emit_print(emit, "once CUDA runs: ");
	else
		emit_print(emit, "under policy %s: ", explain_states_name_policy(policy));
	explain_states_print_side(emit, facts, then, same);
}
