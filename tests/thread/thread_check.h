/* thread_check.h - expectations of the thread tests, reported by the main thread */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_THREAD_THREAD_CHECK_H
#define GPUSHIM_TESTS_THREAD_THREAD_CHECK_H

#include <stdio.h>

static int thread_check_passed, thread_check_failed;

static inline void thread_check(const char *what, long long found, long long wanted)
{
	if (found == wanted) {
		thread_check_passed++;
		return;
	}
	thread_check_failed++;
	printf("failed: %s: %lld, expected %lld\n", what, found, wanted);
}

/* Returns the exit status. */
static inline int thread_check_end(void)
{
	printf("%d passed, %d failed\n", thread_check_passed, thread_check_failed);
	return thread_check_failed != 0;
}

#endif
