/* explain_print.c - the report of one call: decision, times, what would change it */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/explain/explain.h"

#include "cli/common/prediction.h"
#include "cli/explain/explain_recipe.h"
#include "cli/explain/explain_share.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

/* Marks of the longest bar; columns for a list of operands. */
enum { PRINT_BAR = 50, PRINT_PLACES_BYTES = 80 };

static void explain_print_sizes(struct emit *emit, const struct call_problem *problem)
{
	const char *letters = call_problem_sizes(problem->family);
	const bool named = letters[0] != '\0';
	if (named)
		emit_open(emit, "sizes");
	else
		emit_open_list(emit, "sizes");
	for (int i = 0; i < problem->sizes; i++) {
		const char letter[] = {named ? letters[i] : '\0', '\0'};
		emit_print(emit, "%s%s%s", named || i == 0 ? " " : "x", letter, named ? "=" : "");
		emit_integer(emit, named ? letter : NULL, "%s", problem->size[i]);
	}
	if (named)
		emit_close(emit);
	else
		emit_close_list(emit);
}

static void explain_print_call(struct emit *emit, const struct explain_facts *facts)
{
	const struct call_problem *problem = facts->problem;
	const bool fft = family_is_fft(problem->family);
	char name[CALL_NAME_BYTES];
	call_problem_name(problem, name);
	emit_open(emit, "call");
	emit_label(emit, "call");
	emit_text(emit, "routine", "%s", name);
	explain_print_sizes(emit, problem);
	emit_integer(emit, "count",
	             problem->count == 1 ? NULL
	             : fft               ? ", %s transforms"
	                                 : ", %s problems",
	             problem->count);
	if (problem->in_place)
		emit_print(emit, ", in place");
	if (problem->jobs[0] != '\0' || problem->jobs[1] != '\0')
		emit_text(emit, "results", ", %s",
		          call_problem_has_vectors(problem) ? "vectors" : "values");
	emit_size(emit, "bytes", ": %s", facts->call->size_bytes);
	emit_amount(emit, "flops", ", %s\n", facts->call->work_flops, "flop");
	emit_close(emit);
}

/* The operand's name in the routine's arguments. */
static const char *explain_print_name(const struct explain_facts *facts, int operand)
{
	static const char *const blas[] = {"A", "B", "C"}, *const in_place[] = {"A", "", "B"},
				 *const fft[] = {"in", "", "out"};
	const enum family family = facts->problem->family;
	return family_is_fft(family)        ? fft[operand]
	       : family_is_in_place(family) ? in_place[operand]
	                                    : blas[operand];
}

/* Those that are not sent, since nothing has changed. */
static void explain_print_unchanged(struct emit *emit, const struct explain_facts *facts)
{
	char text[PRINT_PLACES_BYTES] = "";
	for (int i = OPERAND_A; i < OPERAND_COUNT; i++)
		if (facts->view.setting->held[i])
			snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s",
			         text[0] != '\0' ? ", " : "", explain_print_name(facts, i));
	if (text[0] == '\0')
		return;
	emit_label(emit, "");
	emit_text(emit, "unchanged", "%s unchanged since an earlier call: not sent\n", text);
}

/* The operands that are not in the program's own pageable memory. */
static void explain_print_places(struct emit *emit, const struct explain_facts *facts)
{
	char text[PRINT_PLACES_BYTES] = "";
	bool pinned = false;
	for (int i = OPERAND_A; i < OPERAND_COUNT; i++) {
		pinned = pinned || facts->view.setting->place[i] == COST_PINNED;
		if (facts->view.setting->place[i] == COST_DEVICE &&
		    !(facts->problem->in_place && i == OPERAND_C))
			snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s",
			         text[0] != '\0' ? ", " : "",
			         facts->problem->in_place ? "the array"
			                                  : explain_print_name(facts, i));
	}
	if (text[0] != '\0') {
		emit_label(emit, "");
		emit_print(emit, "%s in the GPU's memory%s\n", text,
		           pinned ? ", the rest page-locked" : "");
		emit_label(emit, "");
		emit_print(emit, "(managed memory, which the CPU can read too)\n");
	} else if (pinned) {
		emit_label(emit, "");
		emit_print(emit, "operands in page-locked memory\n");
	}
}

