/* panel_rates.h - rates that the planner works with, from a profile or from a table of cards; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_MACHINE_PANEL_RATES_H
#define GPUSHIM_POLICY_MACHINE_PANEL_RATES_H

#include <stdint.h>

#include "policy/machine/machine.h"

/*
 * What the planner reckons with, in units per second and nanoseconds. duplex: the part of its rate
 * that each link keeps while both move. Kernels work on tiles of tile x tile elements of the
 * result, units of them at a time; 0: smoothly. An operation costs operation_ns beside its work;
 * copies are cut into operations of copy_bytes at most.
 */
struct panel_rates {
	double up_bytes_s, down_bytes_s, duplex, work_flops_s, operation_ns;
	int tile, units;
	uint64_t copy_bytes;
	uint64_t memory_bytes; /* the arena may have */
};

/*
 * Rates of an element from a machine profile, or where it lacks them (or machine is NULL) reckoned
 * from what CUDA tells of the device: compute capability (10 major + minor) and multiprocessors.
 * memory_bytes and copy_bytes are the caller's.
 */
struct panel_rates panel_rates_find(const struct machine *machine, enum element element,
                                    int capability, int units);

/*
 * Bytes per second of the device's own memory, reckoned from its compute capability (10 major +
 * minor) and its multiprocessors (0: a small card's).
 */
double panel_rates_find_memory(int capability, int units);

#endif
