/* route.c - one call past the gate: enter, describe, decide, execute, record */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The entry of each symbol (shim/entry/) calls, in this order:
 *   enter     route_enter finds the real routine (execute/cpu/cpu.c) and opens the symbol's gate
 *   describe  describe_f77_GEMM and its like (describe/), or route_plans_describe_execution
 *   decide    route_run calls route_decide_call (route_decide.c, policy/decide/decide.c)
 *   execute   route_run calls route_execute_on_gpu (route_execute.c, execute/gpu/);
 *             where that is not the decision or fails, the entry calls the real routine
 *   record    route_leave writes log and counters (record/) and trace (record/timeline/)
 */
#include "shim/route/route.h"

#include "shim/base/aside.h"
#include "shim/base/clock.h"
#include "shim/base/observe.h"
#include "shim/base/one_off.h"
#include "shim/execute/cpu/cpu.h"
#include "shim/execute/cpu/cpu_flags.h"
#include "shim/execute/gpu/device/blas_math.h"
#include "shim/execute/gpu/device/lanes.h"
#include "shim/execute/gpu/session/session.h"
#include "shim/gate/gate_open.h"
#include "shim/record/counters.h"
#include "shim/record/record.h"
#include "shim/record/summary/children.h"
#include "shim/record/timeline/timeline.h"
#include "shim/route/route_decide.h"
#include "shim/route/route_dry.h"
#include "shim/route/route_execute.h"
#include "shim/route/route_nest.h"
#include "shim/route/route_plans.h"
#include "shim/route/state.h"
#include "shim/shield/cancellation.h"

/* -- enter ------------------------------------------------------------------------------------ */

static void route_open_gate(int symbol, const struct cpu_routine *routine, const void *caller,
                            struct gate_binding *binding)
{
	if (binding != NULL)
		gate_open_binding(binding);
	else if (routine->shared)
		gate_open_symbol(symbol, routine);
	else
		gate_open_sites(symbol, routine, caller);
}

void route_enter(struct visit *visit, int symbol, uint32_t operation, const void *caller,
                 const void *frame)
{
	const struct symbol_row *row = &symbol_table[symbol];
	fp_environment_enter(&visit->program);
	const bool forwards_only = state_get()->forwards_only;
	struct gate_binding *binding = gate_take_binding();
	const struct cpu_routine routine =
		binding != NULL ? gate_find_bound(binding) : cpu_find(symbol, caller);
	visit->code = routine.code;
	visit->wide = routine.wide;
	visit->caller = caller;
	visit->recorded = false;
	visit->small = visit->unsized = visit->pays_setup = false;
	visit->flags = 0;
	visit->unsettled = NULL;
	route_nest_enter(visit);
	visit->call.symbol = symbol;
	visit->call.family = row->family;
	visit->call.element = row->element;
	visit->kind = VISIT_NESTED;
	if (!forwards_only && (operation == 0 || !gate_is_nested(operation, frame, caller)))
		visit->kind = VISIT_DECIDED;
	if (!forwards_only)
		route_open_gate(symbol, &routine, caller, binding);
}

/* -- cancellation ----------------------------------------------------------------------------- */

/*
 * The thread's call that is decided or recorded, NULL: none, and its cancellation before: BLAS and
 * FFTW calls are no cancellation points, and what the shim does must not be cut short. A handler
 * that jumps out of the call leaves both behind.
 */
static _Thread_local const struct visit *route_inside;
static _Thread_local struct cancellation route_cancellation;

/* What a handler's call, inside another one, has to restore. */
struct route_outer {
	const struct visit *inside;
	struct cancellation cancellation;
};

static void route_begin_own(const struct visit *visit, struct route_outer *outer)
{
	struct cancellation now;
	if (route_inside != NULL && (uintptr_t)visit >= (uintptr_t)route_inside) {
		cancellation_release(&route_cancellation);
		route_inside = NULL;
	}
	cancellation_hold(&now);
	*outer = (struct route_outer){.inside = route_inside, .cancellation = route_cancellation};
	route_cancellation = now;
	route_inside = visit;
}

static void route_end_own(const struct route_outer *outer)
{
	const struct cancellation before = route_cancellation;
	route_cancellation = outer->cancellation;
	route_inside = outer->inside;
	cancellation_release(&before);
}