static void explain_print_assumed(struct emit *emit, const struct explain_facts *facts)
{
	char assumed[KNOWN_MACHINE_ASSUMED_BYTES];
	known_machine_list_assumed(facts->view.machine, facts->call, assumed);
	if (assumed[0] != '\0')
		emit_label(emit, "assumed");
	emit_text(emit, "assumed", assumed[0] != '\0' ? "%s\n" : NULL, assumed);
}

/* The members of a decision; in the text the reason's name in the form. */
static void explain_print_target(struct emit *emit, const struct decision *decision,
                                 const char *form)
{
	emit_text(emit, "target", NULL, decision->target == TARGET_GPU ? "gpu" : "cpu");
	emit_text(emit, "reason", form, reason_name(decision->reason));
}

/* JSON only. */
static void explain_print_object(struct emit *emit, const char *key,
                                 const struct decision *decision)
{
	emit_open(emit, key);
	explain_print_target(emit, decision, NULL);
	emit_close(emit);
}

static void explain_print_decision(struct emit *emit, const struct explain_facts *facts)
{
	const struct decision *decision = &facts->decision;
	const bool gpu = decision->target == TARGET_GPU;
	emit_label(emit, "decision");
	emit_colour(emit, gpu ? EMIT_GREEN : EMIT_YELLOW);
	emit_print(emit, gpu ? "GPU" : "CPU");
	emit_colour(emit, EMIT_PLAIN);
	emit_print(emit, "%s", explain_states_starts_cuda(facts) ? ", once CUDA runs" : "");
	explain_print_target(emit, decision, ": %s\n");
	emit_label(emit, "");
	emit_print(emit, "%s\n", reason_sentence(decision->reason));
	if (facts->gated) {
		emit_label(emit, "");
		emit_size(emit, EMIT_NO_KEY, "calls below %s stay on the CPU without a decision\n",
		          facts->gate_bytes);
	}
	explain_print_object(emit, "first", &facts->first);
	explain_print_object(emit, "cold", &facts->prediction.first);
	if (facts->first.target != decision->target) {
		emit_label(emit, "");
		emit_print(emit,
		           "the first one then goes to the %s, to learn how long it takes there\n",
		           gpu ? "CPU" : "GPU");
	}
	emit_label(emit, "speedup");
	emit_colour(emit, EMIT_BOLD);
	emit_number(emit, EMIT_NO_KEY, "%s: ", facts->speedup);
	emit_print(emit, "%s", explain_facts_name_band(facts->band));
	emit_colour(emit, EMIT_PLAIN);
	emit_print(emit, " (1 marginal, 2 worthwhile, over 5 significant)\n");
	if (facts->kept && facts->speedup > 1) {
		emit_label(emit, "");
		emit_print(emit, "by time alone; the options keep the call on the CPU\n");
	}
	emit_print(emit, "\n");
}

/* The text leaves out parts that take no time. longest_ns: the part with the longest bar. */
static void explain_print_part(struct emit *emit, const char *key, const char *name, double time_ns,
                               double longest_ns)
{
	const struct emit_part part = {time_ns / longest_ns, '#', EMIT_CYAN};
	const bool shown = time_ns > 0;
	if (shown)
		emit_print(emit, "  %-8s", name);
	emit_time(emit, key, shown ? " %12s  " : NULL, time_ns);
	if (shown) {
		emit_bar(emit, PRINT_BAR, &part, 1);
		emit_print(emit, "\n");
	}
}

