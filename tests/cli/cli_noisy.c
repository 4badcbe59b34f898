/* cli_noisy.c - a dgemm whose time varies: three times as long at every second call, for a while */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

/* Longer than a sample has to be at least, so that each sample is one call. */
enum { NOISY_NS = 400000, NOISY_FACTOR = 3 };

void dgemm_(void);

static int64_t noisy_clock(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* NOISY_CALLS: after so many calls each takes the same time. */
void dgemm_(void)
{
	static int64_t calls;
	const char *most = getenv("NOISY_CALLS");
	const bool noisy = calls < (most != NULL ? atoll(most) : INT64_MAX);
	const int64_t end = noisy_clock() + NOISY_NS * (noisy && calls % 2 != 0 ? NOISY_FACTOR : 1);
	calls++;
	while (noisy_clock() < end)
		;
}
