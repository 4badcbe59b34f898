/* log_timeline.h - the time spent in calls, from the first call to the last */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_LOG_LOG_TIMELINE_H
#define GPUSHIM_CLI_LOG_LOG_TIMELINE_H

#include <stddef.h>
#include <stdint.h>

#include "policy/call/decision.h"

enum { LOG_MOMENTS = 256 };

/*
 * One stretch of the timeline, by enum target: the time in calls within it, and the calls that
 * began in it. The time of a call that lasts longer is divided among the moments that it touches.
 */
struct log_moment {
	double elapsed_ns[2];
	uint64_t calls[2];
};

/*
 * count moments, the last of which has a call. Each is moment_ns long, a power of two; the first
 * one begins at begin_ns (CLOCK_REALTIME), a multiple of moment_ns. All 0: empty.
 */
struct log_timeline {
	int64_t begin_ns, moment_ns;
	size_t count;
	struct log_moment moments[LOG_MOMENTS];
};

/*
 * Adds a call, 0 <= begin_ns <= end_ns < 8.5e18, in any order. Where there are too few moments, all
 * become longer by a factor of two or more, and neighbours are merged.
 */
void log_timeline_add(struct log_timeline *timeline, int64_t begin_ns, int64_t end_ns,
                      enum target target);

#endif
