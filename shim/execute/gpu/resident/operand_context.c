/* operand_context.c - the budget of page faults */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/resident/operand_context.h"

#include "policy/resident/admission.h"

bool operand_context_is_costly(const struct operand_context *context, uint64_t more_ns,
                               int64_t now_ns)
{
	const uint64_t all_ns = context->stats.fault_ns + more_ns;
	return all_ns > context->paid_ns &&
	       admission_is_costly(all_ns - context->paid_ns,
	                           (uint64_t)(now_ns - context->begun_ns));
}
