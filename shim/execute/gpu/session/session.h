/* session.h - the process's use of CUDA: start in the background, state, breaker, fork and exit */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_SESSION_SESSION_H
#define GPUSHIM_SHIM_EXECUTE_GPU_SESSION_SESSION_H

#include "policy/decide/decide.h"
#include "policy/options/options.h"

/*
 * Keeps the options (they must outlive the process). Opens nothing. Call once, before anything else
 * here.
 */
void session_configure(const struct options *options);

/*
 * Fills gpu, off_reason and device: the one that has the least to do, to take this call. A few
 * loads; takes no lock, from any thread.
 */
void session_describe(struct situation *situation);

/* Devices that take calls now; with warmup = background there may be more later. */
int session_device_count(void);

/*
 * Starts CUDA: the first caller makes it happen, on a thread of the shim's own, or with warmup =
 * wait in the caller's if its stack is large enough (other callers then wait too). Returns at once
 * with warmup = background. On failure the state becomes GPU_OFF with a reason, and one sentence
 * says so. Never called in processes that have no large call.
 */
void session_wake(void);

/*
 * Tells how a call ended on the GPU: REASON_NONE, or the BACK reason. Repeated failures, one that
 * the context does not survive, a silent device or a wrong result open the breaker: GPU_OFF with
 * REASON_BREAKER_OPEN, said once; of a wrong result who found it has told.
 */
void session_note_outcome(enum reason outcome);

/*
 * Frees the device memory that no call uses at the moment, for a program that needs it itself; the
 * bytes. From any thread, which is left as it was.
 */
uint64_t session_trim(void);

/*
 * Fork protocol, from pthread_atfork: before waits at most for the one library call that warm-up is
 * in; the child is GPU_OFF with REASON_FORKED if CUDA had been started or was starting, else it may
 * start its own later.
 */
void session_before_fork(void);
void session_after_fork_parent(void);
void session_after_fork_child(void);

/*
 * At exit: warm-up stops after the library call it is in and is waited for; the state becomes
 * GPU_OFF with REASON_EXITING. Frees nothing on the device: the driver does, and CUDA may already
 * be gone.
 */
void session_stop(void);

#endif
