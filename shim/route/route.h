/* route.h - the spine: a call enters, is described, decided, executed, recorded */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_ROUTE_ROUTE_H
#define GPUSHIM_SHIM_ROUTE_ROUTE_H

#include "shim/route/visit.h"

/*
 * Begins: finds the real routine for this caller, and fills code, wide and the identity of call.
 * frame is an address in the entry's frame, operation as in gate.h (0: not nested by libraries).
 */
void route_open(struct visit *visit, int symbol, uint32_t operation, const void *caller,
                const void *frame);

/*
 * Decides on the described call and runs it on the GPU where that was the decision. Returns whether
 * the entry must call the real routine now; false means that the work is done.
 */
bool route_run(struct visit *visit);

/*
 * Ends: records. The entry calls it once route_run's answer is served; an exception out of the
 * routine skips it.
 */
void route_close(struct visit *visit);

#endif
