/* route_machine.c - the machine that decisions use: the profile and the quick look */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/route/route_machine.h"

#include <stdatomic.h>
#include <stddef.h>

#include "policy/machine/machine_check.h"
#include "policy/machine/machine_merge.h"
#include "policy/machine/panel_rates.h"
#include "shim/base/diag.h"
#include "shim/execute/gpu/engine/engine_rates.h"
#include "shim/execute/gpu/session/quick_look.h"
#include "shim/settings/settings_machine.h"
#include "shim/shield/shield.h"

/*
 * known: from the profile or measured, which plans are made with. complete: known with the gaps
 * filled by assumptions. Constant once published.
 */
struct route_machine_state {
	struct machine known, complete;
	enum experience_source source;
};

static struct route_machine_state route_machine_profile, route_machine_looked;
static _Atomic(const struct route_machine_state *) route_machine_current;
static atomic_bool route_machine_awaits_look;
static bool route_machine_found;

bool route_machine_open(const struct options *options, bool looks)
{
	const bool found = settings_machine_find_machine(options, &route_machine_profile.known);
	route_machine_profile.complete = route_machine_profile.known;
	machine_assume(&route_machine_profile.complete, 0, 0);
	route_machine_found = found;
	if (found && machine_is_measured(&route_machine_profile.known))
		route_machine_profile.source = EXPERIENCE_MEASURED;
	engine_rates_set_machine(found ? &route_machine_profile.known : NULL);
	quick_look_enable(looks);
	atomic_store(&route_machine_awaits_look, looks);
	atomic_store(&route_machine_current, &route_machine_profile);
	return found;
}

struct record_head route_machine_describe(void)
{
	const struct machine *known = &route_machine_profile.known;
	return (struct record_head){known->name, machine_is_measured(known) ? known->measured : ""};
}

/*
 * Whether the profile describes another GPU than the one found. A profile measured here, on a GPU
 * of this name, is believed: other processes may have slowed the look.
 */
static bool route_machine_differs(const struct machine *known, const struct machine *found,
                                  char message[MACHINE_MESSAGE_BYTES])
{
	if (!machine_is_measured(known) || known->gpu[0] == '\0' || found->gpu[0] == '\0')
		return machine_check_contradicts(known, found, message);
	return !machine_holds_for(known, found, message);
}

/* A profile measured here is better than the quick look, unless the two contradict each other. */
static void route_machine_merge_look(const struct machine *found)
{
	char message[MACHINE_MESSAGE_BYTES];
	route_machine_looked = route_machine_profile;
	struct machine *known = &route_machine_looked.known;
	const bool differs = route_machine_differs(known, found, message);
	if (differs) {
		diag_warn("%s", message);
		machine_merge_drop_gpu(known);
	}
	if (differs || route_machine_profile.source != EXPERIENCE_MEASURED) {
		machine_merge(known, found);
		route_machine_looked.source = EXPERIENCE_LOOKED;
	} else {
		/* The profile may lack the GPU's figures. */
		machine_merge_complete(known, found);
	}
	route_machine_looked.complete = *known;
	machine_assume(&route_machine_looked.complete, 0, 0);
	engine_rates_set_machine(known);
	atomic_store_explicit(&route_machine_current, &route_machine_looked, memory_order_release);
}

/*
 * One thread at a time; the others use the machine as it is. Static, because threads of the program
 * may have small stacks.
 */
static void route_machine_read_look(void)
{
	static atomic_flag busy = ATOMIC_FLAG_INIT;
	static struct machine found;
	struct shield shield;
	shield_begin(&shield);
	if (atomic_flag_test_and_set(&busy)) {
		shield_end(&shield);
		return;
	}
	if (atomic_load(&route_machine_awaits_look) && quick_look_read(&found)) {
		panel_rates_limit_look(&found);
		route_machine_merge_look(&found);
		atomic_store(&route_machine_awaits_look, false);
	}
	atomic_flag_clear(&busy);
	shield_end(&shield);
}

const struct machine *route_machine_find(enum experience_source *source)
{
	if (atomic_load_explicit(&route_machine_awaits_look, memory_order_relaxed))
		route_machine_read_look();
	const struct route_machine_state *state =
		atomic_load_explicit(&route_machine_current, memory_order_acquire);
	*source = state->source;
	return &state->complete;
}

const struct machine *route_machine_get_known(void)
{
	return &route_machine_profile.known;
}

bool route_machine_is_profiled(void)
{
	return route_machine_found;
}
