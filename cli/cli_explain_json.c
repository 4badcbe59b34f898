/* cli_explain_json.c - one call as one line of JSON, the same facts as the text */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli_explain_json.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli_explain.h"

void cli_explain_json_text(const char *key, const char *text)
{
	printf("\"%s\":\"", key);
	for (; *text != '\0'; text++) {
		if (*text == '"' || *text == '\\')
			printf("\\%c", *text);
		else if ((unsigned char)*text < ' ')
			printf("\\u%04x", (unsigned)(unsigned char)*text);
		else
			putchar(*text);
	}
	putchar('"');
}

void cli_explain_json_number(const char *key, double value)
{
	if (value >= 0 && value < DBL_MAX)
		printf("\"%s\":%.9g", key, value);
	else
		printf("\"%s\":null", key);
}

void cli_explain_json_machine(const struct cli_explain_machine *machine, const struct cost_setting *setting)
{
	printf("\"machine\":{");
	cli_explain_json_text("name", machine->profile.name);
	printf(",\"profile\":%s,\"reference\":%s,\"threads\":%d,\"sharers\":%d}", machine->found ? "true" : "false",
	       machine->is_reference ? "true" : "false", setting->cpu_threads,
	       setting->gpu_sharers > 1 ? setting->gpu_sharers : 1);
}

static void cli_explain_json_call(const struct cli_explain_facts *facts)
{
	const struct cli_explain_problem *problem = facts->problem;
	const char *letters = cli_explain_problem_sizes(problem->family);
	char name[CLI_EXPLAIN_NAME_BYTES];
	cli_explain_problem_name(problem, name);
	printf("\"call\":{");
	cli_explain_json_text("routine", name);
	printf(letters[0] != '\0' ? ",\"sizes\":{" : ",\"sizes\":[");
	for (int i = 0; i < problem->sizes; i++) {
		printf("%s", i > 0 ? "," : "");
		if (letters[0] != '\0')
			printf("\"%c\":", letters[i]);
		printf("%lld", (long long)problem->size[i]);
	}
	printf("%c,\"count\":%lld,\"bytes\":%llu,", letters[0] != '\0' ? '}' : ']', (long long)problem->count,
	       (unsigned long long)facts->call->size_bytes);
	cli_explain_json_number("flops", facts->call->work_flops);
	printf("}");
}

static void cli_explain_json_decision(const struct decision *decision)
{
	cli_explain_json_text("target", decision->target == TARGET_GPU ? "gpu" : "cpu");
	printf(",");
	cli_explain_json_text("reason", reason_name(decision->reason));
}

static void cli_explain_json_side(const char *key, const struct cost_time *time)
{
	printf(",\"%s\":{", key);
	cli_explain_json_number("whole_ns", time->whole_ns);
	printf(",");
	cli_explain_json_number("fixed_ns", time->fixed_ns);
	printf(",");
	cli_explain_json_number("in_ns", time->in_ns);
	printf(",");
	cli_explain_json_number("compute_ns", time->work_ns);
	printf(",");
	cli_explain_json_number("out_ns", time->out_ns);
	printf("}");
}

static void cli_explain_json_weights(const struct cli_explain_facts *facts)
{
	printf(",");
	cli_explain_json_number("speedup", facts->speedup);
	printf(",");
	cli_explain_json_text("band", cli_explain_facts_name_band(facts->band));
	printf(",");
	cli_explain_json_number("flops_per_byte", facts->intensity);
	printf(",");
	cli_explain_json_number("break_even_flops_per_byte", facts->break_even);
	printf(",\"smallest\":");
	printf(facts->smallest > 0 ? "%lld" : "null", (long long)facts->smallest);
	printf(",");
	cli_explain_json_number("start_calls", facts->start_calls > 0 ? facts->start_calls : -1);
	printf(",");
	cli_explain_json_number("plan_calls", facts->plan_calls > 0 ? facts->plan_calls : -1);
}

static void cli_explain_json_changes(const struct cli_explain_facts *facts)
{
	printf(",\"changes\":[");
	for (int i = 0; i < facts->changes; i++) {
		const struct cli_explain_change *change = &facts->change[i];
		printf(i > 0 ? ",{" : "{");
		cli_explain_json_text(change->is_option ? "option" : "what", change->text);
		printf(",");
		if (change->is_option)
			cli_explain_json_decision(&change->decision);
		else
			cli_explain_json_number("gpu_ns", change->gpu_ns);
		printf("}");
	}
	printf("]");
}

void cli_explain_print_json(const struct cli_explain_facts *facts)
{
	char assumed[CLI_EXPLAIN_ASSUMED_BYTES];
	cli_explain_machine_list_assumed(facts->machine, facts->call, assumed);
	printf("{");
	cli_explain_json_call(facts);
	printf(",");
	cli_explain_json_machine(facts->machine, facts->setting);
	printf(",");
	cli_explain_json_text("assumed", assumed);
	printf(",");
	cli_explain_json_decision(&facts->decision);
	printf(",\"first\":{");
	cli_explain_json_decision(&facts->first);
	printf("}");
	cli_explain_json_side("cpu", &facts->cost.cpu);
	cli_explain_json_side("gpu", &facts->cost.gpu);
	cli_explain_json_weights(facts);
	cli_explain_json_changes(facts);
	printf("}\n");
}
