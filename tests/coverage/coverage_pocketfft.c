/* coverage_pocketfft.c - code that can only be found by samples, in a library of such a name */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <time.h>

#include "tests/coverage/coverage_slow.h"

static int64_t pocketfft_now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Long loops between two looks at the clock, which is another library's code. */
void pocketfft_compute(int ms)
{
	const int64_t end_ns = pocketfft_now_ns() + (int64_t)ms * 1000000;
	volatile double sum = 0;
	while (pocketfft_now_ns() < end_ns)
		for (int i = 0; i < 20000; i++)
			sum = sum + 1.0 / (i + 1);
}
