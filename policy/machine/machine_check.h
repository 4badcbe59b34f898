/* machine_check.h - whether a profile can be that of this machine, by rates measured here; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_MACHINE_MACHINE_CHECK_H
#define GPUSHIM_POLICY_MACHINE_MACHINE_CHECK_H

#include "policy/machine/machine.h"

/*
 * Whether a rate of the GPU or of a link in the profile is more than twice, or less than half, the
 * one found here. Compared are the links, as operands are copied, and large products; rates that
 * either does not know are not. true with one sentence in message on the rate that differs most,
 * and on the consequence; otherwise message stays unchanged.
 */
bool machine_check_contradicts(const struct machine *profile, const struct machine *found,
                               char message[MACHINE_MESSAGE_BYTES]);

#endif
