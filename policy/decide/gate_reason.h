/* gate_reason.h - why calls of a routine stay on the CPU without a decision; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_DECIDE_GATE_REASON_H
#define GPUSHIM_POLICY_DECIDE_GATE_REASON_H

#include <stdint.h>

#include "policy/call/call.h"
#include "policy/call/reason.h"
#include "policy/options/options.h"

/*
 * The option that keeps every call of this routine on the CPU; REASON_NONE if there is none.
 * program_excluded: by the options only and except.
 */
enum reason gate_reason_rule_out(const struct options *options, bool program_excluded,
                                 enum family family, enum element element);

/* For each routine an enum reason: why the gate forwards its calls. */
struct gate_reasons {
	uint8_t of[FAMILY_COUNT][ELEMENT_COUNT];
};

/* That option, or REASON_BELOW_THRESHOLD. */
void gate_reason_find_all(const struct options *options, bool program_excluded,
                          struct gate_reasons *reasons);

/* The reason of a routine; REASON_BELOW_THRESHOLD where the table has none that is valid. */
static inline enum reason gate_reason_get(const struct gate_reasons *reasons, enum family family,
                                          enum element element)
{
	const uint8_t reason = reasons->of[family][element];
	return reason > REASON_NONE && reason < REASON_COUNT ? (enum reason)reason
	                                                     : REASON_BELOW_THRESHOLD;
}

#endif
