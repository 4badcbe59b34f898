/* explain_json.c - one call as one line of JSON, the same facts as the text */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/explain/explain.h"

void explain_json_machine(struct json *json, const struct known_machine *machine,
                          const struct cost_setting *setting)
{
	json_open_object(json, "machine");
	json_put_text(json, "name", machine->profile.name);
	json_put_flag(json, "profile", machine->found);
	json_put_flag(json, "reference", machine->is_reference);
	json_put_integer(json, "threads", setting->cpu_threads);
	json_put_integer(json, "sharers", setting->gpu_sharers > 1 ? setting->gpu_sharers : 1);
	json_close_object(json);
}

/* By their letters where they have some. */
static void explain_json_sizes(struct json *json, const struct call_problem *problem)
{
	const char *letters = call_problem_sizes(problem->family);
	if (letters[0] == '\0') {
		json_open_list(json, "sizes");
		for (int i = 0; i < problem->sizes; i++)
			json_put_integer(json, NULL, problem->size[i]);
		json_close_list(json);
		return;
	}
	json_open_object(json, "sizes");
	for (int i = 0; i < problem->sizes; i++)
		json_put_integer(json, (const char[]){letters[i], '\0'}, problem->size[i]);
	json_close_object(json);
}

static void explain_json_call(struct json *json, const struct explain_facts *facts)
{
	char name[EXPLAIN_NAME_BYTES];
	call_problem_name(facts->problem, name);
	json_open_object(json, "call");
	json_put_text(json, "routine", name);
	explain_json_sizes(json, facts->problem);
	json_put_integer(json, "count", facts->problem->count);
	json_put_count(json, "bytes", facts->call->size_bytes);
	json_put_number(json, "flops", facts->call->work_flops);
	json_close_object(json);
}

static void explain_json_decision(struct json *json, const struct decision *decision)
{
	json_put_text(json, "target", decision->target == TARGET_GPU ? "gpu" : "cpu");
	json_put_text(json, "reason", reason_name(decision->reason));
}

static void explain_json_side(struct json *json, const char *key, const struct cost_time *time)
{
	json_open_object(json, key);
	json_put_number(json, "whole_ns", time->whole_ns);
	json_put_number(json, "fixed_ns", time->fixed_ns);
	json_put_number(json, "in_ns", time->in_ns);
	json_put_number(json, "compute_ns", time->work_ns);
	json_put_number(json, "out_ns", time->out_ns);
	json_close_object(json);
}

static void explain_json_weights(struct json *json, const struct explain_facts *facts)
{
	json_put_number(json, "speedup", facts->speedup);
	json_put_text(json, "band", explain_facts_name_band(facts->band));
	json_put_number(json, "flops_per_byte", facts->intensity);
	json_put_number(json, "break_even_flops_per_byte", facts->break_even);
	if (facts->smallest > 0)
		json_put_integer(json, "smallest", facts->smallest);
	else
		json_put_null(json, "smallest");
	json_put_number(json, "start_calls", facts->start_calls > 0 ? facts->start_calls : -1);
	json_put_number(json, "plan_calls", facts->plan_calls > 0 ? facts->plan_calls : -1);
}

static void explain_json_changes(struct json *json, const struct explain_facts *facts)
{
	json_open_list(json, "changes");
	for (int i = 0; i < facts->changes; i++) {
		const struct explain_change *change = &facts->change[i];
		json_open_object(json, NULL);
		json_put_text(json, change->is_option ? "option" : "what", change->text);
		if (change->is_option)
			explain_json_decision(json, &change->decision);
		else
			json_put_number(json, "gpu_ns", change->gpu_ns);
		json_close_object(json);
	}
	json_close_list(json);
}

void explain_print_json(const struct explain_facts *facts)
{
	struct json json = {.file = stdout};
	char assumed[EXPLAIN_ASSUMED_BYTES];
	known_machine_list_assumed(facts->machine, facts->call, assumed);
	json_open_object(&json, NULL);
	explain_json_call(&json, facts);
	explain_json_machine(&json, facts->machine, facts->setting);
	json_put_text(&json, "assumed", assumed);
	explain_json_decision(&json, &facts->decision);
	json_open_object(&json, "first");
	explain_json_decision(&json, &facts->first);
	json_close_object(&json);
	explain_json_side(&json, "cpu", &facts->cost.cpu);
	explain_json_side(&json, "gpu", &facts->cost.gpu);
	explain_json_weights(&json, facts);
	explain_json_changes(&json, facts);
	json_end(&json);
}
