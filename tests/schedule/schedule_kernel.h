/* schedule_kernel.h - what a kernel of a trace computes, read off its name and its areas */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_SCHEDULE_SCHEDULE_KERNEL_H
#define GPUSHIM_TESTS_SCHEDULE_SCHEDULE_KERNEL_H

#include "tests/schedule/schedule_trace.h"

/*
 * Of a multiplication. element: 0 to 3, S D C Z. triangle: of the rows x columns of the result;
 * area: its elements.
 * in_triangle: of the first operand one triangle is read. depth: how many products the kernel adds
 * up in each element of the result, or, of triangular matrices, half of the operations that it
 * takes.
 */
struct schedule_kernel {
	int element;
	double element_bytes, rows, columns, area, depth;
	bool triangle, in_triangle;
};

/* false where it is no multiplication of cuBLAS with one result. */
bool schedule_kernel_read(const struct trace_operation *operation, struct schedule_kernel *kernel);

bool schedule_kernel_is_transform(const struct trace_operation *operation);

#endif
