/* gpu_check_handlers.h - calls that handlers of signals interrupt, or leave by a jump */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_GPU_GPU_CHECK_HANDLERS_H
#define GPUSHIM_TESTS_GPU_GPU_CHECK_HANDLERS_H

#include "policy/call/reason.h"

/* A call, by a function that checks its results; object must outlive a jump. */
struct gpu_check_interrupted {
	enum reason (*run)(const void *object, int device);
	const void *object;
	int device;
};

/* Makes the call, and a handler that returns runs often meanwhile; how often it ran so far. */
void gpu_check_run_in_ticks(const struct gpu_check_interrupted *call);
int gpu_check_count_ticks(void);

/*
 * Makes the call count times, and a handler jumps out of it: no thread of it is left, and the calls
 * afterwards are right.
 */
void gpu_check_jump_out(const struct gpu_check_interrupted *call, int count);

#endif
