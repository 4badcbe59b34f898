/* explain_kept.c - the same operands that survey.c looks for, of a call without memory */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/explain/explain_kept.h"

#include "policy/decide/lapack_cost.h"

unsigned explain_kept_find(const struct call *call)
{
	const unsigned first = 1U << OPERAND_A;
	struct matrix matrix;
	unsigned operands = 0;
	if (family_is_fft(call->family))
		return first;
	if (family_is_lapack(call->family))
		return lapack_cost_count_held(call) > 0 ? first : 0;
	if (family_is_batch(call->family))
		return 0;
	for (int name = OPERAND_A; name < OPERAND_C; name++)
		if (operand_find(call->family, &call->blas, (enum operand)name, &matrix))
			operands |= 1U << name;
	return operands;
}

bool explain_kept_is_on(const struct options *options)
{
	return options->residency != RESIDENCY_OFF && options->residency != RESIDENCY_MIGRATE;
}

void explain_kept_set(struct cost_setting *setting, unsigned operands)
{
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
		setting->held[name] = (operands >> name & 1) != 0;
}

bool explain_kept_has(const struct cost_setting *setting)
{
	bool has = false;
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
		has = has || setting->held[name];
	return has;
}
