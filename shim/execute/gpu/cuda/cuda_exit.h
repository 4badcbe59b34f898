/* cuda_exit.h - the exit handler that runs before those of CUDA's libraries */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_CUDA_CUDA_EXIT_H
#define GPUSHIM_SHIM_EXECUTE_GPU_CUDA_CUDA_EXIT_H

/* handler: called at exit, once for each cuda_exit_register, on the exiting thread. */
void cuda_exit_set(void (*handler)(void));

/*
 * Exit handlers run in reverse order, so this is called after each call in which a library of CUDA
 * may have registered one: it was opened, or made a context. A fork or an exit that waits for that
 * call must find the handler: call it before the guard is left. Nothing before cuda_exit_set.
 */
void cuda_exit_register(void);

#endif
