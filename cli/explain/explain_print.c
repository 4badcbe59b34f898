/* explain_print.c - one call, for people: the decision, both sides' parts as bars, what would change it */
/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/units.h"
#include "cli/explain/explain.h"
#include "cli/explain/explain_smallest.h"

/* Lines have a label of ten columns; a bar of a part's time has at most so many marks. */
enum { PRINT_BAR = 50, PRINT_WIDTH = 80, PRINT_LABEL = 10 };

enum print_colour { PRINT_PLAIN, PRINT_BOLD, PRINT_GREEN, PRINT_YELLOW, PRINT_CYAN };

/* On a terminal that did not ask for none. */
static const char *explain_print_colour(enum print_colour colour)
{
	static const char *const code[] = {"\033[0m", "\033[1m", "\033[1;32m", "\033[1;33m",
	                                   "\033[36m"};
	const char *none = getenv("NO_COLOR"), *term = getenv("TERM");
	const bool wanted = isatty(STDOUT_FILENO) && (none == NULL || none[0] == '\0') &&
	                    (term == NULL || strcmp(term, "dumb") != 0);
	return wanted ? code[colour] : "";
}

static void explain_print_line(const char *label, const char *text)
{
	printf("%-*s %.*s\n", PRINT_LABEL, label, PRINT_WIDTH - PRINT_LABEL - 1, text);
}

static void explain_print_sizes(const struct call_problem *problem)
{
	const char *letters = call_problem_sizes(problem->family);
	for (int i = 0; i < problem->sizes; i++) {
		if (letters[0] != '\0')
			printf(" %c=%lld", letters[i], (long long)problem->size[i]);
		else
			printf("%s%lld", i == 0 ? " " : "x", (long long)problem->size[i]);
	}
	if (problem->count > 1)
		printf(", %lld %s", (long long)problem->count,
		       family_is_fft(problem->family) ? "transforms" : "problems");
	if (problem->in_place)
		printf(", in place");
}

static void explain_print_call(const struct explain_facts *facts)
{
	char name[EXPLAIN_NAME_BYTES], size[HUMAN_BYTES], work[HUMAN_BYTES];
	call_problem_name(facts->problem, name);
	human_format_size(facts->call->size_bytes, size);
	units_amount(facts->call->work_flops, "flop", work);
	printf("%-*s %s", PRINT_LABEL, "call", name);
	explain_print_sizes(facts->problem);
	printf(": %s, %s\n", size, work);
}

void explain_print_machine(const struct known_machine *machine, const struct cost_setting *setting)
{
	char text[PRINT_WIDTH];
	if (!machine->found)
		explain_print_line("machine",
		                   "this one, not measured: `gpushim calibrate` does that");
	else
		explain_print_line("machine", machine->profile.name[0] != '\0'
		                                      ? machine->profile.name
		                                      : "this one");
	if (machine_is_measured(&machine->profile)) {
		snprintf(text, sizeof text, "measured on %.30s, %.25s", machine->profile.host,
		         machine->profile.measured);
		explain_print_line("", text);
	}
	snprintf(text, sizeof text, "%d thread%s", setting->cpu_threads,
	         setting->cpu_threads == 1 ? "" : "s");
	if (setting->gpu_sharers > 1)
		snprintf(text + strlen(text), sizeof text - strlen(text),
		         ", %d processes on one GPU", setting->gpu_sharers);
	explain_print_line("", text);
}

/* Where operands lie, unless it is where they usually do. */
static void explain_print_places(const struct explain_facts *facts)
{
	static const char *const blas[] = {"A", "B", "C"}, *const in_place[] = {"A", "", "B"},
				 *const fft[] = {"in", "", "out"};
	const enum family family = facts->problem->family;
	const char *const *name = family_is_fft(family)        ? fft
	                          : family_is_in_place(family) ? in_place
	                                                       : blas;
	char text[PRINT_WIDTH] = "";
	bool pinned = false;
	for (int i = OPERAND_A; i < OPERAND_COUNT; i++) {
		pinned = pinned || facts->setting->place[i] == COST_PINNED;
		if (facts->setting->place[i] == COST_DEVICE &&
		    !(facts->problem->in_place && i == OPERAND_C))
			snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s",
			         text[0] != '\0' ? ", " : "",
			         facts->problem->in_place ? "the array" : name[i]);
	}
	if (text[0] != '\0')
		snprintf(text + strlen(text), sizeof text - strlen(text), " in the GPU's memory%s",
		         pinned ? ", the rest page-locked" : "");
	else if (pinned)
		snprintf(text, sizeof text, "operands in page-locked memory");
	if (text[0] != '\0')
		explain_print_line("", text);
	if (strstr(text, "GPU") != NULL)
		explain_print_line(
			"", "which the CPU can read too (managed), else there would be no choice");
}

