/* log_timeline.c - moments of a power of two nanoseconds, at multiples of their length */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/log/log_timeline.h"

#include <string.h>

enum { TIMELINE_LEAST_NS = 1 << 16 };

/* 36 years, which only a damaged log has: times and their sums stay within 64 bits. */
static const int64_t timeline_most_ns = (int64_t)1 << 60;

int64_t log_timeline_end(const struct log_record *record)
{
	const int64_t elapsed_ns = record->elapsed_ns > 0 ? record->elapsed_ns : 0;
	return record->time_ns + (elapsed_ns < timeline_most_ns ? elapsed_ns : timeline_most_ns);
}

/* Makes first to last, counted in moments since 1970, part of the timeline. */
static void log_timeline_reach(struct log_sum *sum, int64_t first, int64_t last)
{
	struct log_moment old[LOG_MOMENTS];
	const int64_t base = sum->moments_begin_ns / sum->moment_ns;
	const size_t count = sum->moment_count;
	int shift = 0;
	if (count > 0) {
		const int64_t end = base + (int64_t)count - 1;
		first = first < base ? first : base;
		last = last > end ? last : end;
	}
	while ((last >> shift) - (first >> shift) >= LOG_MOMENTS)
		shift++;
	memcpy(old, sum->moments, count * sizeof old[0]);
	memset(sum->moments, 0, sizeof sum->moments);
	first >>= shift;
	sum->moment_ns <<= shift;
	sum->moments_begin_ns = first * sum->moment_ns;
	sum->moment_count = (size_t)((last >> shift) - first) + 1;
	for (size_t i = 0; i < count; i++) {
		struct log_moment *to = &sum->moments[((base + (int64_t)i) >> shift) - first];
		for (int target = 0; target < 2; target++) {
			to->calls[target] += old[i].calls[target];
			to->elapsed_ns[target] += old[i].elapsed_ns[target];
		}
	}
}

void log_timeline_add(struct log_sum *sum, const struct log_record *record)
{
	const int64_t begin_ns = record->time_ns, end_ns = log_timeline_end(record);
	if (begin_ns < 0)
		return;
	if (sum->moment_ns == 0)
		sum->moment_ns = TIMELINE_LEAST_NS;
	const int64_t base = sum->moments_begin_ns / sum->moment_ns;
	if (sum->moment_count == 0 || begin_ns / sum->moment_ns < base ||
	    end_ns / sum->moment_ns >= base + (int64_t)sum->moment_count)
		log_timeline_reach(sum, begin_ns / sum->moment_ns, end_ns / sum->moment_ns);
	size_t at = (size_t)((begin_ns - sum->moments_begin_ns) / sum->moment_ns);
	sum->moments[at].calls[record->target]++;
	for (int64_t from_ns = begin_ns; from_ns < end_ns && at < sum->moment_count; at++) {
		const int64_t next_ns = sum->moments_begin_ns + (int64_t)(at + 1) * sum->moment_ns;
		const int64_t to_ns = next_ns < end_ns ? next_ns : end_ns;
		sum->moments[at].elapsed_ns[record->target] += (double)(to_ns - from_ns);
		from_ns = to_ns;
	}
}
