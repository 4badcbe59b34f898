/* route_plans.c - FFTW calls other than executions: planning, releasing, queries; and lazy plans */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/route/route_plans.h"

#include <stddef.h>

#include "shim/base/aside.h"
#include "shim/base/diag.h"
#include "shim/describe/plans.h"
#include "shim/execute/cpu/cpu.h"
#include "shim/execute/cpu/cpu_planner.h"
#include "shim/execute/cpu/cpu_threads.h"
#include "shim/execute/gpu/fft/gpu_fft.h"
#include "shim/gate/gate_open.h"
#include "shim/route/route_decide.h"
#include "shim/route/route_planner.h"
#include "shim/route/route_slices.h"
#include "shim/route/state.h"
#include "shim/shield/shield.h"

/* Runs of a lazy plan on the CPU before the plan that the program asked for is made. */
enum { ROUTE_PLANS_LAZY_RUNS = 4 };

/*
 * A routine that serves every caller is kept in the symbol's slot, and later queries pass the gate;
 * not so while fftw_pinned has to see every allocation.
 */
static void *route_plans_search_routine(int symbol, const void *caller)
{
	const struct cpu_routine routine = cpu_find(symbol, caller);
	if (routine.shared && !state_get()->forwards_only &&
	    !(symbol_table[symbol].role == ROLE_QUERY && state_get()->options.fftw_pinned))
		gate_open_symbol(symbol, &routine);
	return routine.code;
}

/*
 * The routine of the library that the call is meant for. The binding is taken first, because the
 * thread's counts may be parked.
 */
static void *route_plans_find_routine(int symbol, const void *caller)
{
	struct gate_slot *slot = &gate_slots[symbol];
	state_get();
	const struct gate_binding *binding = gate_take_binding();
	if (binding != NULL)
		return binding->code;
	if (atomic_load_explicit(&slot->limit, memory_order_acquire) != 0)
		return gate_load_code(symbol);
	return route_plans_search_routine(symbol, caller);
}

static bool route_plans_is_lazy(void)
{
	return state_get()->options.fftw_planning == FFTW_PLANNING_LAZY;
}

/* Whether the shim plans too, from any thread: lazy plans, and parts of shared batches. */
static bool route_plans_uses_planner(void)
{
	return route_plans_is_lazy() || options_find_cpu_share(&state_get()->options) != 0;
}

void route_plans_begin_call(struct fftw_visit *visit, int symbol, const void *caller,
                            const void *frame)
{
	const struct symbol_row *row = &symbol_table[symbol];
	const uint32_t operation = GATE_OPERATION(FAMILY_FFT_C2C, row->element);
	struct fp_environment program;
	fp_environment_enter(&program);
	visit->symbol = symbol;
	visit->code = route_plans_find_routine(symbol, caller);
	visit->nested = state_get()->forwards_only || gate_is_nested(operation, frame, caller);
	visit->locked = !visit->nested && row->role != ROLE_QUERY && route_plans_uses_planner();
	if (!visit->nested) {
		gate_open_count(symbol);
		if (visit->locked)
			cpu_planner_lock();
		gate_mark(operation, visit->code, frame);
	}
	fp_environment_leave(&program);
}

void route_plans_end_call(const struct fftw_visit *visit)
{
	if (visit->nested)
		return;
	gate_unmark();
	if (visit->locked)
		cpu_planner_unlock();
}

struct fft_request *route_plans_begin_plan(struct plan_visit *visit, int symbol, const void *caller,
                                           const void *frame)
{
	const struct symbol_row *row = &symbol_table[symbol];
	route_plans_begin_call(&visit->fftw, symbol, caller, frame);
	if (visit->fftw.nested)
		return NULL;
	fp_environment_enter(&visit->program);
	visit->request = (struct fft_request){
		.problem = {.family = row->family, .element = row->element},
		.threads = route_planner_find(row->element, NULL).threads,
	};
	visit->lazy = false;
	return &visit->request;
}

/*
 * Whether executions of the plan are expected on the GPU. CUDA's start begins now, to be ready for
 * them.
 */
static bool route_plans_is_for_gpu(const struct plan_visit *visit)
{
	const struct fft_request *request = &visit->request;
	struct call call = {.symbol = visit->fftw.symbol};
	describe_fftw_call(&call, request, request->in, request->out, NULL);
	return route_decide_expects_gpu(&call, visit->fftw.code, request->threads,
	                                state_get()->program_excluded);
}

struct plans_work {
	const struct plan_visit *visit;
	const void *plan;
	bool is_for_gpu;
};

