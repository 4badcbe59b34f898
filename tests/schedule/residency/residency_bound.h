/* residency_bound.h - the least time of calls of which some operands are on the device */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_SCHEDULE_RESIDENCY_RESIDENCY_BOUND_H
#define GPUSHIM_TESTS_SCHEDULE_RESIDENCY_RESIDENCY_BOUND_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/schedule/schedule_clock.h"

/* C := A B in double precision; the operands that have to be sent. C comes down. */
struct residency_product {
	int64_t m, n, k;
	bool sends_a, sends_b;
};

/*
 * The time of the slowest of both links and the arithmetic, in nanoseconds, as if all ran at the
 * same time.
 */
double residency_bound_of_bytes(const struct schedule_clock *clock,
                                const struct residency_product *product);

/*
 * The least time of a product in panels of columns, of the width that is best. Kernels take whole
 * waves of tiles; the first one waits for its panel, and its result is the first to come down. The
 * chain of the first panel has the latency of its operations; both links have their full rates. A
 * product that sends both operands has other orders: the bound of its bytes.
 */
double residency_bound_of_product(const struct schedule_clock *clock,
                                  const struct residency_product *product);

/*
 * A product of complex matrices that needs so many of its bytes sent: the slowest of both links and
 * of whole waves of tiles, and the latencies of a load, a kernel and a store.
 */
double residency_bound_of_complex(const struct schedule_clock *clock, int64_t m, int64_t n,
                                  int64_t k, int64_t up_bytes);

/*
 * LU of order n: up and down again, since rows move until the end; or its operations and columns.
 */
double residency_bound_of_lu(const struct schedule_clock *clock, int64_t n);

/*
 * Two triangles of order n that are on the device: up, the arithmetic and the reading of the
 * triangles, which the simulated solver takes one after the other, down, each with the latency of
 * an operation.
 */
double residency_bound_of_solve(const struct schedule_clock *clock, int64_t n, int64_t columns);

#endif
