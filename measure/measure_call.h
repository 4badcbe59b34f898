/* measure_call.h - whole calls by the shim's engine, with operands in ordinary memory */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_MEASURE_MEASURE_CALL_H
#define GPUSHIM_MEASURE_MEASURE_CALL_H

#include "policy/options/options.h"

/*
 * Starts CUDA as the shim would, in the calling thread and once per process. *device: the device
 * that takes the calls. Returns REASON_NONE, or why calls cannot be measured. The options must
 * outlive the process.
 */
enum reason measure_call_start(struct options *options, int *device);

/*
 * Seconds of C := A B, n x n each, columns without gaps; less than 0 where the GPU did not do all
 * of it.
 */
double measure_call_product(int device, enum element element, int64_t n, const void *a,
                            const void *b, void *c);

/*
 * Seconds of a complex transform of n points in place; less than 0 as above. Its cuFFT plan is kept
 * until measure_call_forget.
 */
double measure_call_transform(int device, enum element element, int64_t n, void *array);
void measure_call_forget(const void *array);

#endif
