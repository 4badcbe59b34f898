/* clock.h - the system's clocks, and a counter that is cheap to read */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_BASE_CLOCK_H
#define GPUSHIM_SHIM_BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/*
 * Whether reading the processor's counter is a fault (prctl, PR_SET_TSC), as clock_open found it.
 * libc's clocks read it too; the kernel's own call does not. Every object defines it, as one.
 */
__attribute__((weak, visibility("hidden"))) bool clock_lacks_counter;

/* Finds that out, once for the process. */
static inline void clock_open(void)
{
#ifdef PR_GET_TSC
	int mode = PR_TSC_ENABLE;
	if (prctl(PR_GET_TSC, &mode, 0L, 0L, 0L) == 0)
		clock_lacks_counter = mode == PR_TSC_SIGSEGV;
#endif
}

static inline int clock_ask(clockid_t id, struct timespec *now)
{
	if (__builtin_expect(clock_lacks_counter, 0))
		return (int)syscall(SYS_clock_gettime, id, now);
	return clock_gettime(id, now);
}

/* Ticks of the processor's constant-rate counter; nanoseconds where there is none. */
static inline uint64_t clock_ticks(void)
{
#if defined(__x86_64__)
	struct timespec now = {0, 0};
	if (__builtin_expect(!clock_lacks_counter, 1))
		return __builtin_ia32_rdtsc();
	clock_ask(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
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
	if (clock_ask(id, &now) != 0)
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
