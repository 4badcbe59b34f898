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

/* -- factorizations -- */

/* Whether the routine is getrf or potrf. */
bool schedule_factor_takes(const char *routine);

/*
 * The bytes that crossed the link are those of the matrix, each at least once, beside pivots and
 * infos. Where it is not streamed, each is loaded and stored once.
 */
void schedule_factor_check(struct schedule_check *check);

/* Before hazards are looked for: exchanges of rows get all the rows that they may use. */
void schedule_factor_extend(struct schedule_check *check);

/* The bound in ns: the longer one of the times of the link and of the device. */
double schedule_factor_bound_ns(const struct schedule_check *check);

/* How long cuSOLVER's kernel takes beside its latency; less than 0: it is none that is known. */
double schedule_factor_work_ns(const struct schedule_check *check,
                               const struct schedule_event *kernel);

/* Pivots and infos lie in ordinary memory, which is copied at another rate. */
bool schedule_factor_is_control(const struct schedule_check *check,
                                const struct schedule_event *copy);

#endif
