/* route_execute.c - runs a decided call on the GPU, verified if the option verify asks for it */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/route/route_execute.h"

#include "shim/base/aside.h"
#include "shim/base/clock.h"
#include "shim/execute/gpu/blas/gpu_blas.h"
#include "shim/execute/gpu/device/lane_owner.h"
#include "shim/execute/gpu/fft/gpu_fft.h"
#include "shim/execute/gpu/lapack/gpu_lapack.h"
#include "shim/execute/gpu/session/session.h"
#include "shim/execute/verify/verify_call.h"
#include "shim/record/counters.h"
#include "shim/route/state.h"
#include "shim/shield/shield.h"

static enum reason route_execute_run_engine(struct visit *visit, bool *finished)
{
	enum reason outcome;
	lane_owner_frame(visit);
	if (family_is_fft(visit->call.family)) {
		outcome = gpu_fft_run(&visit->call, visit->decision.device);
		*finished = outcome == REASON_NONE;
	} else if (family_is_lapack(visit->call.family)) {
		outcome = gpu_lapack_run(&visit->call, visit->decision.device, &visit->solved,
		                         finished);
	} else {
		outcome =
			gpu_blas_run(&visit->call, visit->caller, visit->decision.device, finished);
	}
	return outcome;
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
	visit->verify_ns += clock_monotonic_ns() - begin_ns;
	return verify;
}

static enum reason route_execute_compare(struct visit *visit, struct verify *verify,
                                         int64_t begin_ns)
{
	const enum reason outcome = verify_call_end(verify, &visit->verify_ratio);
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
	if (verify == NULL || outcome != REASON_NONE) {
		verify_shadow_free(verify);
		return outcome;
	}
	if (!verify_call_needs_library(verify))
		return route_execute_compare(visit, verify, begin_ns);
	visit->unsettled = verify;
	visit->unsettled_ns = begin_ns;
	return REASON_NONE;
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
	if (!aside_run(STACK_FOR_GPU, route_execute_settle_aside, visit))
		verify_shadow_free(visit->unsettled);
	visit->unsettled = NULL;
	visit->inner.elapsed_ns = 0;
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
	struct verify *verify = route_execute_begin_verification(visit, &state_get()->options);
	const enum reason outcome = route_execute_run_engine(visit, execution->finished);
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
