/* explain_share.c - the call with a part of it on the CPU, beside the GPU's part */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/explain/explain_share.h"

#include "policy/decide/share_cost.h"

enum { EXPLAIN_SHARE_BAR = 50 };

static bool explain_share_find(const struct explain_facts *facts, struct share_plan *plan)
{
	const struct explain_view *view = &facts->view;
	const struct decision *decision = &facts->decision;
	const struct share_sides sides = {.alone_ns = {[TARGET_CPU] = facts->cost.cpu.whole_ns,
	                                               [TARGET_GPU] = facts->cost.gpu.whole_ns},
	                                  .factor = {1, 1}};
	return decision->target == TARGET_GPU && decision->cpu_share > 0 &&
	       share_cost_predict(&view->machine->complete, view->setting, facts->call, &sides,
	                          decision->cpu_share, plan);
}

/* The part of the work, and the time of it. */
static void explain_share_print_part(struct emit *emit, const char *key, const char *name,
                                     double part, double time_ns, double whole_ns)
{
	const struct emit_part bar = {time_ns / whole_ns, '#', EMIT_CYAN};
	emit_print(emit, "  %-8s", name);
	emit_time(emit, key, " %12s  ", time_ns);
	emit_bar(emit, EXPLAIN_SHARE_BAR, &bar, 1);
	emit_share(emit, " %s of the work\n", part * 1e6, 1e6);
}

void explain_share_print(struct emit *emit, const struct explain_facts *facts)
{
	struct share_plan plan;
	if (!explain_share_find(facts, &plan)) {
		emit_null(emit, "share");
		return;
	}
	const double cpu_ns = facts->cost.cpu.whole_ns, gpu_ns = facts->cost.gpu.whole_ns,
		     better_ns = cpu_ns < gpu_ns ? cpu_ns : gpu_ns;
	emit_open(emit, "share");
	emit_colour(emit, EMIT_BOLD);
	emit_print(emit, "%-10s", "shared");
	emit_time(emit, "whole_ns", " %12s", plan.whole_ns);
	emit_colour(emit, EMIT_PLAIN);
	emit_number(emit, "speedup", "  %s times as fast as the better side alone\n",
	            better_ns / plan.whole_ns);
	emit_number(emit, "cpu_share", NULL, plan.cpu_share);
	explain_share_print_part(emit, "cpu_ns", "CPU", plan.cpu_share, plan.part_ns[TARGET_CPU],
	                         plan.whole_ns);
	explain_share_print_part(emit, "gpu_ns", "GPU", 1 - plan.cpu_share,
	                         plan.part_ns[TARGET_GPU], plan.whole_ns);
	emit_close(emit);
}
