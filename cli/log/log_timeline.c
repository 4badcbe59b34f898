/* log_timeline.c - moments of a power of two nanoseconds, at multiples of their length */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/log/log_timeline.h"

#include <string.h>

enum { TIMELINE_LEAST_NS = 1 << 16 };

/* Extends the timeline to the moments first to last, numbered since 1970. */
static void log_timeline_reach(struct log_timeline *timeline, int64_t first, int64_t last)
{
	struct log_moment old[LOG_MOMENTS];
	const int64_t base = timeline->begin_ns / timeline->moment_ns;
	const size_t count = timeline->count;
	int shift = 0;
	if (count > 0) {
		const int64_t end = base + (int64_t)count - 1;
		first = first < base ? first : base;
		last = last > end ? last : end;
	}
	while ((last >> shift) - (first >> shift) >= LOG_MOMENTS)
		shift++;
	memcpy(old, timeline->moments, count * sizeof old[0]);
	memset(timeline->moments, 0, sizeof timeline->moments);
	first >>= shift;
	timeline->moment_ns <<= shift;
	timeline->begin_ns = first * timeline->moment_ns;
	timeline->count = (size_t)((last >> shift) - first) + 1;
	for (size_t i = 0; i < count; i++) {
		struct log_moment *to = &timeline->moments[((base + (int64_t)i) >> shift) - first];
		for (int target = 0; target < 2; target++) {
			to->calls[target] += old[i].calls[target];
			to->elapsed_ns[target] += old[i].elapsed_ns[target];
		}
	}
}

void log_timeline_add(struct log_timeline *timeline, int64_t begin_ns, int64_t end_ns,
                      enum target target)
{
	if (timeline->moment_ns == 0)
		timeline->moment_ns = TIMELINE_LEAST_NS;
	const int64_t base = timeline->begin_ns / timeline->moment_ns;
	const int64_t first = begin_ns / timeline->moment_ns, last = end_ns / timeline->moment_ns;
	if (timeline->count == 0 || first < base || last >= base + (int64_t)timeline->count)
		log_timeline_reach(timeline, first, last);
	size_t at = (size_t)((begin_ns - timeline->begin_ns) / timeline->moment_ns);
	timeline->moments[at].calls[target]++;
	for (int64_t from_ns = begin_ns; from_ns < end_ns && at < timeline->count; at++) {
		const int64_t next_ns =
			timeline->begin_ns + (int64_t)(at + 1) * timeline->moment_ns;
		const int64_t to_ns = next_ns < end_ns ? next_ns : end_ns;
		timeline->moments[at].elapsed_ns[target] += (double)(to_ns - from_ns);
		from_ns = to_ns;
	}
}
