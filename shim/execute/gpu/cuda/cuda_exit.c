/* cuda_exit.c - registers the exit handler that runs before those of CUDA's libraries */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/cuda/cuda_exit.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static _Atomic(void (*)(void)) cuda_exit_handler;

void cuda_exit_set(void (*handler)(void))
{
	atomic_store(&cuda_exit_handler, handler);
}

void cuda_exit_register(void)
{
	void (*handler)(void) = atomic_load(&cuda_exit_handler);
	if (handler != NULL)
		atexit(handler);
}
