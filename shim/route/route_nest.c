/* route_nest.c - the mark of the innermost LAPACK call that the CPU library computes */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/route/route_nest.h"

#include <stddef.h>

/*
 * Of the calling thread. An xerbla that throws or longjmps leaves the mark behind, so readers check
 * that its frame is still above their own.
 */
static _Thread_local struct visit_nest route_nest;

void route_nest_enter(struct visit *visit)
{
	if ((uintptr_t)visit >= (uintptr_t)route_nest.frame)
		route_nest = (struct visit_nest){.frame = NULL};
	visit->nested = route_nest.frame != NULL;
	visit->below_fallback = visit->nested && route_nest.fallback;
	visit->marked = false;
	visit->inner = (struct visit_nest){.frame = NULL};
}

void route_nest_begin(struct visit *visit, bool fallback)
{
	visit->outer = route_nest;
	visit->marked = true;
	route_nest =
		(struct visit_nest){.frame = visit, .fallback = fallback || visit->below_fallback};
}

void route_nest_end(struct visit *visit)
{
	if (!visit->marked)
		return;
	visit->inner = route_nest;
	route_nest = visit->outer;
	visit->marked = false;
	if (visit->inner.used_gpu)
		route_nest.used_gpu = 1;
}

void route_nest_note(const struct visit *visit, int64_t elapsed_ns)
{
	if (!visit->nested)
		return;
	if (elapsed_ns > 0)
		route_nest.elapsed_ns += (uint64_t)elapsed_ns;
	if (visit->decision.target == TARGET_GPU)
		route_nest.used_gpu = 1;
}
