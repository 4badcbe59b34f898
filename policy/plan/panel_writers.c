/* panel_writers.c - the function that writes the steps of each kind of family */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/plan/panel_writers.h"

#include "policy/plan/panel_gemm.h"
#include "policy/plan/panel_square.h"
#include "policy/plan/panel_update.h"

enum {
	WRITERS_PRODUCT = PANEL_COLUMNS | PANEL_ROWS | PANEL_RINGS | PANEL_BLOCKS,
	WRITERS_SQUARE = PANEL_COLUMNS | PANEL_ROWS | PANEL_BLOCKS,
	WRITERS_UPDATE = PANEL_COLUMNS | PANEL_RINGS | PANEL_BLOCKS
};

static const struct panel_writers_row {
	panel_writer *add_steps;
	unsigned orders;
} panel_writers_rows[FAMILY_KIND_COUNT] = {
	[FAMILY_KIND_PRODUCT] = {panel_gemm_write, WRITERS_PRODUCT},
	[FAMILY_KIND_TRIANGLE_OF_PRODUCT] = {panel_update_write, WRITERS_UPDATE},
	[FAMILY_KIND_SYMMETRIC] = {panel_square_write_symmetric, WRITERS_SQUARE},
	[FAMILY_KIND_RANK_K] = {panel_update_write, WRITERS_UPDATE},
	[FAMILY_KIND_RANK_2K] = {panel_update_write, WRITERS_UPDATE},
	[FAMILY_KIND_TRIANGULAR] = {panel_square_write_triangular, WRITERS_SQUARE},
};

unsigned panel_writers_find_orders(enum family family)
{
	return family < FAMILY_COUNT ? panel_writers_rows[family_find_kind(family)].orders : 0;
}

bool panel_writers_write(const struct panel_problem *problem, const struct panel_rates *rates,
                         const struct panel_choice *choice, struct panel_plan *plan)
{
	struct panel_builder builder = panel_builder_start(problem, rates->memory_bytes, plan);
	if ((panel_writers_find_orders(problem->family) >> choice->order & 1) == 0)
		return false;
	builder.tile = rates->tile;
	builder.units = rates->units;
	plan->choice = panel_plan_cut_choice(&problem->blas, choice);
	panel_writers_rows[family_find_kind(problem->family)].add_steps(&builder, &plan->choice);
	return panel_builder_end(&builder);
}
