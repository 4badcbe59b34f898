/* route_fftw.c - plans on their way: made, executed, released */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "shim/describe/plans.h"
#include "shim/execute/cpu.h"
#include "shim/execute/gpu/gpu_fft.h"
#include "shim/gate.h"
#include "shim/init.h"
#include "shim/route.h"

/* The routine of the library that the call is meant for. First of all, since the thread's counts may be parked. */
static void *route_find_fftw(int symbol, const void *caller)
{
	init_shim();
	const struct gate_binding *binding = gate_take_binding();
	return binding != NULL ? binding->code : cpu_find(symbol, caller).code;
}

void route_plan_open(struct plan_visit *visit, int symbol, const void *caller, const void *frame)
{
	const struct symbol_row *row = &symbol_table[symbol];
	const uint32_t operation = GATE_OPERATION(FAMILY_FFT_C2C, row->element);
	visit->symbol = symbol;
	visit->code = route_find_fftw(symbol, caller);
	visit->nested = gate_is_nested(operation, frame, caller);
	visit->request.problem.family = row->family;
	visit->request.problem.element = row->element;
	if (!visit->nested)
		gate_mark(operation, visit->code, frame);
}

void route_plan_close(struct plan_visit *visit, void *plan)
{
	const struct shim_state *state = init_shim();
	if (visit->nested)
		return;
	gate_unmark();
	init_count(visit->symbol);
	if (plan == NULL)
		return;
	/* The address may be that of a plan which was destroyed where the shim could not see it. */
	if (plans_forget(plan))
		gpu_fft_forget(plan);
	const struct fft_problem *problem = &visit->request.problem;
	if (visit->request.size_bytes >= state->gate_bytes[problem->family][problem->element])
		plans_keep(plan, &visit->request);
}

void route_describe_execute(struct visit *visit, void *plan, void *in, void *out)
{
	const struct fft_request *request = plans_find(plan);
	if (request == NULL)
		describe_fft_unknown(&visit->call);
	else
		describe_fft_call(&visit->call, request, in != NULL ? in : request->in,
		                  out != NULL ? out : request->out, plan);
}

void *route_release(int symbol, const void *caller, const void *plan)
{
	void *code = route_find_fftw(symbol, caller);
	init_count(symbol);
	if (plans_forget(plan))
		gpu_fft_forget(plan);
	return code;
}

void *route_release_all(int symbol, const void *caller)
{
	void *code = route_find_fftw(symbol, caller);
	init_count(symbol);
	plans_forget_all(symbol_table[symbol].element, gpu_fft_forget);
	return code;
}
