/* route_execute.c - runs a decided call on the GPU, verified if the option verify asks for it */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/route/route_execute.h"

#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include "shim/base/aside.h"
#include "shim/base/clock.h"
#include "shim/base/stack.h"
#include "shim/execute/cpu/cpu.h"
#include "shim/execute/cpu/cpu_threads.h"
#include "shim/execute/gpu/blas/gpu_blas.h"
#include "shim/execute/gpu/device/lane_owner.h"
#include "shim/execute/gpu/fft/gpu_fft.h"
#include "shim/execute/gpu/lapack/gpu_lapack.h"
#include "shim/execute/gpu/session/residency.h"
#include "shim/execute/gpu/session/session.h"
#include "shim/execute/verify/verify_call.h"
#include "shim/record/counters.h"
#include "shim/route/route_slices.h"
#include "shim/route/state.h"
#include "shim/shield/shield.h"

/* The CPU library's threads, which are the program's own, compute the CPU's part. */
static void route_execute_plan_share(struct visit *visit)
{
	const struct call *call = &visit->call;
	const void *code = visit->code;
	visit->share = (struct cpu_share){.wanted = visit->decision.cpu_share};
	/* Many libraries lack routines of batches, which are computed by gemm then. */
	if (visit->share.wanted > 0 && code == NULL)
		code = cpu_find_family(call->symbol, FAMILY_GEMM, call->element, visit->caller)
		               .code;
	/* A handler of traps may jump out of the CPU's part while the GPU's is written. */
	if (visit->share.wanted > 0 &&
	    (fp_environment_traps(&visit->program) || cpu_threads_is_inside(code)))
		visit->share.wanted = 0;
	if (visit->share.wanted > 0)
		visit->share.threads = cpu_threads_find(code);
}

/*
 * A transform of complex numbers to real ones overwrites its input on the CPU, which a verification
 * would read afterwards.
 */
static bool route_execute_loses_input(const struct visit *visit, bool verified)
{
	return verified && visit->call.family == FAMILY_FFT_C2R &&
	       visit->call.fft.in != visit->call.fft.out;
}

/* FFTW's plans compute the CPU's part, on as many threads as the program's plan has. */
static const struct cpu_slices *route_execute_plan_slices(struct visit *visit, bool verified)
{
	visit->share = (struct cpu_share){.wanted = visit->decision.cpu_share};
	if (!(visit->share.wanted > 0) || !fft_share_takes(&visit->call) ||
	    route_execute_loses_input(visit, verified) || fp_environment_traps(&visit->program) ||
	    cpu_threads_is_inside(visit->code))
		return NULL;
	visit->share.threads = route_slices_count_threads(visit);
	return route_slices_find(visit);
}

static enum reason route_execute_run_engine(struct visit *visit, bool verified, bool *finished)
{
	enum reason outcome;
	lane_owner_frame(visit);
	if (family_is_fft(visit->call.family)) {
		const struct cpu_slices *slices = route_execute_plan_slices(visit, verified);
		outcome = gpu_fft_run_shared(&visit->call, visit->decision.device, slices,
		                             &visit->share, finished);
	} else if (family_is_lapack(visit->call.family)) {
		outcome = gpu_lapack_run(&visit->call, visit->decision.device, &visit->solved,
		                         finished);
	} else {
		route_execute_plan_share(visit);
		outcome = gpu_blas_run(&visit->call, visit->caller, visit->decision.device,
		                       &visit->share, finished);
	}
	return outcome;
}

/* -- verification ------------------------------------------------------------------------------ */

/*
 * The verifications of each thread's outermost verified call. A handler that jumps out of the call
 * leaves it behind: the thread's next verified call whose visit lies outside of that one's frees
 * it. thread: 0 where the place is free. Further threads' are not held.
 */
enum { ROUTE_EXECUTE_HELD = 32 };
static struct route_held {
	_Atomic pid_t thread;
	const struct visit *visit;
	struct verify *verify;
} route_execute_held[ROUTE_EXECUTE_HELD];

static struct route_held *route_execute_find_held(void)
{
	const pid_t own = gettid();
	for (int i = 0; i < ROUTE_EXECUTE_HELD; i++)
		if (atomic_load(&route_execute_held[i].thread) == own)
			return &route_execute_held[i];
	return NULL;
}

/* Frames on different stacks tell nothing, nor do those on a handler's own stack. */
static bool route_execute_is_outside(const struct visit *visit, const struct visit *outer)
{
	stack_t stack;
	return (uintptr_t)visit >= (uintptr_t)outer && stack_has(visit, outer) &&
	       sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_ONSTACK) == 0;
}