static void explain_print_decision(const struct explain_facts *facts)
{
	const struct decision *decision = &facts->decision;
	const bool gpu = decision->target == TARGET_GPU;
	char ratio[HUMAN_BYTES], gate[HUMAN_BYTES], text[PRINT_WIDTH];
	printf("%-*s %s%s%s: %s\n", PRINT_LABEL, "decision",
	       explain_print_colour(gpu ? PRINT_GREEN : PRINT_YELLOW), gpu ? "GPU" : "CPU",
	       explain_print_colour(PRINT_PLAIN), reason_name(decision->reason));
	explain_print_line("", reason_sentence(decision->reason));
	if (facts->gated) {
		human_format_size(facts->gate_bytes, gate);
		snprintf(text, sizeof text, "calls below %s are not even looked at", gate);
		explain_print_line("", text);
	}
	if (facts->first.target != decision->target) {
		snprintf(text, sizeof text,
		         "the first such call goes to the %s, to learn how long it takes there",
		         gpu ? "CPU" : "GPU");
		explain_print_line("", text);
	}
	units_ratio(facts->speedup, ratio);
	printf("%-*s %s%s: %s%s (1 marginal, 2 worthwhile, over 5 significant)\n", PRINT_LABEL,
	       "speedup", explain_print_colour(PRINT_BOLD), ratio,
	       explain_facts_name_band(facts->band), explain_print_colour(PRINT_PLAIN));
}

/* Of a part that is there; the bar is a share of the longest of both sides. */
static void explain_print_part(const char *name, double time_ns, double longest_ns)
{
	char time[HUMAN_BYTES], bar[PRINT_BAR + 1];
	if (!(time_ns > 0))
		return;
	const int marks = (int)(time_ns / longest_ns * PRINT_BAR + 0.5);
	memset(bar, '#', sizeof bar - 1);
	bar[marks < PRINT_BAR ? marks : PRINT_BAR] = '\0';
	units_time(time_ns, time);
	printf("  %-8s %12s  %s%s%s%s\n", name, time,
	       bar[0] != '\0' ? explain_print_colour(PRINT_CYAN) : "", bar,
	       bar[0] != '\0' ? explain_print_colour(PRINT_PLAIN) : "", bar[0] != '\0' ? "" : "|");
}

static void explain_print_side(const char *name, const struct cost_time *time, double longest_ns)
{
	char whole[HUMAN_BYTES], sum[HUMAN_BYTES];
	const double sum_ns = time->fixed_ns + time->in_ns + time->work_ns + time->out_ns;
	units_time(time->whole_ns, whole);
	units_time(sum_ns, sum);
	printf("%s%-*s %12s%s", explain_print_colour(PRINT_BOLD), PRINT_LABEL, name, whole,
	       explain_print_colour(PRINT_PLAIN));
	/* A thousandth is no overlap. */
	if (time->whole_ns < sum_ns * 0.999)
		printf("  stages overlap: one after the other they take %s", sum);
	printf("\n");
	if (time->whole_ns > sum_ns * 1.001)
		explain_print_part("latency", time->whole_ns - sum_ns, longest_ns);
	explain_print_part("fixed", time->fixed_ns, longest_ns);
	explain_print_part("in", time->in_ns, longest_ns);
	explain_print_part("compute", time->work_ns, longest_ns);
	explain_print_part("out", time->out_ns, longest_ns);
}

static double explain_print_find_longest(const struct cost *cost)
{
	const double part[] = {cost->cpu.fixed_ns, cost->cpu.in_ns,    cost->cpu.work_ns,
	                       cost->cpu.out_ns,   cost->gpu.fixed_ns, cost->gpu.in_ns,
	                       cost->gpu.work_ns,  cost->gpu.out_ns};
	/* What the whole takes more than its parts is shown too. */
	double longest_ns = cost->gpu.whole_ns - part[4] - part[5] - part[6] - part[7];
	for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
		longest_ns = part[i] > longest_ns ? part[i] : longest_ns;
	return longest_ns;
}

