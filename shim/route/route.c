/* route.c - the spine: a call enters, is described, decided, executed, recorded */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/route/route.h"

#include <errno.h>
#include <pthread.h>

#include "shim/base/clock.h"
#include "shim/execute/cpu/cpu.h"
#include "shim/execute/gpu/device/blas_math.h"
#include "shim/gate/gate_open.h"
#include "shim/record/counters.h"
#include "shim/record/record.h"
#include "shim/record/timeline/timeline.h"
#include "shim/route/route_decide.h"
#include "shim/route/route_execute.h"
#include "shim/route/route_plans.h"
#include "shim/route/state.h"

void route_open(struct visit *visit, int symbol, uint32_t operation, const void *caller,
                const void *frame)
{
	const struct symbol_row *row = &symbol_table[symbol];
	state_get();
	struct gate_binding *binding = gate_take_binding();
	const struct cpu_routine routine =
		binding != NULL ? gate_find_bound(binding) : cpu_find(symbol, caller);
	visit->code = routine.code;
	visit->wide = routine.wide;
	visit->caller = caller;
	visit->recorded = false;
	visit->small = visit->unsized = visit->pays_setup = false;
	visit->call.symbol = symbol;
	visit->call.family = row->family;
	visit->call.element = row->element;
	visit->kind = operation != 0 && gate_is_nested(operation, frame, caller) ? VISIT_NESTED
	                                                                         : VISIT_DECIDED;
	if (binding != NULL)
		gate_open_binding(binding);
	else if (routine.shared)
		gate_open_symbol(symbol, &routine);
	else
		gate_open_sites(symbol, &routine, caller);
}

/*
 * Without any library BLAS is computed here; an illegal call has nobody to report it and computes
 * nothing.
 */
static bool route_needs_library(struct visit *visit)
{
	if (visit->code != NULL)
		return true;
	if (family_is_fft(visit->call.family) || visit->call.defect == REASON_ILLEGAL_ARGUMENT)
		return false;
	if (!cpu_compose_run(&visit->call, visit->caller))
		cpu_plain_run(&visit->call);
	return false;
}

/*
 * Calls of BLAS and FFTW are no points of cancellation, and files, locks and the GPU are no place
 * to end a thread.
 */
static void route_record(struct visit *visit, int64_t elapsed_ns)
{
	int cancel_state;
	const struct record record = {
		.call = &visit->call,
		.decision = &visit->decision,
		.start_ns = visit->start_ns,
		.elapsed_ns = elapsed_ns,
		.math = blas_math_word(visit->call.family, visit->call.element),
		.caller = visit->caller};
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	record_write(&record);
	timeline_end_call(&record, visit->begin_ns);
	route_decide_learn(visit, elapsed_ns);
	counters_add(visit->call.symbol, visit->decision.reason, elapsed_ns,
	             visit->call.size_bytes);
	visit->recorded = true;
	pthread_setcancelstate(cancel_state, NULL);
}

static bool route_is_small(const struct visit *visit)
{
	if (visit->small || visit->unsized)
		return visit->small;
	return visit->call.defect != REASON_ILLEGAL_ARGUMENT &&
	       visit->call.size_bytes < gate_open_bytes(visit->call.family, visit->call.element);
}

/* Past the gate; whether the work is done. */
static bool route_run_decided(struct visit *visit)
{
	visit->start_ns = clock_realtime_ns();
	visit->begin_ns = clock_monotonic_ns();
	visit->verify_ns = 0;
	timeline_begin_call(&visit->call);
	route_decide_call(visit, state_get()->program_excluded);
	if (visit->decision.target == TARGET_GPU) {
		bool finished;
		const enum reason outcome = route_execute_on_gpu(visit, &finished);
		if (outcome == REASON_NONE)
			return true;
		visit->decision.target = TARGET_CPU;
		visit->decision.reason = outcome;
		visit->decision.device = -1;
		if (finished)
			return true;
	}
	/* Its xerbla may never come back: what there is to record is recorded now. */
	if (visit->call.defect == REASON_ILLEGAL_ARGUMENT)
		route_record(visit, -1);
	return false;
}

bool route_run(struct visit *visit)
{
	if (visit->kind == VISIT_NESTED)
		return route_needs_library(visit);
	if (route_is_small(visit)) {
		visit->kind = VISIT_SMALL;
		gate_open_count(visit->call.symbol);
		if (gate_open_times_calls())
			visit->begin_ticks = clock_ticks();
		return route_needs_library(visit);
	}
	const int saved_errno = errno;
	int cancel_state;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	const bool done = route_run_decided(visit);
	pthread_setcancelstate(cancel_state, NULL);
	errno = saved_errno;
	if (done || (family_is_fft(visit->call.family) && route_plans_run_better(visit)))
		return false;
	return route_needs_library(visit);
}

static void route_tick(const struct visit *visit)
{
	const struct call *call = &visit->call;
	struct record_tick tick;
	if (family_is_fft(call->family))
		route_plans_describe_tick(&tick, call->symbol, call->fft.plan_key);
	else
		tick = (struct record_tick){.symbol = call->symbol,
		                            .sizes = {call->blas.m, call->blas.n, call->blas.k},
		                            .problems = family_is_batch(call->family)
		                                                ? (int32_t)call->batch.problems
		                                                : 1};
	tick.tsc_begin = visit->begin_ticks;
	tick.tsc_end = clock_ticks();
	record_tick(&tick);
}

void route_close(struct visit *visit)
{
	if (visit->kind == VISIT_SMALL && gate_open_times_calls())
		route_tick(visit);
	if (visit->kind == VISIT_DECIDED && !visit->recorded)
		route_record(visit, clock_monotonic_ns() - visit->begin_ns - visit->verify_ns);
}
