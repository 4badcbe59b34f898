/* expect.h - expectations of a test that is one plain program */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_DRIVER_EXPECT_H
#define GPUSHIM_TESTS_DRIVER_EXPECT_H

#include <stdbool.h>
#include <stdio.h>

static int expect_failures;

static inline void expect_that(bool fine, const char *file, int line, const char *what)
{
	if (fine)
		return;
	printf("FAIL %s:%d: %s\n", file, line, what);
	expect_failures++;
}

/* Counts a failure, and prints its place and the condition that was false. */
#define expect(condition, what) expect_that((condition), __FILE__, __LINE__, what)

#endif