static void route_plans_ask(void *context)
{
	struct plans_work *work = context;
	work->is_for_gpu = route_plans_is_for_gpu(work->visit);
}

static unsigned route_plans_find_flags(struct plan_visit *visit)
{
	const unsigned asked = visit->request.problem.flags;
	if (!route_plans_is_lazy() ||
	    (asked & (CPU_PLANNER_ESTIMATE | CPU_PLANNER_WISDOM_ONLY)) != 0)
		return asked;
	struct plans_work work = {.visit = visit};
	visit->lazy = aside_run(STACK_FOR_CPU, route_plans_ask, &work) && work.is_for_gpu;
	if (!visit->lazy)
		return asked;
	return (asked & ~(unsigned)(CPU_PLANNER_PATIENT | CPU_PLANNER_EXHAUSTIVE)) |
	       CPU_PLANNER_ESTIMATE;
}

unsigned route_plans_choose_flags(struct plan_visit *visit)
{
	const unsigned flags = route_plans_find_flags(visit);
	fp_environment_leave(&visit->program);
	return flags;
}

const int *route_plans_choose_f77_flags(struct plan_visit *visit)
{
	visit->f77_flags = (int)route_plans_choose_flags(visit);
	return &visit->f77_flags;
}

static void route_plans_drop(const void *plan, struct plan_entry *entry)
{
	struct cpu_plan *better = atomic_load_explicit(&entry->better, memory_order_acquire);
	struct shield shield;
	shield_begin(&shield);
	if (entry->request.defect == REASON_NONE) /* a plan with a defect has none on the GPU */
		gpu_fft_forget(plan);
	shield_end(&shield);
	if (better != NULL)
		cpu_planner_drop(better);
	route_slices_drop(entry);
}

/* Executions of fewer bytes need no decision. */
static uint64_t route_plans_gate_bytes(const struct fft_problem *problem)
{
	return gate_open_bytes(problem->family, problem->element);
}

/* A small plan's sizes are kept only if every call is timed. NULL: nothing is kept. */
static struct plan_entry *route_plans_keep(const void *plan, const struct fft_request *request,
                                           bool small)
{
	static atomic_flag said = ATOMIC_FLAG_INIT;
	const bool brief = small && !gate_open_times_calls();
	struct plan_entry *entry = NULL;
	if (!brief)
		entry = plans_keep(plan, request, small);
	else if (plans_keep_small(plan, request->problem.element))
		entry = plans_find(plan);
	if (entry == NULL && diag_once(&said))
		diag_warn("no room for one more FFTW plan; its transforms stay on the CPU; destroy "
		          "plans that are no longer used");
	return entry;
}

/*
 * An old entry may be of a plan at the same address whose destruction the shim did not see.
 */
static void route_plans_note_plan(void *context)
{
	const struct plans_work *work = context;
	const struct plan_visit *visit = work->visit;
	const void *plan = work->plan;
	plans_forget(plan, route_plans_drop);
	gate_open_fit(visit->fftw.symbol,
	              cpu_threads_find_fft(visit->fftw.code, visit->request.threads));
	const bool small =
		visit->request.size_bytes < route_plans_gate_bytes(&visit->request.problem);
	struct plan_entry *entry = route_plans_keep(plan, &visit->request, small);
	if (entry != NULL && visit->lazy)
		entry->lazy = true;
}

void *route_plans_end_plan(const struct plan_visit *visit, void *plan)
{
	struct fp_environment program;
	fp_environment_enter(&program);
	struct plans_work work = {.visit = visit, .plan = plan};
	if (plan != NULL && !visit->fftw.nested)
		aside_run(STACK_FOR_GPU, route_plans_note_plan, &work);
	route_plans_end_call(&visit->fftw);
	fp_environment_leave(&program);
	return plan;
}

/*
 * A plan made unseen: its first execution is recorded, or each one where the gate lets all calls
 * take the route.
 */
static void route_plans_describe_unknown(struct visit *visit, void *plan)
{
	struct fft_request request = {
		.problem = {.family = visit->call.family, .element = visit->call.element}};
	const uint64_t gate_bytes = route_plans_gate_bytes(&request.problem);
	describe_fftw_unknown(&request);
	describe_fftw_call(&visit->call, &request, NULL, NULL, plan);
	visit->unsized = plan != NULL &&
	                 route_plans_keep(plan, &request, gate_bytes != 0) != NULL &&
	                 gate_bytes != UINT64_MAX;
}

