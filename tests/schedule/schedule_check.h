/* schedule_check.h - the parts of the checker: what each looks at, and where refusals go */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_SCHEDULE_SCHEDULE_CHECK_H
#define GPUSHIM_TESTS_SCHEDULE_SCHEDULE_CHECK_H

#include "tests/schedule/schedule_call.h"
#include "tests/schedule/schedule_clock.h"
#include "tests/schedule/schedule_trace.h"

struct schedule_check {
	struct trace trace;
	struct schedule_clock clock;
	struct schedule_call call;
	int refusals;
};

/* Counts what is wrong and prints the first few. */
void schedule_check_refuse(struct schedule_check *check, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* calloc that ends the program where there is no memory. */
void *schedule_check_allocate(size_t count, size_t size_bytes);

/* An engine of a device does one operation at a time, and each takes as long as the clocks say. */
void schedule_engines_check(struct schedule_check *check);

/*
 * Operations that use the same bytes of a device, one of them writing, follow each other because
 * something makes them do so: one stream, an event that the later one's stream waits for, or the
 * host, which had seen the end of the first.
 */
void schedule_hazards_check(struct schedule_check *check);

/*
 * What is read was written, what is stored is final: a kernel's result, stored once, to which
 * everything was added.
 */
void schedule_flow_check(struct schedule_check *check);

/* The bytes that crossed the link and the operations of the kernels are those of the call. */
void schedule_totals_check(struct schedule_check *check);

/* Whether the result is one triangle; the bytes of its elements. */
bool schedule_totals_is_triangle(const struct schedule_check *check);
double schedule_totals_result_bytes(const struct schedule_check *check);

/*
 * Elements of A and B that go up for a product in blocks of C, row by row and back again, through
 * each block's slices of k and back again, where the last so many slices of A and of B that were
 * used are still there.
 */
double schedule_blocks_count(const struct schedule_call *call, int kept_a, int kept_b);

/*
 * The time of the bound: the slowest of the two links, both moving, and the arithmetic without
 * waves.
 */
double schedule_totals_bound_ns(const struct schedule_check *check);

#endif
