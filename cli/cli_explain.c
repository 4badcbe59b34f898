/* cli_explain.c - `gpushim explain`: where a call would go, and why */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli_explain.h"

#include "cli/cli.h"
#include "cli/cli_explain_request.h"
#include "cli/cli_say.h"

static struct cli_explain_request explain_request;
static struct cli_explain_machine explain_machine;

static int cli_explain_serve_all(void)
{
	if (explain_request.json) {
		cli_explain_table_print_json(&explain_machine, &explain_request.setting);
		return CLI_FINE;
	}
	cli_explain_table_print(&explain_machine, &explain_request.setting);
	cli_explain_plot_print(&explain_machine, &explain_request.setting);
	return CLI_FINE;
}

static int cli_explain_serve_call(void)
{
	static struct cli_explain_call built;
	static struct cli_explain_facts facts;
	const char *routine = explain_request.routine;
	if (!cli_explain_problem_build(&explain_request.problem, &built))
		return cli_say_refusal("%s of these sizes has operands of more than 2^60 bytes", routine);
	if (built.call.defect != REASON_NONE)
		return cli_say_refusal("%s stays on the CPU, %s: %s", routine, reason_name(built.call.defect),
		                       reason_sentence(built.call.defect));
	facts.problem = &explain_request.problem;
	facts.machine = &explain_machine;
	facts.setting = &explain_request.setting;
	facts.call = &built.call;
	cli_explain_facts_find(&facts, &explain_request.options);
	if (facts.band == BAND_UNKNOWN)
		return cli_say_refusal("nothing can be predicted of %s: the profile '%s' has no rate for it", routine,
		                       explain_machine.profile.name);
	if (explain_request.json)
		cli_explain_print_json(&facts);
	else
		cli_explain_print(&facts);
	return CLI_FINE;
}

int cli_explain_serve(char **words)
{
	if (!cli_explain_request_read(&explain_request, words) ||
	    !cli_explain_machine_load(&explain_machine, explain_request.profile, &explain_request.options))
		return CLI_USAGE;
	if (explain_request.setting.cpu_threads == 0)
		explain_request.setting.cpu_threads = cli_explain_machine_threads(&explain_machine);
	return explain_request.routine == NULL ? cli_explain_serve_all() : cli_explain_serve_call();
}
