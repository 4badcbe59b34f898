/* engine_rates.c - rates of a lane's device: machine profile, card and the engine's copy size */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/engine/engine_rates.h"

#include <stdatomic.h>

#include "shim/execute/gpu/engine/staging.h"

static _Atomic(const struct machine *) engine_rates_machine;

void engine_rates_set_machine(const struct machine *machine)
{
	atomic_store(&engine_rates_machine, machine);
}

const struct machine *engine_rates_find_machine(void)
{
	return atomic_load(&engine_rates_machine);
}

/* Whether the profile is that of a card of another kind: its rates tell nothing of this one's. */
static bool engine_rates_is_other(const struct machine *machine, const struct cuda_device *card)
{
	const double capability = machine->gpu_capability, units = machine->gpu_multiprocessors;
	return capability >= 1 && units >= 1 && card->capability > 0 && card->multiprocessors > 0 &&
	       (capability != card->capability || units != card->multiprocessors);
}

struct panel_rates engine_rates_find(const struct lane *lane, enum element element)
{
	const struct machine *machine = atomic_load(&engine_rates_machine);
	if (machine != NULL && engine_rates_is_other(machine, lane->card))
		machine = NULL;
	struct panel_rates rates = panel_rates_find(machine, element, lane->card->capability,
	                                            lane->card->multiprocessors);
	rates.copy_bytes = staging_copy_bytes();
	return rates;
}
