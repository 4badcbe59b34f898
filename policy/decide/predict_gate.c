/* predict_gate.c - the thresholds of all routines as one */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/decide/predict_gate.h"

#include "policy/decide/decide.h"
#include "policy/decide/gate_reason.h"

static uint64_t predict_gate_find_one(const struct options *options, enum family family,
                                      enum element element)
{
	const int policy = routine_policy_get(&options->policies, family, element, options->policy);
	if (gate_reason_rule_out(options, false, family, element) != REASON_NONE)
		return PREDICT_GATE_OPTIONS;
	if (decide_is_by_time(options, family, element))
		return PREDICT_GATE_TIME;
	return policy == POLICY_ALWAYS
	               ? 0
	               : routine_threshold_get(&options->thresholds, family, element,
	                                       options->workload_threshold);
}

uint64_t predict_gate_join(uint64_t one, uint64_t other)
{
	if (one == other)
		return one;
	return one == PREDICT_GATE_OPTIONS || other == PREDICT_GATE_OPTIONS ? PREDICT_GATE_OPTIONS
	                                                                    : PREDICT_GATE_SEVERAL;
}

uint64_t predict_gate_find(const struct options *options)
{
	uint64_t gate = predict_gate_find_one(options, (enum family)0, (enum element)0);
	for (int family = 0; family < FAMILY_COUNT; family++)
		for (int element = 0; element < ELEMENT_COUNT; element++)
			gate = predict_gate_join(gate,
			                         predict_gate_find_one(options, (enum family)family,
			                                               (enum element)element));
	return gate;
}
