/* weigh_machine.c - the machine that decisions reckon with: read at first, completed when the GPU was looked at */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/weigh_machine.h"

#include <stdatomic.h>
#include <stddef.h>

#include "policy/machine_check.h"
#include "policy/machine_merge.h"
#include "shim/base/diag.h"
#include "shim/execute/gpu/gpu_panels.h"
#include "shim/execute/gpu/quick_look.h"
#include "shim/settings_machine.h"

/* As it is said or found, which is what plans are made with, and with the gaps filled. Never changes once published. */
struct weigh_state {
	struct machine known, complete;
	enum experience_source source;
};

static struct weigh_state weigh_read, weigh_seen;
static _Atomic(const struct weigh_state *) weigh_present;
static atomic_bool weigh_waits_for_look;

bool weigh_machine_open(const struct options *options, bool looks)
{
	const bool found = settings_find_machine(options, &weigh_read.known);
	weigh_read.complete = weigh_read.known;
	machine_assume(&weigh_read.complete, 0, 0);
	if (found && machine_is_measured(&weigh_read.known))
		weigh_read.source = EXPERIENCE_MEASURED;
	gpu_panels_set_machine(found ? &weigh_read.known : NULL);
	quick_look_enable(looks);
	atomic_store(&weigh_waits_for_look, looks);
	atomic_store(&weigh_present, &weigh_read);
	return found;
}

/*
 * Whether the profile's GPU is another one than was found. One that was measured here, on a GPU of this name, is
 * believed: other processes may be using it at the moment of the look.
 */
static bool weigh_machine_differs(const struct machine *known, const struct machine *found,
                                  char message[MACHINE_MESSAGE_BYTES])
{
	if (!machine_is_measured(known) || known->gpu[0] == '\0' || found->gpu[0] == '\0')
		return machine_check_contradicts(known, found, message);
	return !machine_holds_for(known, found, message);
}

/* A profile that was measured here is better than a look, unless it is no longer true. */
static void weigh_machine_see(const struct machine *found)
{
	char message[MACHINE_MESSAGE_BYTES];
	weigh_seen = weigh_read;
	struct machine *known = &weigh_seen.known;
	const bool differs = weigh_machine_differs(known, found, message);
	if (differs) {
		diag_warn("%s", message);
		machine_drop_gpu(known);
	}
	if (differs || weigh_read.source != EXPERIENCE_MEASURED) {
		machine_merge(known, found);
		weigh_seen.source = EXPERIENCE_LOOKED;
	} else {
		/* Of a machine without its GPU, say. */
		machine_complete(known, found);
	}
	weigh_seen.complete = *known;
	machine_assume(&weigh_seen.complete, 0, 0);
	gpu_panels_set_machine(known);
	atomic_store_explicit(&weigh_present, &weigh_seen, memory_order_release);
}

/* One thread at a time, the others go on with what there is. Static: threads of the program may have small stacks. */
static void weigh_machine_look(void)
{
	static atomic_flag busy = ATOMIC_FLAG_INIT;
	static struct machine found;
	if (atomic_flag_test_and_set(&busy))
		return;
	if (atomic_load(&weigh_waits_for_look) && quick_look_read(&found)) {
		weigh_machine_see(&found);
		atomic_store(&weigh_waits_for_look, false);
	}
	atomic_flag_clear(&busy);
}

const struct machine *weigh_machine_find(enum experience_source *source)
{
	if (atomic_load_explicit(&weigh_waits_for_look, memory_order_relaxed))
		weigh_machine_look();
	const struct weigh_state *state = atomic_load_explicit(&weigh_present, memory_order_acquire);
	*source = state->source;
	return &state->complete;
}