static void explain_print_side(struct emit *emit, const char *key, const char *name,
                               const struct cost_time *time, double longest_ns)
{
	const double sum_ns = time->fixed_ns + time->in_ns + time->work_ns + time->out_ns;
	emit_open(emit, key);
	emit_colour(emit, EMIT_BOLD);
	emit_print(emit, "%-10s", name);
	emit_time(emit, "whole_ns", " %12s", time->whole_ns);
	emit_colour(emit, EMIT_PLAIN);
	/* Rounding alone differs by less than a thousandth. */
	if (time->whole_ns < sum_ns * 0.999)
		emit_time(emit, EMIT_NO_KEY, "  stages overlap: one after the other they take %s",
		          sum_ns);
	emit_print(emit, "\n");
	if (time->whole_ns > sum_ns * 1.001)
		explain_print_part(emit, EMIT_NO_KEY, "latency", time->whole_ns - sum_ns,
		                   longest_ns);
	explain_print_part(emit, "fixed_ns", "fixed", time->fixed_ns, longest_ns);
	explain_print_part(emit, "in_ns", "in", time->in_ns, longest_ns);
	explain_print_part(emit, "compute_ns", "compute", time->work_ns, longest_ns);
	explain_print_part(emit, "out_ns", "out", time->out_ns, longest_ns);
	emit_close(emit);
}

static double explain_print_find_longest(const struct cost *cost)
{
	const double part[] = {cost->cpu.fixed_ns, cost->cpu.in_ns,    cost->cpu.work_ns,
	                       cost->cpu.out_ns,   cost->gpu.fixed_ns, cost->gpu.in_ns,
	                       cost->gpu.work_ns,  cost->gpu.out_ns};
	/* The GPU's latency, which has a bar too. */
	double longest_ns = cost->gpu.whole_ns - part[4] - part[5] - part[6] - part[7];
	for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
		longest_ns = part[i] > longest_ns ? part[i] : longest_ns;
	return longest_ns;
}

static void explain_print_sides(struct emit *emit, const struct explain_facts *facts)
{
	const double longest_ns = explain_print_find_longest(&facts->cost);
	explain_print_side(emit, "cpu", "CPU", &facts->cost.cpu, longest_ns);
	explain_print_side(emit, "gpu", "GPU", &facts->cost.gpu, longest_ns);
	emit_number(emit, "speedup", NULL, facts->speedup);
	emit_text(emit, "band", NULL, explain_facts_name_band(facts->band));
}

static void explain_print_work(struct emit *emit, const struct explain_facts *facts)
{
	const bool moves = facts->intensity != DBL_MAX;
	emit_print(emit, "\n");
	emit_label(emit, "work");
	emit_number(emit, "flops_per_byte",
	            moves ? "%s flop per byte moved; " : "nothing crosses the link\n",
	            facts->intensity);
	emit_number(emit, "break_even_flops_per_byte",
	            !moves ? NULL
	            : facts->break_even == DBL_MAX
	                    ? "no work is enough: the GPU computes no faster\n"
	                    : "without overlap it breaks even at %s\n",
	            facts->break_even);
}

/* Where options keep sizes on the CPU that are expected to be faster on the GPU. */
static void explain_print_kept(struct emit *emit, const struct explain_smallest *smallest)
{
	emit_integer(emit, "smallest_by_time", NULL, smallest->by_time);
	if (smallest->by_time == 0 || smallest->by_time == smallest->pays)
		return;
	emit_label(emit, "");
	emit_count(emit, EMIT_NO_KEY, "by time alone from n = %s on, but ",
	           (uint64_t)smallest->by_time);
	if (smallest->pays > 0)
		emit_count(emit, EMIT_NO_KEY, "smaller ones than %s stay on the CPU\n",
		           (uint64_t)smallest->pays);
	else
		emit_print(emit, "the options keep all of them on the CPU\n");
}

static void explain_print_smallest(struct emit *emit, const struct explain_facts *facts)
{
	static const char *const cube[] = {"", "length", "n x n", "n x n x n"};
	const struct explain_smallest *smallest = &facts->smallest;
	const bool fft = family_is_fft(facts->problem->family), pays = smallest->pays > 0;
	emit_label(emit, "pays");
	if (pays)
		emit_count(emit, "smallest", "from n = %s on", (uint64_t)smallest->pays);
	else
		emit_null(emit, "smallest");
	emit_print(emit, "%s (%s, tried up to %s", pays ? "" : "never",
	           fft ? cube[facts->problem->sizes] : "square", pays ? "" : "n = ");
	emit_count(emit, EMIT_NO_KEY, "%s)\n", (uint64_t)explain_smallest_limit(facts->problem));
	explain_print_kept(emit, smallest);
}

