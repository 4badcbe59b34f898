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

struct panel_rates engine_rates_find(const struct lane *lane, enum element element)
{
	struct panel_rates rates =
		panel_rates_find(atomic_load(&engine_rates_machine), element,
	                         lane->card->capability, lane->card->multiprocessors);
	rates.copy_bytes = staging_copy_bytes();
	return rates;
}
