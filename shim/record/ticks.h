/* ticks.h - readings of the time stamp counter in nanoseconds */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_TICKS_H
#define GPUSHIM_SHIM_RECORD_TICKS_H

#include <stdint.h>

/* The same moment on three clocks. */
struct ticks_moment {
	uint64_t ticks;
	int64_t monotonic_ns, realtime_ns;
};

/* Converts ticks to nanoseconds, relative to moment. */
struct ticks_scale {
	struct ticks_moment moment;
	double ns_per_tick;
};

/* The present moment; the clocks are read within a few microseconds. */
void ticks_read_moment(struct ticks_moment *moment);

/*
 * The scale between since and now. Waits until they are a millisecond apart, since the rate would
 * be imprecise.
 */
void ticks_find_scale(const struct ticks_moment *since, struct ticks_scale *scale);

/* The scale between two moments; pure. The rate is 1 where no time or no tick lies between. */
void ticks_make_scale(const struct ticks_moment *since, const struct ticks_moment *now,
                      struct ticks_scale *scale);

/* The CLOCK_REALTIME of a reading, as that clock was at the scale's moment. */
int64_t ticks_to_realtime_ns(const struct ticks_scale *scale, uint64_t ticks);

/* The time between two readings; never negative. */
int64_t ticks_to_elapsed_ns(const struct ticks_scale *scale, uint64_t begin, uint64_t end);

#endif
