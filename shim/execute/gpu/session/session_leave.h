/* session_leave.h - ends a process of which only the threads of CUDA are left */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_SESSION_SESSION_LEAVE_H
#define GPUSHIM_SHIM_EXECUTE_GPU_SESSION_SESSION_LEAVE_H

/*
 * At the end of a thread of the program, once CUDA was started. If main has ended by pthread_exit,
 * libc ends the process with its last thread; but CUDA has threads that never end. So a thread
 * "gpushim-end" looks from then on whether a thread of the program is left, and else calls exit(0),
 * as the last of them would have done: with the signal mask of the calling thread. Few system
 * calls; from any thread.
 */
void session_leave_thread(void);

/* In a fork child that thread does not exist. */
void session_leave_after_fork_child(void);

#endif
