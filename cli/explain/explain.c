/* explain.c - `gpushim explain`: on which side a call would run, and why */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/explain/explain.h"

#include "cli/common/say.h"
#include "cli/common/tool.h"
#include "cli/explain/explain_recipe.h"

static struct explain_request explain_request;
static struct known_machine explain_machine;
static const struct explain_view explain_view = {.machine = &explain_machine,
                                                 .setting = &explain_request.setting,
                                                 .options = &explain_request.options};

static int explain_serve_call(void)
{
	static struct built_call built;
	static struct explain_facts facts;
	const char *routine = explain_request.routine;
	if (!call_problem_build(&explain_request.problem, &built))
		return say_refusal("%s of these sizes has operands of more than 2^60 bytes",
		                   routine);
	if (built.call.defect == REASON_ILLEGAL_ARGUMENT)
		return say_refusal("%s stays on the CPU, %s: %s", routine,
		                   reason_name(built.call.defect),
		                   reason_sentence(built.call.defect));
	explain_request.defect = built.call.defect != REASON_NONE
	                                 ? built.call.defect
	                                 : explain_recipe_judge(&built.call);
	if (explain_untaken_print(&explain_request))
		return TOOL_FINE;
	facts.problem = &explain_request.problem;
	facts.view = explain_view;
	facts.call = &built.call;
	facts.calls = explain_request.calls;
	explain_facts_find(&facts);
	facts.prediction =
		explain_predict(&explain_view, &built.call, &facts.cost, explain_request.calls);
	explain_facts_find_wait(&facts);
	if (facts.band == BAND_UNKNOWN)
		return say_refusal(
			"nothing can be predicted of %s: the profile '%s' has no rate for it",
			routine, explain_machine.profile.name);
	struct emit emit;
	emit_begin(&emit, stdout, explain_request.json);
	explain_print(&emit, &facts);
	emit_end(&emit);
	return TOOL_FINE;
}

static int explain_serve_all(void)
{
	struct emit emit;
	emit_begin(&emit, stdout, explain_request.json);
	explain_table_print(&emit, &explain_view);
	emit_end(&emit);
	return TOOL_FINE;
}

int explain_serve(struct explain_arguments *arguments)
{
	explain_request.routine = arguments->words.operands[0];
	explain_request.json = arguments->json;
	if (!arguments->break_even && explain_untaken_print(&explain_request))
		return TOOL_FINE;
	if (!explain_request_read(&explain_request, arguments))
		return TOOL_USAGE;
	if (explain_untaken_print(&explain_request))
		return TOOL_FINE;
	if (!known_machine_load(&explain_machine, arguments->profile, &explain_request.options))
		return TOOL_USAGE;
	if (explain_request.setting.cpu_threads == 0)
		explain_request.setting.cpu_threads = known_machine_threads(&explain_machine);
	return explain_request.routine == NULL ? explain_serve_all() : explain_serve_call();
}
