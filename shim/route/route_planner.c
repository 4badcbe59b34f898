/* route_planner.c - keeps the settings per precision, and where the routine is that makes them */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/route/route_planner.h"

#include <stddef.h>

#include "shim/base/lifetime.h"

/* code: valid while lifetime lasts. */
static struct route_planner {
	atomic_int threads;
	_Atomic(const void *) code;
	_Atomic uint64_t lifetime;
	atomic_bool callback;
} route_planner[ELEMENT_COUNT];

void route_planner_note_threads(enum element element, int threads, const void *code)
{
	struct route_planner *planner = &route_planner[element];
	atomic_store(&planner->threads, threads);
	atomic_store(&planner->lifetime, LIFETIME_OVER);
	atomic_store(&planner->code, code);
	if (code != NULL)
		atomic_store(&planner->lifetime, lifetime_find(code));
}

void route_planner_note_callback(enum element element, bool set)
{
	atomic_store(&route_planner[element].callback, set);
}

bool route_planner_has_callback(enum element element)
{
	return atomic_load(&route_planner[element].callback);
}

void route_planner_reset(enum element element)
{
	atomic_store(&route_planner[element].threads, 0);
}

struct cpu_slices_planner route_planner_find(enum element element, const void *code)
{
	const struct route_planner *planner = &route_planner[element];
	const void *setter = atomic_load(&planner->code);
	const bool lasts = setter != NULL && lifetime_lasts(atomic_load(&planner->lifetime));
	return (struct cpu_slices_planner){.beside = code,
	                                   .setter = lasts ? setter : NULL,
	                                   .threads = atomic_load(&planner->threads)};
}
