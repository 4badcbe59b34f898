/* cli_explain_json.c - one call as one line of JSON, the same facts as the text */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli_explain.h"

void cli_explain_json_machine(struct cli_json *json, const struct cli_explain_machine *machine,
                              const struct cost_setting *setting)
{
	cli_json_open_object(json, "machine");
	cli_json_put_text(json, "name", machine->profile.name);
	cli_json_put_flag(json, "profile", machine->found);
	cli_json_put_flag(json, "reference", machine->is_reference);
	cli_json_put_integer(json, "threads", setting->cpu_threads);
	cli_json_put_integer(json, "sharers", setting->gpu_sharers > 1 ? setting->gpu_sharers : 1);
	cli_json_close_object(json);
}

/* By their letters where they have some. */
static void cli_explain_json_sizes(struct cli_json *json, const struct cli_explain_problem *problem)
{
	const char *letters = cli_explain_problem_sizes(problem->family);
	if (letters[0] == '\0') {
		cli_json_open_list(json, "sizes");
		for (int i = 0; i < problem->sizes; i++)
			cli_json_put_integer(json, NULL, problem->size[i]);
		cli_json_close_list(json);
		return;
	}
	cli_json_open_object(json, "sizes");
	for (int i = 0; i < problem->sizes; i++)
		cli_json_put_integer(json, (const char[]){letters[i], '\0'}, problem->size[i]);
	cli_json_close_object(json);
}

static void cli_explain_json_call(struct cli_json *json, const struct cli_explain_facts *facts)
{
	char name[CLI_EXPLAIN_NAME_BYTES];
	cli_explain_problem_name(facts->problem, name);
	cli_json_open_object(json, "call");
	cli_json_put_text(json, "routine", name);
	cli_explain_json_sizes(json, facts->problem);
	cli_json_put_integer(json, "count", facts->problem->count);
	cli_json_put_count(json, "bytes", facts->call->size_bytes);
	cli_json_put_number(json, "flops", facts->call->work_flops);
	cli_json_close_object(json);
}

static void cli_explain_json_decision(struct cli_json *json, const struct decision *decision)
{
	cli_json_put_text(json, "target", decision->target == TARGET_GPU ? "gpu" : "cpu");
	cli_json_put_text(json, "reason", reason_name(decision->reason));
}

static void cli_explain_json_side(struct cli_json *json, const char *key, const struct cost_time *time)
{
	cli_json_open_object(json, key);
	cli_json_put_number(json, "whole_ns", time->whole_ns);
	cli_json_put_number(json, "fixed_ns", time->fixed_ns);
	cli_json_put_number(json, "in_ns", time->in_ns);
	cli_json_put_number(json, "compute_ns", time->work_ns);
	cli_json_put_number(json, "out_ns", time->out_ns);
	cli_json_close_object(json);
}

static void cli_explain_json_weights(struct cli_json *json, const struct cli_explain_facts *facts)
{
	cli_json_put_number(json, "speedup", facts->speedup);
	cli_json_put_text(json, "band", cli_explain_facts_name_band(facts->band));
	cli_json_put_number(json, "flops_per_byte", facts->intensity);
	cli_json_put_number(json, "break_even_flops_per_byte", facts->break_even);
	if (facts->smallest > 0)
		cli_json_put_integer(json, "smallest", facts->smallest);
	else
		cli_json_put_null(json, "smallest");
	cli_json_put_number(json, "start_calls", facts->start_calls > 0 ? facts->start_calls : -1);
	cli_json_put_number(json, "plan_calls", facts->plan_calls > 0 ? facts->plan_calls : -1);
}

static void cli_explain_json_changes(struct cli_json *json, const struct cli_explain_facts *facts)
{
	cli_json_open_list(json, "changes");
	for (int i = 0; i < facts->changes; i++) {
		const struct cli_explain_change *change = &facts->change[i];
		cli_json_open_object(json, NULL);
		cli_json_put_text(json, change->is_option ? "option" : "what", change->text);
		if (change->is_option)
			cli_explain_json_decision(json, &change->decision);
		else
			cli_json_put_number(json, "gpu_ns", change->gpu_ns);
		cli_json_close_object(json);
	}
	cli_json_close_list(json);
}

void cli_explain_print_json(const struct cli_explain_facts *facts)
{
	struct cli_json json = {.file = stdout};
	char assumed[CLI_EXPLAIN_ASSUMED_BYTES];
	cli_explain_machine_list_assumed(facts->machine, facts->call, assumed);
	cli_json_open_object(&json, NULL);
	cli_explain_json_call(&json, facts);
	cli_explain_json_machine(&json, facts->machine, facts->setting);
	cli_json_put_text(&json, "assumed", assumed);
	cli_explain_json_decision(&json, &facts->decision);
	cli_json_open_object(&json, "first");
	cli_explain_json_decision(&json, &facts->first);
	cli_json_close_object(&json);
	cli_explain_json_side(&json, "cpu", &facts->cost.cpu);
	cli_explain_json_side(&json, "gpu", &facts->cost.gpu);
	cli_explain_json_weights(&json, facts);
	cli_explain_json_changes(&json, facts);
	cli_json_end(&json);
}
