/* count_time.h - the time of calls: which call each thread is in, and for how long */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_AUDIT_COUNT_COUNT_TIME_H
#define GPUSHIM_AUDIT_COUNT_COUNT_TIME_H

#include "audit/count/count_bind.h"

/*
 * Begins a call of the cell. slot: where its return address is. false where its time belongs to the
 * call that made it; then there is no count_time_end.
 */
bool count_time_begin(unsigned cell, const uint64_t *slot);

/* Ends the call with this slot, and calls within it that never returned. */
void count_time_end(const uint64_t *slot);

/* Ends all calls that the thread is in: it leaves them by a jump. */
void count_time_leave(void);

#endif
