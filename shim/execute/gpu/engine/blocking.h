/* blocking.h - library calls that may block the host, on a thread of the lane's own, watched */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_BLOCKING_H
#define GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_BLOCKING_H

#include "shim/execute/gpu/device/lanes.h"

/*
 * Runs work(lane, object) on a thread that has the lane's device current, takes no signal, and has
 * a large stack. It rests behind the work, and ends if there is none for a quarter of a second.
 * Returns the work's reason; REASON_HOST_MEMORY where there is no thread; REASON_DEVICE_SILENT
 * where the work takes longer than the time of flow_set_patience and more_ns: then the thread may
 * still be in it, and the lane is abandoned. The work reads and writes nothing of the program's,
 * and the object outlives the lane: the calling thread may leave the call meanwhile. In a section
 * of shield.h handlers of the program run while it waits; REASON_CALL_LEFT as for flow_run.
 */
typedef enum reason blocking_work(struct lane *lane, void *object);
enum reason blocking_run(struct lane *lane, blocking_work *work, void *object, int64_t more_ns);

/*
 * The same. Meanwhile the calling thread calls beside(self), unless it is NULL, again and again
 * until it returns false or the work has ended; a call of it is short.
 */
enum reason blocking_run_beside(struct lane *lane, blocking_work *work, void *object,
                                int64_t more_ns, bool (*beside)(void *self), void *self);

/*
 * The same for a thread that has to do meanwhile what the work may wait for: begins it, and tells
 * whether it has ended, and then its reason.
 */
enum reason blocking_begin(struct lane *lane, blocking_work *work, void *object);
bool blocking_has_ended(const struct lane *lane, enum reason *reason);

/* Waits for the end of work that was begun, or for timeout_ns, or less. */
void blocking_wait(struct lane *lane, int64_t timeout_ns);

/* For a call that its thread has left: whether the work ends before end_ns. */
bool blocking_stop(struct lane *lane, int64_t end_ns);

#endif
