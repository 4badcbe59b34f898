/* panel_time.c - simulates a plan on two links and a device */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/plan/panel_time.h"

static const double time_ns_per_second = 1e9;

/*
 * Elements that a kernel takes time for: whole waves of tiles; half of them for the triangle of a
 * rank update.
 */
static double panel_time_count_elements(const struct panel_rates *rates,
                                        const struct panel_work *work)
{
	const bool triangle = operand_is_triangle(work->family);
	const int64_t rows = work->z.row.count, columns = work->z.column.count, tile = rates->tile;
	if (tile <= 0 || rates->units <= 0)
		return triangle ? (double)rows * (double)(columns + 1) / 2
		                : (double)rows * (double)columns;
	const int64_t tiles_down = (rows - 1) / tile + 1, tiles_across = (columns - 1) / tile + 1;
	const double down = (double)tiles_down, across = (double)tiles_across;
	const double waves = (triangle ? down * (across + 1) / 2 : down * across) / rates->units;
	const double whole = (double)(int64_t)waves;
	return (whole < waves ? whole + 1 : whole) * rates->units * (double)tile * (double)tile;
}

double panel_time_find_work(const struct panel_problem *problem, const struct panel_rates *rates,
                            const struct panel_work *work)
{
	const struct blas_call one = {.m = 1,
	                              .n = 1,
	                              .k = work->transx == TRANSPOSE_N ? work->x.column.count
	                                                               : work->x.row.count};
	const double flops = operand_count_flops(work->family, problem->element, &one);
	const double elements = panel_time_count_elements(rates, work);
	return elements * flops / rates->work_flops_s * time_ns_per_second + rates->operation_ns;
}

/* One of the three engines: its position, and the operation under way. */
struct time_engine {
	enum panel_kind kind;
	/* next: index of the next step to look at; done: steps of this kind that are complete */
	uint32_t next, done;
	/* rested: it had nothing to do since its last operation */
	bool busy, rested;
	/* of the operation: its fixed cost, or the whole time of a kernel */
	double wait_ns;
	double operation_bytes; /* bytes left of the operation */
	double left_bytes;      /* bytes of the step behind the operation */
	double bytes_ns;        /* bytes per nanosecond of the link alone */
};

struct time_state {
	const struct panel_problem *problem;
	const struct panel_rates *rates;
	const struct panel_plan *plan;
	uint64_t grouped; /* operations that are simulated as one */
	struct time_engine engine[PANEL_KINDS];
};

static double panel_time_count_bytes(const struct panel_problem *problem,
                                     const struct panel_block *block)
{
	return (double)block->row.count * (double)block->column.count *
	       (double)element_size_bytes(problem->element);
}

/* Begins the next operation of a copy, or the next few as one. */
static void panel_time_begin_operation(const struct time_state *state, struct time_engine *engine)
{
	const double copy_bytes = (double)state->rates->copy_bytes;
	const double bytes = copy_bytes * (double)state->grouped;
	engine->operation_bytes =
		copy_bytes > 0 && engine->left_bytes > bytes ? bytes : engine->left_bytes;
	engine->left_bytes -= engine->operation_bytes;
	engine->wait_ns = engine->rested ? state->rates->operation_ns : state->rates->copy_ns;
	if (state->grouped > 1)
		engine->wait_ns += (double)(uint64_t)(engine->operation_bytes / copy_bytes) *
		                   state->rates->copy_ns;
	engine->rested = false;
}

static bool panel_time_is_ready(const struct time_state *state, const struct panel_step *step)
{
	for (int kind = 0; kind < PANEL_KINDS; kind++)
		if (step->after[kind] > state->engine[kind].done)
			return false;
	return true;
}

/* Begins the next step of the engine if there is one and it need not wait. */
static void panel_time_begin_step(struct time_state *state, struct time_engine *engine)
{
	const struct panel_plan *plan = state->plan;
	while (engine->next < plan->count && plan->steps[engine->next].kind != engine->kind)
		engine->next++;
	if (engine->next == plan->count || !panel_time_is_ready(state, &plan->steps[engine->next]))
		return;
	const struct panel_step *step = &plan->steps[engine->next++];
	engine->busy = true;
	engine->operation_bytes = engine->left_bytes = 0;
	if (step->kind == PANEL_WORK) {
		engine->wait_ns = panel_time_find_work(state->problem, state->rates, &step->work);
		return;
	}
	engine->left_bytes = panel_time_count_bytes(state->problem, &step->block);
	panel_time_begin_operation(state, engine);
}

static bool panel_time_is_moving(const struct time_engine *engine)
{
	return engine->busy && engine->wait_ns <= 0;
}

