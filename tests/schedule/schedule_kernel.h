/* schedule_kernel.h - what a kernel computes, from its name and its areas of memory */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_SCHEDULE_SCHEDULE_KERNEL_H
#define GPUSHIM_TESTS_SCHEDULE_SCHEDULE_KERNEL_H

#include "tests/schedule/schedule_events.h"

/*
 * A multiplication. element: 0 to 3, S D C Z. rows, columns: of the result. triangle: only one
 * triangle of it is computed. area: elements of the result. in_triangle: of the first operand one
 * triangle is read. depth: products added up in each element of the result; for triangular matrices
 * half of the flops per element.
 */
struct schedule_kernel {
	int element;
	double element_bytes, rows, columns, area, depth;
	bool triangle, in_triangle;
};

/* false where it is no multiplication of cuBLAS with one result. */
bool schedule_kernel_read(const struct schedule_event *event, struct schedule_kernel *kernel);

bool schedule_kernel_is_transform(const struct schedule_event *event);

#endif
