/* route_nest.c - the mark of the innermost LAPACK call that the CPU library computes */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/route/route_nest.h"

#include <stddef.h>

#include "shim/base/loader.h"

/*
 * Of the calling thread. A handler or an xerbla that throws or longjmps out of the outer call
 * leaves the mark behind.
 */
static _Thread_local struct visit_nest route_nest;

/* The outer call's frame lies above, and who made that call makes no inner ones. */
static bool route_nest_holds(const struct visit *visit)
{
	return (uintptr_t)visit < (uintptr_t)route_nest.frame &&
	       (route_nest.caller == NULL || !loader_same_object(visit->caller, route_nest.caller));
}

/* Where a routine jumps to the inner one, the inner call's caller is the shim. */
static const void *route_nest_find_caller(const struct visit *visit)
{
	if (loader_is_own(visit->caller) || loader_same_object(visit->caller, visit->code))
		return NULL;
	return visit->caller;
}

void route_nest_enter(struct visit *visit)
{
	if (route_nest.frame != NULL && !route_nest_holds(visit))
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
	route_nest = (struct visit_nest){.frame = visit,
	                                 .caller = route_nest_find_caller(visit),
	                                 .fallback = fallback || visit->below_fallback};
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
