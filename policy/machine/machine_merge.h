/* machine_merge.h - a profile completed with what was found out later; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_MACHINE_MACHINE_MERGE_H
#define GPUSHIM_POLICY_MACHINE_MACHINE_MERGE_H

#include "policy/machine/machine.h"

/* Clears all that a profile says of GPU and links, which are those of another machine. */
void machine_merge_drop_gpu(struct machine *machine);

/* Copies every text and number that found knows into machine. Curves stay. */
void machine_merge(struct machine *machine, const struct machine *found);

/* The same, but only where machine does not know the value. */
void machine_merge_complete(struct machine *machine, const struct machine *found);

#endif
