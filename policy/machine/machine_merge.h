/* machine_merge.h - a profile with what was found out since; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_MACHINE_MACHINE_MERGE_H
#define GPUSHIM_POLICY_MACHINE_MACHINE_MERGE_H

#include "policy/machine/machine.h"

/* Takes all that a profile says of GPU and links out of it: it is another machine's. */
void machine_merge_drop_gpu(struct machine *machine);

/* Every text and number that found has goes in the place of the machine's. Curves stay. */
void machine_merge(struct machine *machine, const struct machine *found);

/* The same, but only in the place of what the machine does not know. */
void machine_merge_complete(struct machine *machine, const struct machine *found);

#endif
