/* transfer_operand.h - whole operands through flows, on a device that copies at once */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_BENCH_ENGINE_TRANSFER_OPERAND_H
#define GPUSHIM_BENCH_ENGINE_TRANSFER_OPERAND_H

#include <stdint.h>

#include "shim/execute/gpu/engine/staging.h"

/*
 * Sends size_bytes at host up, or writes them with what comes down, as operands of operand_bytes,
 * one call of the engine after the other. No part of staging may be taken. Returns nanoseconds;
 * ends the program where the engine fails.
 */
double transfer_operand_run(enum staging_way way, char *host, uint64_t size_bytes,
                            uint64_t operand_bytes);

#endif
