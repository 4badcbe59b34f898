/* clock.h - the system's clocks, and a counter that is cheap to read */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_BASE_CLOCK_H
#define GPUSHIM_SHIM_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Ticks of the processor's constant-rate counter; nanoseconds where there is none. */
static inline uint64_t clock_ticks(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t ticks;
	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
#else
	struct timespec now = {0, 0};
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
#endif
}

/*
 * A filter of system calls may refuse the clock where the kernel cannot be asked without one. Time
 * then passes at another rate, but it passes: loops wait by it.
 */
static inline int64_t clock_read_ns(clockid_t id)
{
	struct timespec now;
	if (clock_gettime(id, &now) != 0)
		return (int64_t)clock_ticks();
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline int64_t clock_realtime_ns(void)
{
	return clock_read_ns(CLOCK_REALTIME);
}

static inline int64_t clock_monotonic_ns(void)
{
	return clock_read_ns(CLOCK_MONOTONIC);
}

#endif
