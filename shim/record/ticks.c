/* ticks.c - measures the rate of the time stamp counter against CLOCK_MONOTONIC */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/ticks.h"

#include "shim/base/clock.h"

enum { TICKS_TRIES = 5, TICKS_BASE_NS = 1000000 };

void ticks_read_moment(struct ticks_moment *moment)
{
	uint64_t best = UINT64_MAX;
	for (int i = 0; i < TICKS_TRIES; i++) {
		const uint64_t before = clock_ticks();
		const int64_t monotonic_ns = clock_monotonic_ns();
		const int64_t realtime_ns = clock_realtime_ns();
		const uint64_t width = clock_ticks() - before;
		if (width >= best)
			continue;
		best = width;
		*moment = (struct ticks_moment){before + width / 2, monotonic_ns, realtime_ns};
	}
}

void ticks_make_scale(const struct ticks_moment *since, const struct ticks_moment *now,
                      struct ticks_scale *scale)
{
	const int64_t ticks = (int64_t)(now->ticks - since->ticks),
		      ns = now->monotonic_ns - since->monotonic_ns;
	scale->moment = *now;
	scale->ns_per_tick = ticks > 0 && ns > 0 ? (double)ns / (double)ticks : 1;
}

void ticks_find_scale(const struct ticks_moment *since, struct ticks_scale *scale)
{
	struct ticks_moment now;
	int64_t missing_ns;
	do {
		ticks_read_moment(&now);
		missing_ns = since->monotonic_ns + TICKS_BASE_NS - now.monotonic_ns;
		if (missing_ns > 0)
			nanosleep(&(struct timespec){.tv_nsec = missing_ns}, NULL);
	} while (missing_ns > 0);
	ticks_make_scale(since, &now, scale);
}

int64_t ticks_to_realtime_ns(const struct ticks_scale *scale, uint64_t ticks)
{
	const double distance_ns =
		(double)(int64_t)(ticks - scale->moment.ticks) * scale->ns_per_tick;
	return scale->moment.realtime_ns + (int64_t)distance_ns;
}

int64_t ticks_to_elapsed_ns(const struct ticks_scale *scale, uint64_t begin, uint64_t end)
{
	const int64_t ticks = (int64_t)(end - begin);
	return ticks > 0 ? (int64_t)((double)ticks * scale->ns_per_tick + 0.5) : 0;
}
