/* cpu_move.c - panels that move from the device to the CPU while a shared call runs */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/blas/cpu_move.h"

#include "shim/base/clock.h"
#include "shim/execute/gpu/copy/pack_probe.h"

/* -- the panels of a plan -- */

/* The end of the last panel before the step with this number; 0: there is none. */
static uint32_t cpu_move_find_end(const struct panel_plan *plan, uint32_t number)
{
	while (number > 0 && plan->steps[number - 1].kind != PANEL_STORE)
		number--;
	return number;
}

/*
 * A panel with loads of its own. Others are completed by what the device has loaded and computed
 * long before, which the CPU would do again.
 */
static bool cpu_move_has_load(const struct panel_plan *plan, uint32_t begin, uint32_t end)
{
	while (begin < end && plan->steps[begin].kind != PANEL_LOAD)
		begin++;
	return begin < end;
}

/* Behind the first result. */
static uint32_t cpu_move_find_first(const struct panel_plan *plan)
{
	uint32_t number = 0;
	while (number < plan->count && plan->steps[number].kind != PANEL_STORE)
		number++;
	return number + 1;
}

static double cpu_move_count(const struct panel_block *block)
{
	return (double)block->row.count * (double)block->column.count;
}

/* Elements of C that the steps store. */
static double cpu_move_sum(const struct panel_plan *plan, uint32_t begin, uint32_t end)
{
	double elements = 0;
	for (; begin < end; begin++)
		if (plan->steps[begin].kind == PANEL_STORE)
			elements += cpu_move_count(&plan->steps[begin].block);
	return elements;
}

/* -- taking -- */

/*
 * Whether the CPU computes the panel in less time than the device needs for all that it has not
 * begun, at the speed that each has had.
 */
static bool cpu_move_pays(const struct cpu_move *move, struct flow_tail_range range, double panel)
{
	const struct panel_plan *plan = &move->job->part[0].plan;
	const double begun = cpu_move_sum(plan, 0, range.begun),
		     left = cpu_move_sum(plan, range.begun, range.end), done = move->part->elements;
	const double spent_ns = (double)(clock_monotonic_ns() - move->begin_ns);
	if (!(begun > 0) || !(done > 0))
		return false;
	return panel / done * (double)move->part->elapsed_ns < left / begun * spent_ns;
}

static bool cpu_move_take(struct cpu_move *move)
{
	const struct panel_plan *plan = &move->job->part[0].plan;
	const struct flow_tail_range range = flow_tail_read(&move->tail);
	const uint32_t end = cpu_move_find_end(plan, range.end);
	if (end != range.end || end == 0)
		return false;
	const uint32_t begin = cpu_move_find_end(plan, end - 1);
	const struct panel_block *block = &plan->steps[end - 1].block;
	const double panel = cpu_move_count(block);
	if (!cpu_move_has_load(plan, begin, end) || !cpu_move_pays(move, range, panel) ||
	    !flow_tail_take(&move->tail, begin))
		return false;
	cpu_part_add(move->part, &move->call, block->row, block->column, panel / move->elements);
	return true;
}

/* -- the interface -- */

bool cpu_move_begin(struct cpu_move *move, struct cpu_part *part, struct panel_job *job)
{
	const struct panel_problem *problem = &job->part[0].problem;
	if (job->count != 1 || job->areas > 0 || !family_is_product(problem->family) ||
	    pack_probe_is_needed())
		return false;
	*move = (struct cpu_move){
		.part = part,
		.job = job,
		.call = *part->call,
		.elements = (double)part->call->blas.m * (double)part->call->blas.n,
		.begin_ns = clock_monotonic_ns(),
	};
	move->call.family = problem->family;
	move->call.blas = problem->blas;
	flow_tail_open(&move->tail, cpu_move_find_first(&job->part[0].plan), job->steps);
	return true;
}

bool cpu_move_step(void *self)
{
	struct cpu_move *move = self;
	struct panel_span row, column;
	if (!cpu_part_next(move->part, &row, &column) && !cpu_move_take(move))
		return false;
	cpu_part_step(move->part);
	return true;
}

void cpu_move_end(struct cpu_move *move)
{
	move->job->part[0].end = flow_tail_read(&move->tail).end;
}