void route_plans_describe_execution(struct visit *visit, void *plan, void *in, void *out,
                                    bool split)
{
	if (state_get()->forwards_only)
		return;
	const struct plan_slot *slot = plan != NULL ? plans_find_slot(plan, &visit->small) : NULL;
	if (slot == NULL) {
		route_plans_describe_unknown(visit, plan);
		return;
	}
	const struct fft_request *request = &slot->entry->request;
	describe_fftw_call(&visit->call, request, in != NULL ? in : request->in,
	                   out != NULL ? out : request->out, plan);
	if (slot->entry->lazy &&
	    atomic_load_explicit(&slot->entry->better, memory_order_acquire) == NULL)
		visit->call.fft.rigour = FFT_ESTIMATED;
	if (split && visit->call.defect == REASON_NONE)
		visit->call.defect = REASON_SPLIT_ARRAYS;
}

struct plans_better {
	const struct visit *visit;
	unsigned flags;
	struct cpu_plan *made;
};

static void route_plans_make_aside(void *context)
{
	struct plans_better *better = context;
	better->made =
		cpu_planner_make(&better->visit->call.fft, better->flags, better->visit->code);
}

/* The shim's own planning, of a plan that then runs as the program's. */
static struct cpu_plan *route_plans_make_better(const struct visit *visit, unsigned flags)
{
	struct plans_better better = {visit, flags, NULL};
	struct fp_environment program;
	fp_environment_enter(&program);
	aside_run(STACK_FOR_GPU, route_plans_make_aside, &better);
	fp_environment_leave(&program);
	return better.made;
}

bool route_plans_run_better(const struct visit *visit)
{
	struct plan_entry *entry = plans_find(visit->call.fft.plan_key);
	const enum reason reason = visit->decision.reason;
	if (entry == NULL || !entry->lazy || reason == REASON_WARMING_UP ||
	    reason == REASON_EXITING)
		return false;
	/*
	 * A split execution describes only two of its four arrays, from which their order cannot be
	 * told.
	 */
	if (visit->call.defect != REASON_NONE)
		return false;
	/*
	 * The thread that counts up to this number makes the plan; the others go on with the old
	 * one.
	 */
	if (atomic_fetch_add_explicit(&entry->cpu_runs, 1, memory_order_relaxed) + 1 ==
	    ROUTE_PLANS_LAZY_RUNS)
		atomic_store_explicit(&entry->better,
		                      route_plans_make_better(visit, entry->request.problem.flags),
		                      memory_order_release);
	const struct cpu_plan *better = atomic_load_explicit(&entry->better, memory_order_acquire);
	return better != NULL && cpu_planner_run(better, &visit->call.fft);
}

void route_plans_describe_tick(struct record_tick *tick, int symbol, const void *plan)
{
	const struct plan_entry *entry = plans_find(plan);
	*tick = (struct record_tick){.symbol = symbol, .sizes = {-1, -1, -1}, .problems = -1};
	if (entry == NULL || entry->request.defect == REASON_UNKNOWN_PLAN)
		return;
	const struct fft_problem *problem = &entry->request.problem;
	for (int d = 0; d < problem->rank && d < 3; d++)
		tick->sizes[d] = problem->dims[d].n;
	if (problem->howmany <= INT32_MAX)
		tick->problems = (int32_t)problem->howmany;
}

void route_plans_note_threads(const struct fftw_visit *visit, int threads)
{
	struct fp_environment program;
	if (visit->nested)
		return;
	fp_environment_enter(&program);
	route_planner_note_threads(symbol_table[visit->symbol].element, threads, visit->code);
	fp_environment_leave(&program);
}

void route_plans_note_callback(const struct fftw_visit *visit, bool set)
{
	if (!visit->nested)
		route_planner_note_callback(symbol_table[visit->symbol].element, set);
}

/* What the GPU keeps for a plan is released by CUDA. */
static void route_plans_forget(void *plan)
{
	plans_forget(plan, route_plans_drop);
}

void route_plans_release(const struct fftw_visit *visit, const void *plan)
{
	struct fp_environment program;
	fp_environment_enter(&program);
	if (!visit->nested)
		aside_run_anyway(STACK_FOR_GPU, route_plans_forget, (void *)(uintptr_t)plan);
	fp_environment_leave(&program);
}

static void route_plans_forget_all(void *context)
{
	const struct fftw_visit *visit = context;
	plans_forget_all(symbol_table[visit->symbol].element, route_plans_drop);
}

void route_plans_release_all(const struct fftw_visit *visit)
{
	struct fp_environment program;
	if (visit->nested)
		return;
	fp_environment_enter(&program);
	aside_run_anyway(STACK_FOR_GPU, route_plans_forget_all, (void *)(uintptr_t)visit);
	route_planner_reset(symbol_table[visit->symbol].element);
	fp_environment_leave(&program);
}
