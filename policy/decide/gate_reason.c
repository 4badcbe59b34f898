/* gate_reason.c - which option keeps a routine on the CPU */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/decide/gate_reason.h"

_Static_assert(REASON_COUNT <= UINT8_MAX, "a reason fits into a byte of struct gate_reasons");

enum reason gate_reason_rule_out(const struct options *options, bool program_excluded,
                                 enum family family, enum element element)
{
	if (!options->enabled)
		return REASON_DISABLED;
	if (program_excluded)
		return REASON_PROGRAM_EXCLUDED;
	return routine_policy_get(&options->policies, family, element, options->policy) ==
	                       POLICY_NEVER
	               ? REASON_POLICY_NEVER
	               : REASON_NONE;
}

void gate_reason_find_all(const struct options *options, bool program_excluded,
                          struct gate_reasons *reasons)
{
	for (int family = 0; family < FAMILY_COUNT; family++)
		for (int element = 0; element < ELEMENT_COUNT; element++) {
			const enum reason ruled_out =
				gate_reason_rule_out(options, program_excluded, (enum family)family,
			                             (enum element)element);
			reasons->of[family][element] =
				ruled_out != REASON_NONE ? ruled_out : REASON_BELOW_THRESHOLD;
		}
}
