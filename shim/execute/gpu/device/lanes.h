/* lanes.h - on each device a bounded number of lanes, streams with a cuBLAS handle; a call has one to itself */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_LANES_H
#define GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_LANES_H

#include "shim/execute/gpu/device/lane.h"

/*
 * Sets up the pool for the set, which must outlive the process. Creates no lane, no device takes
 * calls yet.
 */
void lanes_start(const struct cuda_set *set);

/*
 * From now on calls find the same whatever else goes on: each has a fixed share of its device's
 * memory to itself, and there are as many lanes as shares. Before the first lane.
 */
void lanes_fix(void);

/* The share of a call on the device, or 0: it may take what there is. */
uint64_t lanes_share_bytes(int device);

/*
 * Device memory was short although a call has a share: waits until a call beside it has ended since
 * *given were counted (UINT64_MAX at first: at once), and counts them anew. false: there is none
 * that will, so nobody helps.
 */
bool lanes_wait_for_other(struct lane *lane, uint64_t *given);

/*
 * Creates the first lane of the device, one of the set's, which must be current; each library call
 * inside the guard. From then on the device takes calls.
 */
enum reason lanes_create_first(const struct cuda_device *card, const struct cuda_guard *guard);

/* The lane's number on its device. */
int lanes_find_number(const struct lane *lane);

/* Devices that take calls. */
int lanes_count(void);

/*
 * The device for the next call: the one with the least work before it (lanes_note_work, and the
 * calls that have a lane there or wait for one), of equals the first that was started; 0 before
 * there is any. A few loads.
 */
int lanes_choose(void);

/*
 * So many nanoseconds of work are expected on the device from now on; negative: no longer. Who adds
 * them takes them away, from any thread.
 */
void lanes_note_work(int device, int64_t work_ns);

/*
 * Nanoseconds after which the work that the device has before it is expected to be done. What is
 * noted goes when it is over, so half of it is taken to be: calls of several lanes share the device
 * and its links, which gain nothing by it.
 */
int64_t lanes_find_work_ns(int device);

/*
 * Lets ask use the libraries without a lane, for questions that need a context: a device that takes
 * calls is current in the calling thread meanwhile, its own if that is one, else this device. The
 * thread is left as it was, whatever ask made current; an error that it leaves behind goes. false
 * where there is nobody to ask: ask was not called.
 */
typedef void lanes_question(const struct cuda_api *api, void *self);
bool lanes_ask(int device, lanes_question *ask, void *self);

/*
 * Gives the calling thread a lane of the device for one call, with that device current; waits while
 * all are in use. Not REASON_NONE: there is nothing to give back. The lane must be given back by
 * the same thread. A thread that needs lanes of several devices takes them in ascending order of
 * the devices, so that no two threads wait for each other, and gives them back in the reverse
 * order: each restores what it found.
 */
enum reason lanes_take(int device, struct lane **lane);

/*
 * A second lane for a call, of the device that was started as number place (0 .. lanes_count() -
 * 1), if that has nothing to do; does not wait. The calling thread may hold lanes already; it gives
 * them back in the reverse order.
 */
bool lanes_take_spare(int place, struct lane **lane);

/*
 * Waits for what is queued on lane->stream. REASON_DEVICE_FAILED where it failed: then the call can
 * only be ended.
 */
enum reason lanes_confirm(struct lane *lane);

/* A library call returned this error: whether the context survives it is looked up. */
void lanes_note_error(struct lane *lane, int error);

/*
 * Ends the call: reason is how it went so far. Waits for the stream, and only if that succeeds too
 * is REASON_NONE returned and the call's results are in host memory. May be called once per lane
 * and call.
 */
enum reason lanes_finish(struct lane *lane, enum reason reason);

/*
 * The call gave the device up with work pending on one of the lane's streams: nothing of the lane,
 * its device memory and its staging is used again. It is still to be given back.
 */
void lanes_abandon(struct lane *lane);

/*
 * Gives the lane and the call's device memory back; the thread has its device, its errno and its
 * cancellation state again, and no error of ours is left behind.
 */
void lanes_give(struct lane *lane);

/* Device memory for the call in progress; lanes_give returns it. */
enum reason lanes_take_memory(struct lane *lane, uint64_t size_bytes, void **pointer);

/*
 * The lane's event of this kind (0 .. LANE_EVENT_KINDS - 1) and index (0 .. LANE_EVENTS - 1), made
 * at its first use, with the lane's device current; it measures no time. The lane keeps it.
 */
enum reason lanes_take_event(struct lane *lane, int kind, int index, void **event);

/*
 * Host memory of the lane for the call in progress, of the size that transfer.h asks for; NULL if
 * there is none.
 */
void *lanes_take_staging(struct lane *lane, uint64_t size_bytes);

/* No lane is given from now on, and threads that wait for one go away. Takes no library call. */
void lanes_close(void);

/* Whether a library call returned an error that the context does not survive. */
bool lanes_context_lost(void);

/*
 * Frees the idle memory of all devices that take calls; the bytes. From any thread, which is left
 * as it was.
 */
uint64_t lanes_trim(void);

#endif
