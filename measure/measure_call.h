/* measure_call.h - whole calls as the shim makes them, from operands in ordinary memory to a result there */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_MEASURE_MEASURE_CALL_H
#define GPUSHIM_MEASURE_MEASURE_CALL_H

#include "policy/options/options.h"

/*
 * Starts CUDA as the shim would, in the calling thread and once per process; device: the one that
 * takes the calls. REASON_NONE, or why there is nothing to measure with. The options must outlive
 * the process.
 */
enum reason measure_call_start(struct options *options, int *device);

/*
 * Seconds of C := A B of n x n each, columns without gaps; below 0 where the GPU did not do all of
 * it.
 */
double measure_call_product(int device, enum element element, int64_t n, const void *a,
                            const void *b, void *c);

/*
 * Seconds of a complex transform of n points in place, likewise. Its cuFFT plan is kept until it is
 * forgotten.
 */
double measure_call_transform(int device, enum element element, int64_t n, void *array);
void measure_call_forget(const void *array);

#endif
