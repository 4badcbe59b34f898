/* route_nest.h - calls that the CPU's LAPACK makes inside a call that is recorded too */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_ROUTE_ROUTE_NEST_H
#define GPUSHIM_SHIM_ROUTE_ROUTE_NEST_H

#include "shim/route/visit.h"

/*
 * Libraries solve and factor by calls of LAPACK and BLAS that come back to the shim. They are
 * decided like all others, but their time is part of the outer call's.
 */

/* Finds out whether the visited call is an inner one: fills visit->nested and below_fallback. */
void route_nest_enter(struct visit *visit);

/*
 * Around the routine of the CPU library, which may make inner calls; in between they find the mark
 * of this call. fallback: the GPU gave the call back, so that inner calls stay on the CPU.
 */
void route_nest_begin(struct visit *visit, bool fallback);
void route_nest_end(struct visit *visit);

/* An inner call took this long; told to the call around it. */
void route_nest_note(const struct visit *visit, int64_t elapsed_ns);

#endif
