/* explain_kept.h - operands that need not be sent again where nothing has changed (residency) */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_EXPLAIN_EXPLAIN_KEPT_H
#define GPUSHIM_CLI_EXPLAIN_EXPLAIN_KEPT_H

#include "policy/decide/cost.h"
#include "policy/options/options.h"

/* The operands that the shim may leave on the device, each as a bit: those that the call reads. */
unsigned explain_kept_find(const struct call *call);

/* Whether the options let any stay there. */
bool explain_kept_is_on(const struct options *options);

/* From now on the setting is that of a call for which they need not be sent. */
void explain_kept_set(struct cost_setting *setting, unsigned operands);

/* Whether the setting has any such operand. */
bool explain_kept_has(const struct cost_setting *setting);

#endif
