/* rank_family.h - what the ranks of one launch on a node have in common */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_PROCESS_RANK_FAMILY_H
#define GPUSHIM_CLI_PROCESS_RANK_FAMILY_H

#include <stdint.h>

#include "policy/decide/launch.h"

/*
 * A number that the ranks of a launch on this node share, and those of others hardly ever: of the
 * launch's name, or where it has none, of the nearest ancestor that is no rank, their launcher.
 */
uint64_t rank_family_find(const struct launch_world *world);

#endif
