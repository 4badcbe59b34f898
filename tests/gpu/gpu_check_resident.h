/* gpu_check_resident.h - tests of operands that stay on the device: tracking, and what is sent */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_GPU_GPU_CHECK_RESIDENT_H
#define GPUSHIM_TESTS_GPU_GPU_CHECK_RESIDENT_H

#include <stddef.h>
#include <stdint.h>

/* Tracks all operands from their first call on. Ends the program as skipped where that fails. */
void gpu_check_open_tracking(const char *name);

/* Tracks what is worth it by what calls have shown, as residency = auto does. */
void gpu_check_open_admission(const char *name);

/* A private anonymous mapping of zeros. */
double *gpu_check_make_memory(size_t elements);

/* From now on the bytes that go to the device are counted; those since it was asked last. */
void gpu_check_count_sent(void);
uint64_t gpu_check_take_sent(void);

#endif
