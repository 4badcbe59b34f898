/* panel_rates.h - what the table of cards tells beside the planner's rates; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_MACHINE_PANEL_RATES_H
#define GPUSHIM_POLICY_MACHINE_PANEL_RATES_H

/*
 * Bytes per second of the device's own memory, reckoned from its compute capability (10 major +
 * minor) and its multiprocessors (0: a small card's).
 */
double panel_rates_find_memory(int capability, int units);

#endif