static void route_execute_hold(const struct visit *visit, struct verify *verify)
{
	struct route_held *held = route_execute_find_held();
	if (held != NULL && route_execute_is_outside(visit, held->visit)) {
		verify_shadow_free(held->verify);
		atomic_store(&held->thread, 0);
		held = NULL;
	}
	for (int i = 0; verify != NULL && held == NULL && i < ROUTE_EXECUTE_HELD; i++) {
		pid_t nobody = 0;
		struct route_held *place = &route_execute_held[i];
		if (!atomic_compare_exchange_strong(&place->thread, &nobody, gettid()))
			continue;
		held = place;
		held->visit = visit;
		held->verify = verify;
	}
}

static void route_execute_let_go(const struct visit *visit)
{
	struct route_held *held = route_execute_find_held();
	if (held != NULL && held->visit == visit)
		atomic_store(&held->thread, 0);
}

static struct verify *route_execute_begin_verification(struct visit *visit,
                                                       const struct options *options)
{
	const struct verify_request request = {.call = &visit->call,
	                                       .caller = visit->caller,
	                                       .code = visit->code,
	                                       .device = visit->decision.device,
	                                       .tf32 = options->math != MATH_NATIVE};
	if (!verify_call_wants(options->verify))
		return NULL;
	const int64_t begin_ns = clock_monotonic_ns();
	struct verify *verify = verify_call_begin(&request);
	route_execute_hold(visit, verify);
	visit->verify_ns += clock_monotonic_ns() - begin_ns;
	return verify;
}

static enum reason route_execute_compare(struct visit *visit, struct verify *verify,
                                         int64_t begin_ns)
{
	const enum reason outcome = verify_call_end(verify, &visit->verify_ratio);
	route_execute_let_go(visit);
	if (outcome == REASON_NONE || outcome == REASON_VERIFY_FAILED) {
		visit->verified = true;
		counters_add_verified(visit->call.symbol, visit->verify_ratio,
		                      outcome == REASON_NONE);
	}
	visit->verify_ns += clock_monotonic_ns() - begin_ns;
	return outcome;
}

static enum reason route_execute_end_verification(struct visit *visit, struct verify *verify,
                                                  enum reason outcome)
{
	const int64_t begin_ns = clock_monotonic_ns();
	if (verify == NULL)
		return outcome;
	if (outcome == REASON_NONE && verify_call_needs_library(verify)) {
		visit->unsettled = verify;
		visit->unsettled_ns = begin_ns;
		return REASON_NONE;
	}
	if (outcome == REASON_NONE)
		return route_execute_compare(visit, verify, begin_ns);
	verify_shadow_free(verify);
	route_execute_let_go(visit);
	return outcome;
}

static void route_execute_settle_aside(void *context)
{
	struct visit *visit = context;
	struct shield shield;
	shield_begin(&shield);
	const enum reason outcome =
		route_execute_compare(visit, visit->unsettled, visit->unsettled_ns);
	if (outcome != REASON_NONE) {
		visit->decision.target = TARGET_CPU;
		visit->decision.reason = outcome;
		visit->decision.device = -1;
		session_note_outcome(outcome);
	}
	shield_end(&shield);
}

void route_execute_settle(struct visit *visit)
{
	if (visit->unsettled == NULL)
		return;
	if (!aside_run(STACK_FOR_GPU, route_execute_settle_aside, visit)) {
		verify_shadow_free(visit->unsettled);
		route_execute_let_go(visit);
	}
	visit->unsettled = NULL;
	visit->inner.elapsed_ns = 0;
}

/* Bytes count if the call came back, too: the link carried them. */
static void route_execute_count_traffic(const struct traffic *traffic)
{
	counters_add_traffic(traffic->sent_bytes, traffic->kept_bytes);
	const struct residency_state state = residency_find_state();
	counters_set_tracking(state.faults, state.fault_ns, state.untracked);
	counters_set_moves(state.moved_bytes, state.unmoved);
}

struct route_execution {
	struct visit *visit;
	bool *finished;
	enum reason outcome;
};

static void route_execute_aside(void *context)
{
	struct route_execution *execution = context;
	struct visit *visit = execution->visit;
	struct shield shield;
	shield_begin(&shield);
	const struct traffic outer = traffic_begin();
	struct verify *verify = route_execute_begin_verification(visit, &state_get()->options);
	const enum reason outcome =
		route_execute_run_engine(visit, verify != NULL, execution->finished);
	visit->traffic = traffic_end(&outer);
	route_execute_count_traffic(&visit->traffic);
	execution->outcome = route_execute_end_verification(visit, verify, outcome);
	session_note_outcome(execution->outcome);
	shield_end(&shield);
}

enum reason route_execute_on_gpu(struct visit *visit, bool *finished)
{
	struct route_execution execution = {visit, finished, REASON_SMALL_STACK};
	*finished = false;
	aside_run(STACK_FOR_GPU, route_execute_aside, &execution);
	return execution.outcome;
}