/* -- record ----------------------------------------------------------------------------------- */

/* Times that inner calls have told are not counted twice. */
static void route_count(const struct visit *visit, int64_t elapsed_ns)
{
	const int64_t inner_ns = (int64_t)visit->inner.elapsed_ns;
	children_note(visit->decision.reason);
	counters_add(visit->call.symbol, visit->decision.reason,
	             elapsed_ns > inner_ns ? elapsed_ns - inner_ns
	             : elapsed_ns > 0      ? 0
	                                   : elapsed_ns,
	             visit->call.size_bytes);
}

/* NULL: not LAPACK, or not on the GPU. */
static const struct gpu_lapack_account *route_find_account(const struct visit *visit)
{
	const bool solved =
		family_is_lapack(visit->call.family) && visit->decision.target == TARGET_GPU;
	return solved ? &visit->solved : NULL;
}

/* The bus id of the GPU, in the first record on it; else NULL. */
static const char *route_find_card(const struct decision *decision)
{
	static _Atomic uint32_t named; /* a bit for each device */
	const uint32_t bit = UINT32_C(1) << (decision->device & 31);
	if (decision->target != TARGET_GPU || decision->device < 0 ||
	    (atomic_load_explicit(&named, memory_order_relaxed) & bit) != 0)
		return NULL;
	const char *card = lanes_find_bus_id(decision->device);
	return card[0] != '\0' && (atomic_fetch_or(&named, bit) & bit) == 0 ? card : NULL;
}

/* Run aside, uncancelled: BLAS and FFTW calls are no cancellation points, but write(2) is one. */
static void route_record(struct visit *visit, int64_t elapsed_ns)
{
	route_decide_settle(visit);
	const struct gpu_lapack_account *solved = route_find_account(visit);
	const struct cpu_share share = visit_find_share(visit);
	struct record record = {.call = &visit->call,
	                        .decision = &visit->decision,
	                        .start_ns = visit->start_ns,
	                        .elapsed_ns = elapsed_ns,
	                        .math = blas_math_word(visit->call.family, visit->call.element),
	                        .caller = visit->caller,
	                        .nested = visit->nested,
	                        .recipe = solved != NULL ? solved->recipe : NULL,
	                        .workspace_bytes = solved != NULL ? solved->work_bytes : 0,
	                        .pci = route_find_card(&visit->decision),
	                        .sent_bytes = visit->traffic.sent_bytes,
	                        .kept_bytes = visit->traffic.kept_bytes,
	                        .cpu_part = share.done,
	                        .cpu_part_ns = share.cpu_ns,
	                        .gpu_part_ns = share.device_ns,
	                        .verify_ratio = visit->verified ? &visit->verify_ratio : NULL};
	struct shield shield;
	if (route_dry_is_open())
		record.dry_machine = route_dry_begin(visit, elapsed_ns, &shield);
	record_write(&record);
	if (route_dry_is_open())
		route_dry_end(&shield);
	timeline_end_call(&record, visit->begin_ns);
	/* A time on the CPU with a part on the GPU in it is that of neither side. */
	if (!visit->inner.used_gpu)
		route_decide_learn(visit, elapsed_ns);
	route_count(visit, elapsed_ns);
	route_nest_note(visit, elapsed_ns);
	visit->recorded = true;
}

/* After the routine. Without a stack for it the call is missing in the log and the counters. */
static void route_record_end(void *context)
{
	struct visit *visit = context;
	route_record(visit, clock_monotonic_ns() - visit->begin_ns - visit->verify_ns);
}

/* As a tick has them. */
static int32_t route_find_problems(const struct call *call)
{
	const struct lapack_call *lapack = &call->lapack;
	const bool has_side = call->family == FAMILY_ORMQR || call->family == FAMILY_UNMQR;
	if (!family_is_lapack(call->family))
		return family_is_batch(call->family) ? (int32_t)call->batch.problems : 1;
	return record_data_pack_letters((struct record_letters){
		has_side ? "LR"[lapack->side == SIDE_RIGHT] : lapack->jobs[0], lapack->jobs[1],
		lapack->range == '\0' ? 'A' : lapack->range,
		call->defect == REASON_WORKSPACE_QUERY});
}

