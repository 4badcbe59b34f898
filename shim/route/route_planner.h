/* route_planner.h - what the program has set in FFTW about threads */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_ROUTE_ROUTE_PLANNER_H
#define GPUSHIM_SHIM_ROUTE_ROUTE_PLANNER_H

#include "shim/execute/cpu/cpu_slices.h"

/* The program has set it, by the routine at code. */
void route_planner_note_threads(enum element element, int threads, const void *code);

/* Whether a loop of the program's own executes FFTW's threads. */
void route_planner_note_callback(enum element element, bool set);
bool route_planner_has_callback(enum element element);

/* FFTW was cleaned up: the number is the one before all settings, 0 here. */
void route_planner_reset(enum element element);

/* The planner of the library that contains code. */
struct cpu_slices_planner route_planner_find(enum element element, const void *code);

#endif
