/* gpu_check_observe.h - a test that sees each operation of the engine */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_GPU_GPU_CHECK_OBSERVE_H
#define GPUSHIM_TESTS_GPU_GPU_CHECK_OBSERVE_H

#include "shim/base/observe.h"

/* From now on the engine tells operate what it does, in the thread that does it. */
void gpu_check_observe(void (*operate)(const struct observe_operation *operation));

#endif