/* A call below the threshold, timed because log_level is call. The first one starts a thread. */
static void route_record_tick(void *context)
{
	const struct visit *visit = context;
	const struct call *call = &visit->call;
	struct record_tick tick;
	const struct call_sizes sizes = call_find_sizes(call);
	if (family_is_fft(call->family))
		route_plans_describe_tick(&tick, call->symbol, call->fft.plan_key);
	else
		tick = (struct record_tick){.symbol = call->symbol,
		                            .sizes = {sizes.m, sizes.n, sizes.k + sizes.nrhs},
		                            .problems = route_find_problems(call)};
	tick.tsc_begin = visit->begin_ticks;
	tick.tsc_end = clock_ticks();
	record_tick(&tick);
}

/* -- decide and execute ----------------------------------------------------------------------- */

/* LAPACK is not computed here: info tells the program, as for an error of the library's own. */
static void route_refuse(const struct lapack_call *lapack)
{
	if (lapack->wide)
		*(int64_t *)lapack->info = ROUTE_NO_LAPACK;
	else
		*(int32_t *)lapack->info = ROUTE_NO_LAPACK;
}

/*
 * Whether the entry has to call the real routine. Where no library has it, BLAS is computed here;
 * of an illegal call nothing is, since there is no xerbla to report it to.
 */
static bool route_needs_library(struct visit *visit)
{
	if (visit->code != NULL)
		return true;
	if (family_is_lapack(visit->call.family))
		route_refuse(&visit->call.lapack);
	if (!family_is_blas(visit->call.family) || visit->call.defect == REASON_ILLEGAL_ARGUMENT)
		return false;
	if (!cpu_compose_run(&visit->call, visit->caller))
		cpu_plain_run(&visit->call);
	return false;
}

/* The CPU library's xerbla, which these calls are for, may end the program. */
static bool route_may_not_return(const struct visit *visit)
{
	return visit->call.defect == REASON_ILLEGAL_ARGUMENT ||
	       visit->call.defect == REASON_SHORT_WORKSPACE;
}

static bool route_is_small(const struct visit *visit)
{
	if (visit->small || visit->unsized)
		return visit->small;
	return !route_may_not_return(visit) && visit->call.defect != REASON_WORKSPACE_QUERY &&
	       visit->call.size_bytes < gate_open_bytes(visit->call.family, visit->call.element);
}

static void route_count_small(struct visit *visit)
{
	visit->kind = VISIT_SMALL;
	gate_open_count(visit->call.symbol);
	if (gate_open_times_calls())
		visit->begin_ticks = clock_ticks();
}

/* Also where the CPU finished a call, of which the device had delivered a part. */
static void route_find_flags(struct visit *visit)
{
	const unsigned noted = fp_environment_take_noted();
	if ((noted & FP_SPECIAL) != 0)
		visit->flags = (noted & FP_FLAGS) | cpu_flags_find(&visit->call, visit->caller);
}

/* Returns whether the result is computed; else the decision names the CPU. */
static bool route_execute(struct visit *visit)
{
	bool finished;
	if (visit->decision.target != TARGET_GPU)
		return false;
	const enum reason outcome = route_execute_on_gpu(visit, &finished);
	if (outcome == REASON_NONE)
		fp_environment_note_inexact(&visit->program);
	if (outcome == REASON_NONE || finished)
		route_find_flags(visit);
	if (outcome == REASON_NONE)
		return visit->unsettled == NULL;
	visit->decision.target = TARGET_CPU;
	visit->decision.reason = outcome;
	visit->decision.device = -1;
	return finished;
}

static bool route_decide_and_execute(struct visit *visit)
{
	visit->start_ns = clock_realtime_ns();
	visit->begin_ns = clock_monotonic_ns();
	visit->one_off = one_off_mark();
	visit->verify_ns = 0;
	visit->verified = false;
	visit->traffic = (struct traffic){.sent_bytes = 0};
	timeline_begin_call(&visit->call);
	route_decide_call(visit, state_get()->program_excluded);
	const bool done = route_execute(visit);
	if (route_may_not_return(visit))
		route_record(visit, -1);
	/* A trap of the program may end it too. */
	if (visit->flags != 0)
		route_record(visit, clock_monotonic_ns() - visit->begin_ns - visit->verify_ns);
	return done;
}

