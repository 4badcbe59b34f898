/* schedule_beside.c - the interfaces of flow_beside.c and cpu_finish.c: a CPU in virtual time */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/schedule/schedule_beside.h"

#include <time.h>

#include "policy/plan/region.h"
#include "shim/execute/cpu/cpu_finish.h"
#include "shim/execute/gpu/copy/copiers.h"
#include "shim/execute/gpu/engine/flow.h"
#include "shim/execute/gpu/engine/flow_set.h"
#include "tests/schedule/schedule_copiers.h"

/*
 * The conducting thread begins so much later: it rests behind an earlier call, is woken (7 us on a
 * machine with two processors, where a thread that is made took 60 and more), and binds the
 * context. A thread that has nothing to compute asks again after ask_ns.
 */
static const double beside_start_ns = 10e3, beside_ask_ns = 200e3;

/* clock_ns: of the calling thread, which computes while the device's clock stands still. */
static struct {
	double flops_s, cpu_ns;
	double before_ns; /* of it, before the flows */
	double clock_ns;
	bool computes;
	struct flow_beside *job; /* NULL: no flow runs */
	uintptr_t calls;
} beside;

/* -- the time that the shim sees -- */

int __real_clock_gettime(clockid_t id, struct timespec *now);
int __wrap_clock_gettime(clockid_t id, struct timespec *now);

int __wrap_clock_gettime(clockid_t id, struct timespec *now)
{
	if (id != CLOCK_MONOTONIC || beside.flops_s <= 0)
		return __real_clock_gettime(id, now);
	const int64_t now_ns =
		beside.computes ? (int64_t)beside.clock_ns : schedule_copiers_see_ns();
	*now = (struct timespec){now_ns / 1000000000, now_ns % 1000000000};
	return 0;
}

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
	double elapsed_ns = 0;
	(void)caller;
	for (int i = 0; i < count; i++)
		elapsed_ns +=
			operand_count_flops(problems[i].family, call->element, &problems[i].blas) /
			beside.flops_s * 1e9;
	beside.cpu_ns += elapsed_ns;
	beside.clock_ns += elapsed_ns;
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

static bool beside_step(void)
{
	beside.computes = true;
	const bool more = beside.job->step(beside.job->self);
	beside.computes = false;
	return more;
}

/* The calling thread is free at this time: it computes the next slice. data: the call's number. */
static void beside_ring(void *data)
{
	if (beside.job == NULL || (uintptr_t)data != beside.calls)
		return;
	const double now_ns = (double)schedule_copiers_see_ns();
	beside.clock_ns = beside.clock_ns > now_ns ? beside.clock_ns : now_ns;
	const bool more = beside_step();
	const double delay_ns = beside.clock_ns - now_ns;
	schedule_copiers_ring(more && delay_ns > 0 ? delay_ns : beside_ask_ns, beside_ring, data);
}

/*
 * Both sides work at the same time, on processors of their own: that which takes longer ends the
 * call.
 */
void flow_beside_conduct(struct flow_set *set, struct flow_beside *job)
{
	beside.cpu_ns = beside.before_ns;
	beside.before_ns = 0;
	beside.job = job;
	job->stepped = true;
	beside_ring((void *)++beside.calls);
	schedule_copiers_work(beside_start_ns);
	const int64_t begin_ns = schedule_copiers_now_ns();
	flow_set_conduct(set);
	job->conducted_ns = schedule_copiers_now_ns() - begin_ns;
	while (beside_step())
		;
	beside.job = NULL;
	const double left_ns = beside.clock_ns - (double)schedule_copiers_see_ns();
	if (left_ns > 0)
		schedule_copiers_work(left_ns);
}
