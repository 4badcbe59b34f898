/* measure_kernel.h - products and transforms on the device */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_MEASURE_MEASURE_KERNEL_H
#define GPUSHIM_MEASURE_MEASURE_KERNEL_H

#include "measure/device.h"

/* Multiplications and additions of real numbers. */
double measure_kernel_flops(enum element element, int64_t m, int64_t n, int64_t k);

/* Matrices on the device for products of at most m x n x k; A and B are filled. */
struct measure_operands {
	enum element element;
	void *a, *b, *c;
};
struct measure_operands measure_kernel_take(const struct device *device, enum element element,
                                            int64_t m, int64_t n, int64_t k);
void measure_kernel_free(const struct device *device, const struct measure_operands *operands);

/* The math mode of the products that follow. */
void measure_kernel_set_mode(const struct device *device, enum cuda_value mode);

/* Flops per second of count products without a pause. One more runs before and loads the kernel. */
double measure_kernel_product(const struct device *device, const struct measure_operands *operands,
                              int64_t m, int64_t n, int64_t k, int count);

/*
 * A complex transform out of place: seconds of one execution, and of making its plan. false: cuFFT
 * refuses the plan.
 */
struct measure_transform {
	double seconds, plan_seconds;
};
bool measure_kernel_transform(const struct device *device, enum element element, int rank,
                              const int64_t *n, int count, struct measure_transform *transform);

#endif
