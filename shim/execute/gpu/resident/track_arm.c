/* track_arm.c - arms and disarms pages; two requests arm, of which the quicker one is taken */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include "shim/base/clock.h"
#include "shim/execute/gpu/resident/track.h"
#include "shim/execute/gpu/resident/track_abi.h"

enum { TRACK_ARM_TRIES = 16, TRACK_ARM_BLOCKS = 8 };
/* What the kernel maps by one entry where it uses large pages. */
static const uintptr_t track_arm_block = 2 << 20;

/* The kernel asks to try again while another thread changes the mapping. */
static int track_arm_protect(struct pages_span span, uint64_t mode)
{
	int error = 0;
	for (int i = 0; i < TRACK_ARM_TRIES; i++) {
		struct track_protection protection = {{span.start, span.end - span.start}, mode};
		error = track_control_faults(TRACK_WRITEPROTECT, &protection) == 0 ? 0 : errno;
		if (error != EAGAIN && error != EINTR)
			break;
	}
	return error;
}

/* All pages of the span, whatever their state; an error where some are not registered. */
static int track_arm_scan(struct pages_span span)
{
	struct track_scan_argument scan = {.size = sizeof scan,
	                                   .flags = TRACK_SCAN_REGISTERED | TRACK_SCAN_PROTECTS,
	                                   .start = span.start,
	                                   .end = span.end};
	if (track_control_map(TRACK_SCAN, &scan) < 0)
		return errno;
	return scan.walk_end == span.end ? 0 : EAGAIN;
}

int track_arm_as(struct pages_span span, enum track_arm_way way)
{
	if (way == TRACK_ARM_BY_SCAN && track_arm_scan(span) == 0)
		return 0;
	return track_arm_protect(span, TRACK_PROTECT);
}

int track_disarm(struct pages_span span)
{
	return track_arm_protect(span, 0);
}

uintptr_t track_find_edge(uintptr_t address)
{
	return address & ~(track_arm_block - 1);
}

/* The next part of what is left: up to an edge of blocks, so that no large page is split. */
static struct pages_span track_arm_cut(struct pages_span *left, uintptr_t blocks)
{
	struct pages_span part = *left;
	const uintptr_t edge = track_find_edge(part.start + blocks * track_arm_block);
	if (edge > part.start && edge < part.end)
		part.end = edge;
	left->start = part.end;
	return part;
}

/* Nanoseconds for a page, and the error. */
static double track_arm_time(struct pages_span part, enum track_arm_way way, int *error)
{
	const int64_t begin_ns = clock_monotonic_ns();
	*error = track_arm_as(part, way);
	return (double)(clock_monotonic_ns() - begin_ns) / (double)pages_in(part);
}

/*
 * A scan takes a quarter of the time for a page, but interrupts the processors that run threads of
 * the process once for each block; the other request does so once in all. What that costs depends
 * on the machine, and on what the threads do now: both are tried on a block of the span. A scan
 * that becomes slower is given up.
 */
int track_arm(struct pages_span span)
{
	const double longest = (double)INT64_MAX;
	struct pages_span left = span;
	int error = 0;
	if (span.end - span.start <= TRACK_ARM_BLOCKS * track_arm_block)
		return track_arm_as(span, TRACK_ARM_BY_SCAN);
	double scan_ns = track_arm_time(track_arm_cut(&left, 2), TRACK_ARM_BY_SCAN, &error);
	const double once_ns =
		error == 0 ? track_arm_time(track_arm_cut(&left, 1), TRACK_ARM_AT_ONCE, &error)
			   : longest;
	while (error == 0 && !pages_is_empty(left) && scan_ns < once_ns)
		scan_ns = track_arm_time(track_arm_cut(&left, TRACK_ARM_BLOCKS), TRACK_ARM_BY_SCAN,
		                         &error);
	return error == 0 && !pages_is_empty(left) ? track_arm_as(left, TRACK_ARM_AT_ONCE) : error;
}
