/* schedule_copy.h - one operand through the engine: a load or a store without kernels */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_SCHEDULE_SCHEDULE_COPY_H
#define GPUSHIM_TESTS_SCHEDULE_SCHEDULE_COPY_H

#include <stdbool.h>
#include <stdint.h>

#include "policy/call/reason.h"

/* Copies size_bytes at host, which are never touched, to the device (up) or from it. */
enum reason schedule_copy_run(int device, bool up, char *host, uint64_t size_bytes);

#endif