struct route_work {
	struct visit *visit;
	bool done;
};

static void route_work(void *context)
{
	struct route_work *work = context;
	struct fp_environment *outer = fp_environment_keep(&work->visit->program);
	const unsigned noted = fp_environment_take_noted();
	work->done = route_decide_and_execute(work->visit);
	fp_environment_keep(outer);
	fp_environment_take_noted();
	fp_environment_note(noted);
}

/* Only counted: to write a line takes a stack too. */
static void route_decline(struct visit *visit)
{
	visit->decision =
		(struct decision){.target = TARGET_CPU, .reason = REASON_SMALL_STACK, .device = -1};
	counters_add(visit->call.symbol, REASON_SMALL_STACK, 0, visit->call.size_bytes);
	visit->recorded = true;
}

static bool route_run_decided(struct visit *visit)
{
	struct route_work work = {visit, false};
	struct route_outer outer;
	route_begin_own(visit, &outer);
	if (!aside_run(STACK_FOR_CPU, route_work, &work))
		route_decline(visit);
	route_end_own(&outer);
	return work.done;
}

/*
 * Why no call goes to the GPU in this process, if nobody is told more of a call than that: then no
 * clock is read for it, which would end a thread in the strict mode of seccomp. Else REASON_NONE.
 */
static enum reason route_find_absence(void)
{
	if (!state_get()->untimed || observe_find() != NULL || route_dry_is_open())
		return REASON_NONE;
	return session_find_absence();
}

static void route_count_absent(struct visit *visit, enum reason absence)
{
	const enum reason defect = visit->call.defect;
	visit->decision = (struct decision){.target = TARGET_CPU,
	                                    .reason = defect != REASON_NONE ? defect : absence,
	                                    .device = -1};
	counters_add(visit->call.symbol, visit->decision.reason, 0, visit->call.size_bytes);
	visit->recorded = true;
}

/*
 * Whether the CPU library has to do all of a call that the GPU gave back. What the GPU has no
 * function or no memory for, it may do in part.
 */
static bool route_came_back(enum reason reason)
{
	return reason_outcome(reason) == OUTCOME_BACK && reason != REASON_FUNCTION_MISSING &&
	       reason != REASON_DEVICE_MEMORY;
}

/* The program's environment is in force again before a routine of the program's runs. */
bool route_run(struct visit *visit)
{
	bool done = false;
	const enum reason absence = route_find_absence();
	if (visit->kind != VISIT_NESTED && route_is_small(visit))
		route_count_small(visit);
	else if (visit->kind != VISIT_NESTED && absence != REASON_NONE)
		route_count_absent(visit, absence);
	else if (visit->kind != VISIT_NESTED)
		done = route_run_decided(visit);
	fp_environment_leave(&visit->program);
	if (visit->flags != 0)
		fp_environment_raise(visit->flags);
	if (!done && visit->kind == VISIT_DECIDED && family_is_fft(visit->call.family))
		done = route_plans_run_better(visit);
	if (done || !route_needs_library(visit))
		return false;
	if (visit->kind == VISIT_DECIDED && family_is_lapack(visit->call.family))
		route_nest_begin(visit, visit->unsettled != NULL ||
		                                route_came_back(visit->decision.reason));
	return true;
}

bool route_owes_answer(struct visit *visit)
{
	const bool owes = visit->kind == VISIT_DECIDED && visit->decision.target == TARGET_GPU &&
	                  visit->code != NULL && visit->call.lapack.work != NULL;
	if (owes)
		route_nest_begin(visit, true);
	return owes;
}

/* -- leave ------------------------------------------------------------------------------------ */

void route_leave(struct visit *visit)
{
	struct fp_environment program;
	fp_environment_enter(&program);
	struct route_outer outer;
	route_nest_end(visit);
	route_begin_own(visit, &outer);
	route_execute_settle(visit);
	if (visit->kind == VISIT_SMALL && gate_open_times_calls())
		aside_run(STACK_FOR_CPU, route_record_tick, visit);
	if (visit->kind == VISIT_DECIDED && !visit->recorded)
		aside_run(STACK_FOR_CPU, route_record_end, visit);
	route_end_own(&outer);
	fp_environment_leave(&program);
}
