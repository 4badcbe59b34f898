/* fewer.h - how many of many alike cases a test runs: all, or by day one of TEST_FEWER */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_DRIVER_FEWER_H
#define GPUSHIM_TESTS_DRIVER_FEWER_H

#include <stdbool.h>
#include <stdlib.h>

/* cmake/tests.cmake sets it (gpushim_fewer_test). Without it a test runs all cases. */
static inline int fewer_share(void)
{
	const char *text = getenv("TEST_FEWER");
	const int share = text != NULL ? atoi(text) : 1;
	return share > 1 ? share : 1;
}

/* How many of so many random cases. */
static inline int fewer_of(int count)
{
	return (count + fewer_share() - 1) / fewer_share();
}

/*
 * Whether the case of this number, from 0 on, is one of those. Where numbers go through all values
 * of flags, TEST_FEWER has no factor in common with how many values a flag has.
 */
static inline bool fewer_runs(unsigned long number)
{
	return number % (unsigned long)fewer_share() == 0;
}

#endif
