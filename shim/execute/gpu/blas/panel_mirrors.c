/* panel_mirrors.c - which operands of a planned call may have a mirror */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/blas/panel_mirrors.h"

#include "policy/call/argument.h"
#include "shim/execute/gpu/blas/gpu_square.h"
#include "shim/execute/gpu/device/gpu_launch.h"

static struct pack_area panel_mirrors_area(const struct gpu_operand *operand)
{
	const uint64_t size = element_size_bytes(operand->element);
	const struct matrix *matrix = &operand->matrix;
	return (struct pack_area){(char *)(uintptr_t)matrix->base, (uint64_t)matrix->rows * size,
	                          (uint64_t)matrix->columns, (uint64_t)matrix->ld * size};
}

static bool panel_mirrors_takes(const struct gpu_group *group, enum operand name)
{
	const struct gpu_operand *operand = &group->operand[name];
	return operand->count > 0 && gpu_launch_fits(operand->matrix.ld) &&
	       !(name == OPERAND_B && family_is_in_place(group->family));
}

/*
 * C of a product is written to its mirror, unless it is combined with the program's C on the host.
 * The kernels of other families write more than C.
 */
static bool panel_mirrors_keeps(const struct gpu_group *group)
{
	return family_is_product(group->family) && argument_is_zero(group->blas.beta) &&
	       gpu_launch_fits(group->operand[OPERAND_C].matrix.ld);
}

/* Where the operands do not fit beside the mirrors that there are, the oldest of these go. */
static void panel_mirrors_make_room(const struct lane *lane, const struct gpu_group *group)
{
	uint64_t bytes = 0;
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
		bytes = operand_add_bytes(bytes, gpu_operand_size_bytes(&group->operand[name]));
	if (bytes <= memory_limit(lane->device))
		mirrors_make_room(lane, bytes);
}

static const struct mirror *panel_mirrors_plan(struct mirrors *call, const struct gpu_group *group,
                                               enum operand name, bool uses)
{
	const struct gpu_operand *operand = &group->operand[name];
	const struct pack_area area = panel_mirrors_area(operand);
	const uint64_t size = element_size_bytes(group->element);
	const struct pack_rule square =
		gpu_square_make_rule(group->family, group->element, &group->blas);
	return name == OPERAND_C
	               ? mirrors_plan_result(call, &area, size, NULL,
	                                     uses && panel_mirrors_keeps(group))
	               : mirrors_plan_input(call, &area, size, name == OPERAND_A ? &square : NULL);
}

static uint64_t panel_mirrors_count_bytes(const struct gpu_group *group)
{
	uint64_t most_bytes = 0;
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++) {
		const uint64_t bytes = gpu_operand_size_bytes(&group->operand[name]);
		most_bytes = bytes > most_bytes ? bytes : most_bytes;
	}
	return most_bytes;
}

void panel_mirrors_begin(struct panel_mirrors *mirrors, struct lane *lane,
                         const struct gpu_group *group, struct panel_problem *problem, bool uses,
                         bool defers)
{
	static const struct mirror none;
	mirrors->call = mirrors_begin(lane, panel_mirrors_count_bytes(group));
	if (mirrors->call != NULL && uses && defers)
		mirrors_defer(mirrors->call);
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++) {
		const struct mirror **mirror = &mirrors->mirror[name];
		*mirror = &none;
		problem->held[name] = false;
		if (mirrors->call == NULL)
			continue;
		if (name == OPERAND_B && group->same && !family_has_square(group->family))
			*mirror = mirrors->mirror[OPERAND_A];
		else if (name == OPERAND_C ||
		         (uses && panel_mirrors_takes(group, (enum operand)name)))
			*mirror =
				panel_mirrors_plan(mirrors->call, group, (enum operand)name, uses);
		problem->held[name] = (*mirror)->device != NULL && (*mirror)->held;
	}
	if (mirrors->call == NULL)
		return;
	problem->held[OPERAND_C] =
		mirrors->mirror[OPERAND_C]->commits && mirrors->mirror[OPERAND_C]->device != NULL;
	if (!problem->held[OPERAND_C])
		mirrors->mirror[OPERAND_C] = &none;
	panel_mirrors_make_room(lane, group);
}

bool panel_mirrors_give_way(const struct panel_mirrors *mirrors, enum reason reason)
{
	if (reason != REASON_DEVICE_MEMORY || mirrors->call == NULL)
		return false;
	mirrors_end(mirrors->call, false);
	return mirrors_give_way(reason);
}

void panel_mirrors_use(const struct panel_mirrors *mirrors, struct panel_job *job)
{
	if (mirrors->call != NULL)
		panel_job_use_mirrors(job, mirrors->mirror);
	if (mirrors->call != NULL && mirrors->call->call.defers)
		job->unproven = mirrors->call;
}

void panel_mirrors_skip(const struct panel_mirrors *mirrors)
{
	mirrors_skip(mirrors->call);
}

bool panel_mirrors_retreat(const struct panel_mirrors *mirrors)
{
	if (mirrors->call == NULL || !mirrors->call->refuted)
		return false;
	mirrors_retreat(mirrors->call);
	return true;
}

void panel_mirrors_end(const struct panel_mirrors *mirrors, bool fine)
{
	mirrors_end(mirrors->call, fine);
}
