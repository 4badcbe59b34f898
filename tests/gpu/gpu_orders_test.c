/* gpu_orders_test.c - every family in every order of its plans, in several panels and slices */
/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_check_blas.h"
#include "shim/execute/gpu/blas/gpu_panels.h"

/*
 * A grain and a remainder on each side. In each order every EVERY-th combination of flags and
 * elements is tried, in the next order others.
 */
enum { ROWS = 141, COLUMNS = 150, INNER = 135, EVERY = 17, RUNS_LEAST = 5 };

static const struct panel_choice choices[] = {
	{PANEL_ORDER_COLUMNS, 128, 128, 0, 128, 128, 128, 0},
	{PANEL_ORDER_ROWS, 128, 128, 0, 128, 128, 128, 0},
	{PANEL_ORDER_RINGS, 128, 128, 0, 128, 128, 128, 0},
	{PANEL_ORDER_RINGS, 128, 128, 0, 128, 128, 128, 150},
	{PANEL_ORDER_BLOCKS, 128, 128, 0, 128, 0, 0, 0},
};

static int number, runs[PANEL_ORDER_COUNT];
static const struct panel_choice *choice;

/* Not every family has every order. An order that it does not have is refused with nothing done. */
static bool has_order(const struct gpu_check_blas *wanted)
{
	const enum panel_order order = choice->order;
	const bool sided = family_is_in_place(wanted->family) || wanted->family == FAMILY_SYMM ||
	                   wanted->family == FAMILY_HEMM;
	if (order == PANEL_ORDER_BLOCKS)
		return true;
	if (sided)
		return order ==
		       (wanted->side == SIDE_LEFT ? PANEL_ORDER_COLUMNS : PANEL_ORDER_ROWS);
	return order !=
	       (operand_is_triangle(wanted->family) ? PANEL_ORDER_ROWS : PANEL_ORDER_COUNT);
}

static void run_one(struct gpu_check_blas *wanted, int device)
{
	if (number++ % EVERY != 0)
		return;
	wanted->m = ROWS;
	wanted->n = COLUMNS;
	wanted->k = INNER;
	wanted->gap = 1;
	wanted->alpha = 1.5 - 0.75 * I;
	wanted->beta = wanted->family == FAMILY_HERK || wanted->family == FAMILY_HER2K
	                       ? 0.5
	                       : 0.5 + 0.25 * I;
	const enum reason reason = gpu_check_run_blas(wanted, device);
	EXPECT(reason == (has_order(wanted) ? REASON_NONE : REASON_DEVICE_MEMORY),
	       "family %d %s: %s", (int)wanted->family, panel_plan_name_order(choice->order),
	       reason_name(reason));
	runs[choice->order] += reason == REASON_NONE;
}

int main(void)
{
	const int device = gpu_check_start(0);
	for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
		choice = &choices[i];
		gpu_panels_set_choice(choice);
		number = (int)i;
		gpu_check_each_blas(run_one, device);
		EXPECT(runs[choice->order] >= RUNS_LEAST, "%d runs in %s", runs[choice->order],
		       panel_plan_name_order(choice->order));
	}
	return gpu_check_end("gpu_orders");
}
