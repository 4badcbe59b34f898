/* route_machine.h - the machine that decisions reckon with: a profile, a look at the GPU, assumptions for the rest */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_ROUTE_ROUTE_MACHINE_H
#define GPUSHIM_SHIM_ROUTE_ROUTE_MACHINE_H

#include "policy/decide/decide.h"

/*
 * Reads the profile, and has the warm-up look at the GPU where looks is true. Whether there is a
 * profile.
 */
bool route_machine_open(const struct options *options, bool looks);

/*
 * The machine as it is known now, complete, and where that comes from. Once the warm-up has looked
 * at the GPU this is the machine with what was found; a profile that is contradicted by it is
 * another machine's, which is said once. A few loads; from any thread.
 */
const struct machine *route_machine_find(enum experience_source *source);

#endif
