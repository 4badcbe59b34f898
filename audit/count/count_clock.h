/* count_clock.h - one moment on the clock and on the processor's counter, to convert by */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_AUDIT_COUNT_COUNT_CLOCK_H
#define GPUSHIM_AUDIT_COUNT_COUNT_CLOCK_H

#include "shim/base/clock.h"

enum { COUNT_CLOCK_TRIES = 16 };

struct count_moment {
	int64_t monotonic_ns;
	uint64_t ticks;
};

/* The two are read as close to each other as several tries have it: one may be interrupted. */
static inline struct count_moment count_clock_read(void)
{
	struct count_moment best = {0, 0};
	uint64_t least = UINT64_MAX;
	for (int i = 0; i < COUNT_CLOCK_TRIES; i++) {
		const uint64_t before = clock_ticks();
		const int64_t monotonic_ns = clock_monotonic_ns();
		const uint64_t gap = clock_ticks() - before;
		if (gap < least)
			best = (struct count_moment){monotonic_ns, before + gap / 2};
		least = gap < least ? gap : least;
	}
	return best;
}

#endif