/* calls: how many pay the price; 0 where none does. */
static void explain_print_price(struct emit *emit, const char *key, const char *label,
                                const char *what, double price_ns, double calls)
{
	emit_number(emit, key, NULL, calls > 0 ? calls : -1);
	if (calls >= 1e18 || !(calls > 0))
		return;
	emit_label(emit, label);
	emit_print(emit, "%s, ", what);
	emit_time(emit, EMIT_NO_KEY, "%s, is paid for by ", price_ns);
	emit_count(emit, EMIT_NO_KEY, calls == 1 ? "%s such call\n" : "%s such calls\n",
	           (uint64_t)calls);
}

/* The times of all calls with CUDA's start, beside those with CUDA coming up in the background. */
static void explain_print_wait(struct emit *emit, const struct explain_change *change)
{
	explain_print_target(emit, &change->decision, NULL);
	emit_time(emit, "waiting_ns", "%s in all", change->gpu_ns);
	emit_time(emit, "background_ns", ", not %s\n", change->cpu_ns);
}

static void explain_print_change(struct emit *emit, const struct explain_facts *facts,
                                 const struct explain_change *change)
{
	const bool gpu = change->decision.target == TARGET_GPU;
	const double gain = gpu ? facts->speedup : 1 / facts->speedup;
	emit_open(emit, NULL);
	emit_text(emit, change->is_option ? "option" : "what", "  %-44s ", change->text);
	if (change->waits) {
		explain_print_wait(emit, change);
	} else if (change->is_option) {
		explain_print_target(emit, &change->decision, NULL);
		emit_print(emit, gpu ? "GPU" : "CPU");
		emit_number(emit, EMIT_NO_KEY,
		            gain >= 1 ? ", %s times as fast\n" : ", %s times as long\n",
		            gain >= 1 ? gain : 1 / gain);
	} else {
		emit_time(emit, "gpu_ns", "GPU %s", change->gpu_ns);
		emit_number(emit, EMIT_NO_KEY, ", speedup %s\n",
		            change->gpu_ns > 0 ? change->cpu_ns / change->gpu_ns : 0);
	}
	emit_close(emit);
}

void explain_print(struct emit *emit, const struct explain_facts *facts)
{
	const struct machine *machine = &facts->view.machine->complete;
	const struct prediction prediction = prediction_make(
		facts->view.machine, &facts->prediction.totals, facts->view.options);
	prediction_emit(emit, &prediction);
	explain_states_print(emit, facts);
	emit_print(emit, "\n");
	explain_print_call(emit, facts);
	known_machine_emit(emit, facts->view.machine, facts->view.setting);
	explain_print_places(emit, facts);
	explain_print_unchanged(emit, facts);
	explain_print_assumed(emit, facts);
	explain_print_decision(emit, facts);
	explain_print_sides(emit, facts);
	explain_share_print(emit, facts);
	explain_print_work(emit, facts);
	explain_print_smallest(emit, facts);
	explain_recipe_print(emit, facts);
	explain_print_price(emit, "start_calls", "start", "CUDA's start", machine->start_ns,
	                    facts->start_calls);
	explain_print_price(emit, "plan_calls", "plan", "a cuFFT plan", machine->fft_plan_ns,
	                    facts->plan_calls);
	if (family_is_lapack(facts->problem->family))
		explain_print_price(emit, "solver_calls", "solver", "cuSOLVER's start",
		                    machine->solver_start_ns, facts->solver_calls);
	emit_open_list(emit, "changes");
	if (facts->changes > 0)
		emit_print(emit, "\nwhat would change it\n");
	for (int i = 0; i < facts->changes; i++)
		explain_print_change(emit, facts, &facts->change[i]);
	emit_close_list(emit);
}
