/* machine_check.h - whether a profile can be that of the machine at hand, by what was measured there; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_MACHINE_MACHINE_CHECK_H
#define GPUSHIM_POLICY_MACHINE_MACHINE_CHECK_H

#include "policy/machine/machine.h"

/*
 * Whether a rate of the GPU or of a link is more than twice, or less than half, what was found: of
 * the links as operands are moved, and of large products. Rates that either does not know are not
 * compared. One sentence in message tells of the one that differs most, and what follows; without
 * contradiction message is not touched.
 */
bool machine_check_contradicts(const struct machine *profile, const struct machine *found,
                               char message[MACHINE_MESSAGE_BYTES]);

#endif
