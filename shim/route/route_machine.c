/* route_machine.c - the machine that decisions reckon with: read at first, completed when the GPU was looked at */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/route/route_machine.h"

#include <stdatomic.h>
#include <stddef.h>

#include "policy/machine/machine_check.h"
#include "policy/machine/machine_merge.h"
#include "shim/base/diag.h"
#include "shim/execute/gpu/engine/engine_rates.h"
#include "shim/execute/gpu/session/quick_look.h"
#include "shim/settings/settings_machine.h"

/*
 * As it is said or found, which is what plans are made with, and with the gaps filled. Never
 * changes once published.
 */
struct route_decide_state {
	struct machine known, complete;
	enum experience_source source;
};

static struct route_decide_state route_decide_read, route_decide_seen;
static _Atomic(const struct route_decide_state *) route_decide_present;
static atomic_bool route_decide_waits_for_look;

bool route_machine_open(const struct options *options, bool looks)
{
	const bool found = settings_machine_find_machine(options, &route_decide_read.known);
	route_decide_read.complete = route_decide_read.known;
	machine_assume(&route_decide_read.complete, 0, 0);
	if (found && machine_is_measured(&route_decide_read.known))
		route_decide_read.source = EXPERIENCE_MEASURED;
	engine_rates_set_machine(found ? &route_decide_read.known : NULL);
	quick_look_enable(looks);
	atomic_store(&route_decide_waits_for_look, looks);
	atomic_store(&route_decide_present, &route_decide_read);
	return found;
}

/*
 * Whether the profile's GPU is another one than was found. One that was measured here, on a GPU of
 * this name, is
 * believed: other processes may be using it at the moment of the look.
 */
static bool route_machine_differs(const struct machine *known, const struct machine *found,
                                  char message[MACHINE_MESSAGE_BYTES])
{
	if (!machine_is_measured(known) || known->gpu[0] == '\0' || found->gpu[0] == '\0')
		return machine_check_contradicts(known, found, message);
	return !machine_holds_for(known, found, message);
}

/* A profile that was measured here is better than a look, unless it is no longer true. */
static void route_machine_see(const struct machine *found)
{
	char message[MACHINE_MESSAGE_BYTES];
	route_decide_seen = route_decide_read;
	struct machine *known = &route_decide_seen.known;
	const bool differs = route_machine_differs(known, found, message);
	if (differs) {
		diag_warn("%s", message);
		machine_merge_drop_gpu(known);
	}
	if (differs || route_decide_read.source != EXPERIENCE_MEASURED) {
		machine_merge(known, found);
		route_decide_seen.source = EXPERIENCE_LOOKED;
	} else {
		/* Of a machine without its GPU, say. */
		machine_merge_complete(known, found);
	}
	route_decide_seen.complete = *known;
	machine_assume(&route_decide_seen.complete, 0, 0);
	engine_rates_set_machine(known);
	atomic_store_explicit(&route_decide_present, &route_decide_seen, memory_order_release);
}

/*
 * One thread at a time, the others go on with what there is. Static: threads of the program may
 * have small stacks.
 */
static void route_machine_look(void)
{
	static atomic_flag busy = ATOMIC_FLAG_INIT;
	static struct machine found;
	if (atomic_flag_test_and_set(&busy))
		return;
	if (atomic_load(&route_decide_waits_for_look) && quick_look_read(&found)) {
		route_machine_see(&found);
		atomic_store(&route_decide_waits_for_look, false);
	}
	atomic_flag_clear(&busy);
}

const struct machine *route_machine_find(enum experience_source *source)
{
	if (atomic_load_explicit(&route_decide_waits_for_look, memory_order_relaxed))
		route_machine_look();
	const struct route_decide_state *state =
		atomic_load_explicit(&route_decide_present, memory_order_acquire);
	*source = state->source;
	return &state->complete;
}
