/* route_slices.h - FFTW's plans for the CPU's part of a batch, kept beside the program's plan */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_ROUTE_ROUTE_SLICES_H
#define GPUSHIM_SHIM_ROUTE_ROUTE_SLICES_H

#include "shim/describe/plans.h"
#include "shim/execute/cpu/cpu_slices.h"
#include "shim/route/visit.h"

/*
 * The plans for parts of the call's batch, which the first call makes that wants a share. They last
 * as long as the program's plan does. NULL: there are none, or some thread uses FFTW's planner now.
 */
const struct cpu_slices *route_slices_find(const struct visit *visit);

/* The threads that the program's plan was made for. */
int route_slices_count_threads(const struct visit *visit);

/* Before the entry is freed. */
void route_slices_drop(struct plan_entry *entry);

#endif
