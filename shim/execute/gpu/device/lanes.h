/* lanes.h - the pool of lanes: a few per device, each used by one call at a time */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_LANES_H
#define GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_LANES_H

#include "shim/execute/gpu/device/lane.h"

/*
 * Sets up the pool for the set, which must outlive the process. Creates no lane; no device takes
 * calls yet.
 */
void lanes_start(const struct cuda_set *set);

/* The set of lanes_start. */
const struct cuda_set *lanes_find_set(void);

/*
 * Deterministic mode: each call has a fixed share of its device's memory, and there are LANES_FIXED
 * lanes, one per share. Before the first lane.
 */
void lanes_fix(void);

/* The memory share of a call on the device; 0: there are no shares. */
uint64_t lanes_share_bytes(int device);

/*
 * For a call that lacks device memory within its share: waits until another call on the device has
 * ended since the count *given, and updates the count. First with UINT64_MAX, which returns at
 * once. false: no call is left that could end.
 */
bool lanes_wait_for_other(struct lane *lane, uint64_t *given);

/*
 * Creates the first lane of the device, one of the set's, which must be current; each library call
 * runs inside the guard. From then on the device takes calls.
 */
enum reason lanes_create_first(const struct cuda_device *card, const struct cuda_guard *guard);

/* The lane's index on its device. */
int lanes_find_number(const struct lane *lane);

/* The PCI bus id of a device that takes calls, as the driver spells it; "" if it is unknown. */
const char *lanes_find_bus_id(int device);

/* Number of devices that take calls. */
int lanes_count(void);

/*
 * The device for the next call: the one with the least noted work and fewest calls, of equals the
 * first that was started; 0 before there is any. A few loads.
 */
int lanes_choose(void);

/* While a device is barred, calls go to it only if it was started first. From any thread. */
void lanes_bar(int device, bool barred);

/*
 * Adds planned work that several devices would have shared, where there is one; and the sum. From
 * any thread.
 */
void lanes_note_lonely(int64_t work_ns);
int64_t lanes_find_lonely_ns(void);

/*
 * Adds expected work to the device; whoever adds subtracts it later, with a negative value. From
 * any thread.
 */
void lanes_note_work(int device, int64_t work_ns);

/*
 * Expected time until the device's noted work is done. Work is subtracted only when it is over, so
 * on average half of it is left; calls on several lanes share device and links and gain nothing by
 * that.
 */
int64_t lanes_find_work_ns(int device);

/*
 * Calls ask with the device's context but without a lane. The thread's context and pending error
 * are restored afterwards. false: no
 * device to ask; ask was not called.
 */
typedef void lanes_question(const struct cuda_api *api, void *self);
bool lanes_ask(int device, lanes_question *ask, void *self);

/*
 * Takes a lane of the device for one call and makes the device current; waits while all are in use.
 * Not REASON_NONE: nothing was taken. The same thread must give the lane back. A thread that needs
 * lanes of several devices takes them in ascending order of devices, so that no two threads wait
 * for each other, and gives them back in reverse order: each restores what it found.
 */
enum reason lanes_take(int device, struct lane **lane);

/*
 * A further lane for a call, on the device that was started as number place (0 .. lanes_count() -
 * 1), if that is idle; does not wait. Given back in reverse order of taking.
 */
bool lanes_take_spare(int place, struct lane **lane);

/*
 * Waits for the work on lane->stream. REASON_DEVICE_FAILED: it failed, the call can only be ended.
 */
enum reason lanes_confirm(struct lane *lane);

/* Records an error of a library call: a fatal one means that the context is lost. */
void lanes_note_error(struct lane *lane, int error);

/*
 * The call gave up with work pending on a stream: nothing of the lane, its device memory and
 * staging is used again. The lane must still be given back.
 */
void lanes_abandon(struct lane *lane);

/*
 * Gives back the lane and the call's device memory. Restores the thread's context, errno and
 * cancellation state, and leaves no error of ours.
 */
void lanes_give(struct lane *lane);

/* Device memory for the call; lanes_give returns it. */
enum reason lanes_take_memory(struct lane *lane, uint64_t size_bytes, void **pointer);

/*
 * The lane's event of this kind (0 .. LANE_EVENT_KINDS - 1) and index (0 .. LANE_EVENTS - 1),
 * without timing, created at its first use with the lane's device current. The lane keeps it.
 */
enum reason lanes_take_event(struct lane *lane, int kind, int index, void **event);

/* Host memory of the lane for the call, of at least size_bytes; NULL where there is none. */
void *lanes_take_staging(struct lane *lane, uint64_t size_bytes);

/* As lanes_note_work, for a call: taken back with its lane if the call does not do it. */
void lanes_note_call_work(struct lane *lane, int64_t work_ns);

/*
 * The call has taken something beside its lane, which is given back if its thread leaves the call:
 * then give is called, by another thread perhaps. The object lives on. All are forgotten with
 * lanes_give. More than LANES_LOANS are not noted.
 */
void lanes_note_loan(struct lane *lane, lane_give *give, void *object);

/* No lane is given from now on, and waiting threads return. Makes no library call. */
void lanes_close(void);

/* Whether a library call returned an error that the context does not survive. */
bool lanes_context_lost(void);

/* Whether the program has reset a device that takes calls. All that was made there is gone. */
bool lanes_context_ended(void);

/*
 * Frees the idle memory of all devices that take calls; returns the bytes. From any thread, whose
 * CUDA state is kept.
 */
uint64_t lanes_trim(void);

/* -- lanes_recover.c: calls that their thread has left, by a jump or with itself -- */

/*
 * The engine's part: stop ends the copies of the call, whose thread does nothing any more, and
 * returns whether they ended; then release gives up what the call has taken of the engine. leader:
 * the call's first lane.
 */
struct lanes_engine {
	bool (*stop)(struct lane *lane);
	void (*release)(const struct lane *leader, bool reusable);
};
void lanes_set_engine(const struct lanes_engine *engine);

/* Ends calls of other threads that have left them. For threads that wait for a place. */
void lanes_recover(void);

/*
 * Whether the calling thread is in a call on a device, below a handler; frame: an address in the
 * stack of the call that asks. A call that the thread has left is ended first.
 */
bool lanes_is_inside(const void *frame);

/* -- for lanes_*.c -- */

/* CUDA works here; the device takes calls; the device that was started as number place. */
bool lanes_is_own_process(void);
bool lanes_takes_calls(int device);
int lanes_device_at(int place);
/* A lane, and whether a call has it. */
struct lane *lanes_at(int device, int number);
bool lanes_is_busy(struct lane *lane);
/* Frees what the call took; the lane's device is current. Then its end. */
void lanes_clean(struct lane *lane);
void lanes_end(struct lane *lane);
/* The context is lost from now on. */
void lanes_lose(void);

/* -- lanes_bind.c, for lanes_*.c -- */

/* By lanes_start. */
void lanes_bind_start(const struct cuda_api *api);

/* Makes the device's context current. Notes the thread's state, and the error that was pending. */
enum reason lanes_bind_enter(int device, struct guest *caller, int *caller_error);

/* Restores both. */
void lanes_bind_leave(struct guest *caller, int caller_error);

/* Whether no device that takes calls was reset. */
bool lanes_bind_is_whole(void);

#endif
