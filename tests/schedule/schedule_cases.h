/* schedule_cases.h - the calls whose schedules are timed, and the hosts that copy for them */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_SCHEDULE_SCHEDULE_CASES_H
#define GPUSHIM_TESTS_SCHEDULE_SCHEDULE_CASES_H

#include <stdbool.h>
#include <stddef.h>

enum { CASE_WORDS = 16, CASE_NAME = 64 };

/*
 * words: as in schedule_call.h. bar: the most that the time may be, in parts of its bound; 0: no
 * bar, but the schedule must be right. SEARCHED: --exhaustive takes the best of all orders and
 * search_margin for the bar; the bar here is an earlier result of that. QUICK: run by --quick.
 * WHOLE: a factorization that may take no longer than in, solve, out.
 */
enum case_kind { CASE_QUICK = 1, CASE_SEARCHED = 2, CASE_WHOLE = 4 };
struct schedule_case {
	char name[CASE_NAME];
	double bar;
	unsigned kinds;
	const char *words[CASE_WORDS];
};

/*
 * All cases in the order of the table: those of a host that copies at once, then those of each host
 * whose copies take time. false: there is no case of this number.
 */
bool schedule_cases_read(size_t number, struct schedule_case *one);

#endif
