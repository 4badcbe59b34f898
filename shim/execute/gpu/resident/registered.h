/* registered.h - the mappings that writes are tracked in */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_REGISTERED_H
#define GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_REGISTERED_H

#include "policy/resident/track_reason.h"
#include "shim/execute/gpu/pages/host_view.h"

/* A mapping is split in two where a part of it is registered, and the number of mappings is
 * limited. */
enum { REGISTERED_MAX = 1024 };

/* Callers hold the mutex of resident.c. */

/* Whether each row lies in mappings that were registered; they may be gone by now. */
bool registered_holds(const struct host_view *view);

/*
 * Registers the whole of each mapping that has bytes of the view. False where one cannot be
 * tracked: shared memory, files, stacks, memory of another userfaultfd. Pages in what is newly
 * registered are valid in no window from then on. *reason: that of a library in the list of
 * mappings, which is read on this occasion.
 */
bool registered_take(const struct host_view *view, enum track_reason *reason);

/* Forgets what the list says of the view's memory: a mapping there has been replaced. */
void registered_forget(const struct host_view *view);
/* Ends all registrations, or only forgets them if the descriptors are lost. */
void registered_clear(void);
int registered_count(void);

#endif
