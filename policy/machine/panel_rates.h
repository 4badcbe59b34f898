/* panel_rates.h - rates for the planner, from a profile or a table of cards; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_MACHINE_PANEL_RATES_H
#define GPUSHIM_POLICY_MACHINE_PANEL_RATES_H

#include <stdint.h>

#include "policy/machine/machine.h"

/*
 * Rates per second, costs in nanoseconds. duplex: share of its rate that each link keeps while both
 * are busy. Kernels work on tiles of tile x tile elements of the result, units tiles at a time (0:
 * any amount). An operation costs operation_ns beside its work; a copy is cut into operations of at
 * most copy_bytes. One that follows another copy of its link at once costs copy_ns, which is no
 * more than operation_ns.
 */
struct panel_rates {
	double up_bytes_s, down_bytes_s, duplex, work_flops_s, operation_ns, copy_ns;
	int tile, units;
	uint64_t copy_bytes;
	uint64_t memory_bytes; /* most bytes of the arena */
};

/*
 * Rates for an element from a profile; what the profile lacks (or all, if machine is NULL) is
 * derived from the compute capability (10 major + minor) and the number of multiprocessors (units)
 * of the device. The caller sets memory_bytes and copy_bytes.
 */
struct panel_rates panel_rates_find(const struct machine *machine, enum element element,
                                    int capability, int units);

/*
 * Lowers products of singles that were measured for a moment to what the card that found names
 * sustains under its power limit: a moment runs at the boost clock.
 */
void panel_rates_limit_look(struct machine *found);

/*
 * Bytes per second of the memory of a device, from its compute capability (10 major + minor) and
 * multiprocessors (0: those of a small card).
 */
double panel_rates_find_memory(int capability, int units);

/* The boost clock in GHz of a usual card of this compute capability. */
double panel_rates_find_clock(int capability);

#endif
