/* panel_placement.c - inputs that loads read whole and without a ring; results */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/blas/panel_placement.h"

#include "shim/execute/gpu/device/placement.h"
#include "shim/execute/gpu/engine/engine_rates.h"
#include "shim/execute/gpu/engine/flow.h"

static struct placement_area panel_placement_area(const struct gpu_operand *operand)
{
	const uint64_t size = element_size_bytes(operand->element);
	const struct matrix *matrix = &operand->matrix;
	return (struct placement_area){matrix->base, (uint64_t)matrix->rows * size,
	                               (uint64_t)matrix->columns, (uint64_t)matrix->ld * size};
}

/*
 * Of a square A one triangle is read, and B of an in-place family is C. Page-locked memory cannot
 * be moved.
 */
static bool panel_placement_takes(const struct gpu_group *group, enum operand name)
{
	const struct gpu_operand *operand = &group->operand[name];
	return operand->count > 0 && !operand->locked &&
	       !(name == OPERAND_A && family_has_square(group->family)) &&
	       !(name == OPERAND_B && (family_is_in_place(group->family) || group->same));
}

void panel_placement_note(const struct lane *lane, const struct gpu_group *group)
{
	const double link_bytes_s =
		flow_is_direct() ? engine_rates_find(lane, group->element).up_bytes_s : 0;
	for (int name = OPERAND_A; name < OPERAND_C; name++) {
		const struct placement_area area = panel_placement_area(&group->operand[name]);
		if (panel_placement_takes(group, (enum operand)name))
			placement_note_input(lane, &area, link_bytes_s);
	}
	const struct placement_area result = panel_placement_area(&group->operand[OPERAND_C]);
	if (group->operand[OPERAND_C].count > 0)
		placement_note_result(lane, &result);
}
