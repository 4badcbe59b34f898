/* schedule_case.h - the calls whose schedules are timed, and the bars that they have to keep */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_SCHEDULE_SCHEDULE_CASE_H
#define GPUSHIM_TESTS_SCHEDULE_SCHEDULE_CASE_H

#include <stdbool.h>
#include <stddef.h>

enum { SCHEDULE_CASE_WORDS = 12 };

/*
 * words: as schedule_call.h has them. bar: the most that its time may be of its bound, 0: none but
 * that it is right.
 * searched: --exhaustive takes the best of all orders and 0.03 for the bar; the one here is what
 * that was once. quick: part of the test.
 */
struct schedule_case {
	const char *name;
	double bar;
	bool searched, quick;
	const char *words[SCHEDULE_CASE_WORDS];
};

extern const struct schedule_case schedule_cases[];
extern const size_t schedule_case_count;

#endif
