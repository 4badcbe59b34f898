/* explain_predict.c - the replay of recorded calls, with calls that nobody recorded */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/explain/explain_predict.h"

#include "cli/explain/explain_kept.h"
#include "policy/decide/rehearse.h"

/* The engine's plan is that of operands in pageable memory, all sent, of a process alone. */
static double explain_predict_gpu_time(const struct explain_view *view, const struct call *call,
                                       const struct cost *cost)
{
	bool is_plain = view->setting->gpu_sharers <= 1 && !explain_kept_has(view->setting);
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
		is_plain = is_plain && view->setting->place[name] == COST_PAGEABLE;
	return is_plain ? rehearse_expect(&view->machine->complete, call,
	                                  view->setting->memory_bytes, cost->gpu.whole_ns)
	                : cost->gpu.whole_ns;
}

struct explain_prediction explain_predict(const struct explain_view *view, const struct call *call,
                                          const struct cost *cost, uint64_t calls)
{
	static struct options options;
	static struct predict predict;
	const struct known_machine *machine = view->machine;
	const double cpu_ns = predict_round(cost->cpu.whole_ns),
		     gpu_ns = explain_predict_gpu_time(view, call, cost);
	const struct predict_call one = {.call = call,
	                                 .model_ns = {cost->cpu.whole_ns, gpu_ns},
	                                 .time_ns = {cpu_ns, gpu_ns},
	                                 .begin_ns = -1,
	                                 .elapsed_ns = -1};
	predict_set_options(view->options, &options);
	predict_begin(&predict, &options, &machine->complete, machine->source);
	const struct decision first = predict_add(&predict, &one);
	for (uint64_t i = 1; i < calls; i++)
		predict_add(&predict, &one);
	return (struct explain_prediction){predict.totals, first};
}
