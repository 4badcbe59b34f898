/* ticks.h - times of the processor's counter in nanoseconds */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_TICKS_H
#define GPUSHIM_SHIM_RECORD_TICKS_H

#include <stdint.h>

/* One moment on three clocks. */
struct ticks_moment {
	uint64_t ticks;
	int64_t monotonic_ns, realtime_ns;
};

/* How ticks become nanoseconds: relative to moment. */
struct ticks_scale {
	struct ticks_moment moment;
	double ns_per_tick;
};

/* The present moment, read as close together as the machine allows (a few microseconds). */
void ticks_read_moment(struct ticks_moment *moment);

/*
 * The scale between since and now. Where less than a millisecond lies between them, the rate would
 * be rough: waits until one has passed.
 */
void ticks_find_scale(const struct ticks_moment *since, struct ticks_scale *scale);

/* The scale between two moments; pure. The rate is 1 where no time or no tick lies between them. */
void ticks_make_scale(const struct ticks_moment *since, const struct ticks_moment *now,
                      struct ticks_scale *scale);

/* When it was by CLOCK_REALTIME, as that clock stands at the scale's moment. */
int64_t ticks_to_realtime_ns(const struct ticks_scale *scale, uint64_t ticks);

/* How long it took; never negative. */
int64_t ticks_to_elapsed_ns(const struct ticks_scale *scale, uint64_t begin, uint64_t end);

#endif
