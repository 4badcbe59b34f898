/* lapack_steps.c - the steps of a LAPACK call that is only described, and its memory */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/lapack/lapack_steps.h"

#include <string.h>

#include "policy/call/operand.h"
#include "shim/execute/gpu/lapack/lapack_recipe.h"

/* Arrays that the call has; nothing is read from them. */
static void lapack_steps_place(struct solve *solve, const struct lapack_operands *operands)
{
	static char there;
	for (int i = 0; i < operands->count; i++) {
		const struct lapack_operand *operand = &operands->list[i];
		solve->array[operand->name] = (struct solve_array){&there, operand->rows,
		                                                   operand->columns, operand->rows};
	}
}

static void lapack_steps_add(const struct call *call, const struct lapack_operand *operand,
                             struct lapack_steps *steps)
{
	const uint64_t bytes = lapack_operand_bytes(call, operand);
	if (operand->name > LAPACK_IPIV)
		return;
	steps->operand_bytes = operand_add_bytes(steps->operand_bytes, bytes);
	if (operand->name <= LAPACK_VT && operand->read != LAPACK_NOTHING &&
	    operand->written != LAPACK_NOTHING)
		steps->shadow_bytes = operand_add_bytes(steps->shadow_bytes, bytes);
}

void lapack_steps_list(const struct call *call, struct lapack_steps *steps)
{
	const struct cuda_api cuda = {.driver_get_version = NULL};
	const struct cuda_solver solver = {.version = 0};
	struct lane lane = {.api = &cuda};
	struct solve solve = {
		.api = &solver, .lane = &lane, .call = *call, .measures = true, .tells = true};
	struct lapack_operands operands;
	*steps = (struct lapack_steps){.text = ""};
	lapack_operand_list(call, &operands);
	lapack_steps_place(&solve, &operands);
	lapack_recipe_find(call->family)(&solve);
	memcpy(steps->text, solve.steps, sizeof steps->text);
	steps->own_bytes = solve.room.spare_bytes;
	for (int i = 0; i < operands.count; i++)
		lapack_steps_add(call, &operands.list[i], steps);
}
