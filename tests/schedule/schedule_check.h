/* schedule_check.h - the parts of the checker of schedules, and where refusals go */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_SCHEDULE_SCHEDULE_CHECK_H
#define GPUSHIM_TESTS_SCHEDULE_SCHEDULE_CHECK_H

#include "tests/schedule/schedule_call.h"
#include "tests/schedule/schedule_clock.h"
#include "tests/schedule/schedule_events.h"

struct schedule_check {
	struct schedule_events events;
	struct schedule_clock clock;
	struct schedule_call call;
	int refusals;
};

/* Counts refusals and prints the first few. */
void schedule_check_refuse(struct schedule_check *check, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* calloc that ends the program where there is no memory. */
void *schedule_check_allocate(size_t count, size_t size_bytes);

/* An engine of a device does one operation at a time, and each takes as long as the clocks say. */
void schedule_engines_check(struct schedule_check *check);

/*
 * Operations that use the same bytes of a device, one of them writing, must be ordered: by one
 * stream, by an event that the later one's stream waits for, or by the host, which had seen the end
 * of the first.
 */
void schedule_hazards_check(struct schedule_check *check);

/*
 * Memory that is read was written before. A result is stored once, after everything was added to
 * it.
 */
void schedule_contents_check(struct schedule_check *check);

/* The bytes that crossed the link and the operations of the kernels are those of the call. */
void schedule_totals_check(struct schedule_check *check);

/* Whether the result is one triangle, and the bytes of its elements. */
bool schedule_totals_is_triangle(const struct schedule_check *check);
double schedule_totals_result_bytes(const struct schedule_check *check);

/*
 * Elements of A and B that are copied up for a product in blocks of C. The blocks follow each other
 * row by row and back again, each with its slices of k and back again. kept_a, kept_b: how many of
 * the last used slices of A and of B stay on the device.
 */
double schedule_blocks_count(const struct schedule_call *call, int kept_a, int kept_b);

/*
 * The bound in ns: the longest of the times of both links, while both move, and of the arithmetic
 * without waves.
 */
double schedule_totals_bound_ns(const struct schedule_check *check);

#endif
