/* schedule_beside.c - the interfaces of flow_beside.c and cpu_finish.c: a CPU in virtual time */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/schedule/schedule_beside.h"

#include "policy/plan/region.h"
#include "shim/execute/cpu/cpu_finish.h"
#include "shim/execute/gpu/copy/copiers.h"
#include "shim/execute/gpu/engine/flow.h"
#include "shim/execute/gpu/engine/flow_set.h"
#include "tests/schedule/schedule_copiers.h"

/* The conducting thread begins so much later: it is made, and binds the context. */
static const double beside_start_ns = 50e3;

static struct {
	double flops_s, cpu_ns;
	double before_ns; /* of it, before the flows */
} beside;

void schedule_beside_start(double flops_s)
{
	beside.flops_s = flops_s;
}

double schedule_beside_cpu_ns(void)
{
	return beside.cpu_ns;
}

/* -- shim/execute/cpu/cpu_finish.h -- */

void cpu_finish_part(const struct call *call, const void *caller, struct panel_span row,
                     struct panel_span column)
{
	struct region_problem problems[REGION_PROBLEMS];
	const int count =
		region_cut(call->family, &call->blas, row, column, call->element, problems);
	(void)caller;
	for (int i = 0; i < count; i++)
		beside.cpu_ns +=
			operand_count_flops(problems[i].family, call->element, &problems[i].blas) /
			beside.flops_s * 1e9;
}

/* The first slice of a thread, before the flows. */
void cpu_finish_region(const struct call *call, const void *caller, struct panel_span row,
                       struct panel_span column)
{
	beside.cpu_ns = 0;
	cpu_finish_part(call, caller, row, column);
	beside.before_ns = beside.cpu_ns;
	schedule_copiers_work(beside.before_ns);
}

/* -- shim/execute/gpu/engine/flow_set.h -- */

/*
 * Both sides work at the same time, on processors of their own: that which takes longer ends the
 * call.
 */
void flow_beside_conduct(struct flow_set *set, struct flow_beside *job)
{
	beside.cpu_ns = beside.before_ns;
	job->stepped = true;
	while (job->step(job->self))
		;
	schedule_copiers_work(beside_start_ns);
	const int64_t begin_ns = schedule_copiers_now_ns();
	flow_set_conduct(set);
	job->conducted_ns = schedule_copiers_now_ns() - begin_ns;
	const double left_ns =
		beside.cpu_ns - beside.before_ns - beside_start_ns - (double)job->conducted_ns;
	beside.before_ns = 0;
	if (left_ns > 0)
		schedule_copiers_work(left_ns);
}
