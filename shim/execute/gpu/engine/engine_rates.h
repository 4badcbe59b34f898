/* engine_rates.h - the rates of a lane's device, for planning */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_ENGINE_RATES_H
#define GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_ENGINE_RATES_H

#include "policy/machine/panel_rates.h"
#include "shim/execute/gpu/device/lanes.h"

/*
 * The machine profile for plans; it must outlive the process. NULL: rates are derived from the
 * device properties that CUDA reports. From any thread.
 */
void engine_rates_set_machine(const struct machine *machine);

/* The same machine, or NULL. From any thread. */
const struct machine *engine_rates_find_machine(void);

/*
 * The rates of the lane's device: those of the profile, unless it is of a card of another kind;
 * then they are derived as without a profile. memory_bytes is 0: the caller sets it. From any
 * thread.
 */
struct panel_rates engine_rates_find(const struct lane *lane, enum element element);

#endif
