/* route.h - one call past the gate: enter, describe, decide, execute, record */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_ROUTE_ROUTE_H
#define GPUSHIM_SHIM_ROUTE_ROUTE_H

#include "shim/route/visit.h"

/*
 * Finds the real routine for this caller, and fills code, wide and the identity of call. frame is
 * an address in the entry's frame, operation as in gate.h (0: no library nests it).
 */
void route_enter(struct visit *visit, int symbol, uint32_t operation, const void *caller,
                 const void *frame);

/*
 * Decides on the described call and runs it on the GPU if that is the decision. Returns whether the
 * entry has to call the real routine; false: the work is done.
 */
bool route_run(struct visit *visit);

/* What info says of a LAPACK call that neither the GPU nor any library computed. */
enum { ROUTE_NO_LAPACK = -1000 };

/*
 * After route_run returned false for a LAPACK call: whether the entry has to ask the real routine
 * for the lengths of its work arrays, which it writes into them after each call.
 */
bool route_owes_answer(struct visit *visit);

/*
 * Records the call, after the real routine has returned where route_run asked for it. An exception
 * thrown through the routine skips it.
 */
void route_leave(struct visit *visit);

#endif