/* Nanoseconds until the fixed cost is paid, or the operation ends. */
static double panel_time_find_end(const struct time_engine *engine, double duplex)
{
	return engine->wait_ns > 0 ? engine->wait_ns
	                           : engine->operation_bytes / (engine->bytes_ns * duplex);
}

/* Advances the engine by elapsed_ns; last: its own end comes first. */
static void panel_time_advance(const struct time_state *state, struct time_engine *engine,
                               double elapsed_ns, double duplex, bool last)
{
	if (engine->wait_ns > 0) {
		engine->wait_ns = last ? 0 : engine->wait_ns - elapsed_ns;
	} else {
		const double left_bytes =
			engine->operation_bytes - elapsed_ns * engine->bytes_ns * duplex;
		engine->operation_bytes = last || left_bytes < 0 ? 0 : left_bytes;
	}
	if (engine->wait_ns > 0 || engine->operation_bytes > 0)
		return;
	if (engine->left_bytes > 0) {
		panel_time_begin_operation(state, engine);
		return;
	}
	engine->busy = false;
	engine->done++;
}

/* Advances to the next end of an operation; false if nothing is under way. */
static bool panel_time_step(struct time_state *state, double *time_ns)
{
	for (int kind = 0; kind < PANEL_KINDS; kind++)
		if (!state->engine[kind].busy) {
			panel_time_begin_step(state, &state->engine[kind]);
			state->engine[kind].rested = !state->engine[kind].busy;
		}
	const bool both = panel_time_is_moving(&state->engine[PANEL_LOAD]) &&
	                  panel_time_is_moving(&state->engine[PANEL_STORE]);
	const double duplex = both ? state->rates->duplex : 1;
	double end_ns[PANEL_KINDS], least_ns = -1;
	for (int kind = 0; kind < PANEL_KINDS; kind++) {
		end_ns[kind] = state->engine[kind].busy
		                       ? panel_time_find_end(&state->engine[kind], duplex)
		                       : -1;
		if (end_ns[kind] >= 0 && (least_ns < 0 || end_ns[kind] < least_ns))
			least_ns = end_ns[kind];
	}
	if (least_ns < 0)
		return false;
	for (int kind = 0; kind < PANEL_KINDS; kind++)
		if (state->engine[kind].busy)
			panel_time_advance(state, &state->engine[kind], least_ns, duplex,
			                   end_ns[kind] <= least_ns);
	*time_ns += least_ns;
	return true;
}

static double panel_time_go_through(const struct panel_problem *problem,
                                    const struct panel_rates *rates, const struct panel_plan *plan,
                                    uint64_t grouped)
{
	struct time_state state = {
		.problem = problem, .rates = rates, .plan = plan, .grouped = grouped};
	for (int kind = 0; kind < PANEL_KINDS; kind++)
		state.engine[kind] =
			(struct time_engine){.kind = (enum panel_kind)kind, .rested = true};
	state.engine[PANEL_LOAD].bytes_ns = rates->up_bytes_s / time_ns_per_second;
	state.engine[PANEL_STORE].bytes_ns = rates->down_bytes_s / time_ns_per_second;
	double time_ns = 0;
	while (panel_time_step(&state, &time_ns))
		continue;
	return time_ns;
}

/* The time from the totals of the plan, as if one engine were always busy. */
static double panel_time_reckon(const struct panel_problem *problem,
                                const struct panel_rates *rates, const struct panel_plan *plan)
{
	const uint32_t *count = plan->kind_count;
	const double flops = operand_count_flops(problem->family, problem->element, &problem->blas);
	const double up_ns = (double)plan->load_bytes / rates->up_bytes_s * time_ns_per_second +
	                     count[PANEL_LOAD] * rates->copy_ns;
	const double down_ns =
		(double)plan->store_bytes / rates->down_bytes_s * time_ns_per_second +
		count[PANEL_STORE] * rates->copy_ns;
	const double work_ns = flops / rates->work_flops_s * time_ns_per_second +
	                       count[PANEL_WORK] * rates->operation_ns;
	const double both_ns = up_ns < down_ns ? up_ns : down_ns;
	const double link_ns = both_ns / rates->duplex + up_ns + down_ns - 2 * both_ns;
	return link_ns > work_ns ? link_ns : work_ns;
}

double panel_time_estimate(const struct panel_problem *problem, const struct panel_rates *rates,
                           const struct panel_plan *plan, uint64_t grouped)
{
	if (plan->count > PANEL_LONG)
		return panel_time_reckon(problem, rates, plan);
	return panel_time_go_through(problem, rates, plan, grouped);
}

double panel_time_find(const struct panel_problem *problem, const struct panel_rates *rates,
                       const struct panel_plan *plan)
{
	return panel_time_go_through(problem, rates, plan, 1);
}