static void explain_print_work(const struct explain_facts *facts)
{
	char intensity[HUMAN_BYTES], even[HUMAN_BYTES];
	units_ratio(facts->intensity, intensity);
	units_ratio(facts->break_even, even);
	if (facts->intensity == DBL_MAX)
		explain_print_line("work", "nothing crosses the link");
	else if (facts->break_even == DBL_MAX)
		printf("%-*s %s flop per byte moved; no work is enough: the GPU computes no faster\n",
		       PRINT_LABEL, "work", intensity);
	else
		printf("%-*s %s flop per byte moved; without overlap it breaks even at %s\n",
		       PRINT_LABEL, "work", intensity, even);
}

static void explain_print_smallest(const struct explain_facts *facts)
{
	static const char *const cube[] = {"", "length", "n x n", "n x n x n"};
	const bool fft = family_is_fft(facts->problem->family);
	const char *shape = fft ? cube[facts->problem->sizes] : "square";
	char limit[HUMAN_BYTES], smallest[HUMAN_BYTES];
	human_format_count((uint64_t)explain_smallest_limit(facts->problem), limit);
	human_format_count((uint64_t)facts->smallest, smallest);
	if (facts->smallest > 0)
		printf("%-*s from n = %s on (%s, tried up to %s)\n", PRINT_LABEL, "pays", smallest,
		       shape, limit);
	else
		printf("%-*s never (%s, tried up to n = %s)\n", PRINT_LABEL, "pays", shape, limit);
}

static void explain_print_price(const char *label, const char *what, double price_ns, double calls)
{
	char price[HUMAN_BYTES], count[HUMAN_BYTES];
	units_time(price_ns, price);
	if (calls >= 1e18 || !(calls > 0))
		return;
	human_format_count((uint64_t)calls, count);
	printf("%-*s %s, %s, is paid for by %s such call%s\n", PRINT_LABEL, label, what, price,
	       count, calls == 1 ? "" : "s");
}

static void explain_print_change(const struct explain_facts *facts,
                                 const struct explain_change *change)
{
	char ratio[HUMAN_BYTES], time[HUMAN_BYTES];
	const bool gpu = change->decision.target == TARGET_GPU;
	const double speedup = change->gpu_ns > 0 ? change->cpu_ns / change->gpu_ns : 0;
	if (change->is_option) {
		const double gain = gpu ? facts->speedup : 1 / facts->speedup;
		units_ratio(gain >= 1 ? gain : 1 / gain, ratio);
		printf("  %-44s %s, %s times as %s\n", change->text, gpu ? "GPU" : "CPU", ratio,
		       gain >= 1 ? "fast" : "long");
		return;
	}
	units_ratio(speedup, ratio);
	units_time(change->gpu_ns, time);
	printf("  %-44s GPU %s, speedup %s\n", change->text, time, ratio);
}

void explain_print(const struct explain_facts *facts)
{
	const struct machine *machine = &facts->machine->complete;
	const double longest_ns = explain_print_find_longest(&facts->cost);
	char assumed[EXPLAIN_ASSUMED_BYTES];
	known_machine_list_assumed(facts->machine, facts->call, assumed);
	explain_print_call(facts);
	explain_print_machine(facts->machine, facts->setting);
	explain_print_places(facts);
	if (assumed[0] != '\0')
		printf("%-*s %s\n", PRINT_LABEL, "assumed", assumed);
	explain_print_decision(facts);
	printf("\n");
	explain_print_side("CPU", &facts->cost.cpu, longest_ns);
	explain_print_side("GPU", &facts->cost.gpu, longest_ns);
	printf("\n");
	explain_print_work(facts);
	explain_print_smallest(facts);
	explain_print_price("start", "CUDA's start", machine->start_ns, facts->start_calls);
	explain_print_price("plan", "a cuFFT plan", machine->fft_plan_ns, facts->plan_calls);
	if (facts->changes > 0)
		printf("\nwhat would change it\n");
	for (int i = 0; i < facts->changes; i++)
		explain_print_change(facts, &facts->change[i]);
}
