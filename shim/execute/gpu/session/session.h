/* session.h - the process's use of CUDA: background start, state, breaker, fork and exit */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_SESSION_SESSION_H
#define GPUSHIM_SHIM_EXECUTE_GPU_SESSION_SESSION_H

#include "policy/decide/decide.h"
#include "policy/options/options.h"

/*
 * Keeps the options, which must outlive the process. Opens nothing. Call once, before all else
 * here.
 */
void session_configure(const struct options *options);

/* Is told why no call can go to the GPU any more, once; not at exit. From any thread. */
typedef void session_observer(enum reason reason);
void session_set_observer(session_observer *observer);

/*
 * Fills gpu, off_reason and device: the one with the least expected work. A few loads; takes no
 * lock, from any thread.
 */
void session_describe(struct situation *situation);

/* Why CUDA did not start; REASON_NONE if it did, or may still do so. */
enum reason session_find_absence(void);

/* Devices that take calls now; with warmup = background there may be more later. */
int session_device_count(void);

/*
 * Starts CUDA, once, on a thread of its own. With warmup = background it returns at once; with
 * warmup = wait all callers wait, unless that thread might have to wait for them
 * (session_guard_wait): then the state still is GPU_WARMING. On failure it becomes GPU_OFF with a
 * reason, after one message. Must not be called in processes without a large call.
 */
void session_wake(void);

/*
 * Reports how a call ended on the GPU: REASON_NONE, or the BACK reason. Repeated failures, an error
 * that the context does not survive, a silent device or a wrong result open the breaker: GPU_OFF
 * with REASON_BREAKER_OPEN, after one message (of a wrong result: the verifier's).
 */
void session_note_outcome(enum reason outcome);

/*
 * Frees the idle device memory, for a program that needs it; returns the bytes. From any thread,
 * whose CUDA state is kept.
 */
uint64_t session_trim(void);

/* Whether CUDA takes calls, or is starting: a child that is forked now will not have it. */
bool session_has_started(void);

/*
 * For pthread_atfork. before: waits for the start of CUDA only while that is inside the loader. The
 * child is GPU_OFF with REASON_FORKED if CUDA was started or starting in the parent; else it
 * may start its own later.
 */
void session_before_fork(void);
void session_after_fork_parent(void);
void session_after_fork_child(void);

/* The calling thread is the program's; its end is noticed (session_leave.h). Some nanoseconds. */
void session_mark_thread(void);

/*
 * At exit: stops a start of CUDA after its current library call and waits for that; the state
 * becomes GPU_OFF with REASON_EXITING. Frees nothing on the device: the driver does, and CUDA may
 * already be unloaded.
 */
void session_stop(void);

#endif
