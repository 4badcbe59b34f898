/* resident_guards.c - quick guards at each call, slow ones at one of many calls */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/resident/resident_guards.h"

#include <stdatomic.h>

#include "shim/base/clock.h"
#include "shim/execute/gpu/resident/resident_room.h"
#include "shim/execute/gpu/resident/track.h"
#include "shim/execute/gpu/resident/track_guard.h"

/*
 * Libraries and descriptors are looked at in one of so many calls, and, unless all operands are
 * tracked, in one part of RESIDENT_SLOW_SHARE of the time: in a program with many mappings that
 * takes long. But the next look is due after RESIDENT_SLOW_PAUSE_NS at the latest, whatever the
 * last one took: the process may have been stopped meanwhile. Pins are looked for at each call
 * until an armed page is that old.
 */
enum {
	RESIDENT_SLOW_CALLS = 64,
	RESIDENT_SLOW_SHARE = 200,
	RESIDENT_SLOW_PAUSE_NS = 100000000,
	RESIDENT_ACCOUNTED_NS = 10000000
};

static struct {
	bool program_uses_cuda, tracks_at_once;
	int64_t next_slow_ns;
	uint64_t calls;         /* since the slow guards were asked */
	enum track_reason slow; /* what they have said */
	bool had_none;
} guards;
static atomic_bool resident_guards_see_cuda;

void resident_guards_open(bool program_uses_cuda, bool tracks_at_once)
{
	guards.program_uses_cuda = program_uses_cuda;
	guards.tracks_at_once = tracks_at_once;
	guards.slow = TRACK_REASON_NONE;
}

void resident_guards_begin_call(bool had_none)
{
	guards.had_none = had_none;
}

void resident_guards_demand(void)
{
	guards.calls = 0;
}

void resident_guards_note(enum track_reason reason)
{
	guards.slow = reason;
	guards.calls = 1;
}

bool resident_guards_note_cuda(void)
{
	return !atomic_exchange(&resident_guards_see_cuda, true);
}

enum track_reason resident_guards_ask_slow(void)
{
	if (guards.program_uses_cuda || atomic_load(&resident_guards_see_cuda))
		return TRACK_REASON_CUDA;
	enum track_reason reason = track_guard_descriptors();
	if (reason == TRACK_REASON_NONE)
		reason = track_guard_libraries();
	return reason != TRACK_REASON_NONE ? reason : track_guard_pins();
}

/*
 * A pin that is older than the arming is there when it ends, or is accounted for microseconds
 * later. One that comes later has made its pages written ones.
 */
static enum track_reason resident_guards_ask_pins(int64_t now_ns)
{
	const enum track_reason reason = track_guard_pins();
	const int64_t age_ns = now_ns - resident_context.armed_ns;
	if (reason == TRACK_REASON_NONE && age_ns > RESIDENT_ACCOUNTED_NS)
		resident_context.armed_ns = 0;
	return reason;
}

/* Those that are asked at each call, as long as something is armed, or is not because of one. */
static enum track_reason resident_guards_ask_quick(int64_t now_ns)
{
	if (resident_context.fault != NULL)
		return TRACK_REASON_WRONG;
	if (!track_is_ours())
		return TRACK_REASON_LOST;
	if (guards.slow != TRACK_REASON_NONE)
		return guards.slow;
	if (!guards.tracks_at_once && operand_context_is_costly(&resident_context, 0, now_ns))
		return TRACK_REASON_COSTLY;
	return resident_context.armed_ns != 0 ? resident_guards_ask_pins(now_ns)
	                                      : TRACK_REASON_NONE;
}

static bool resident_guards_want_slow(int64_t now_ns)
{
	const uint64_t calls = guards.calls++;
	if (calls == 0)
		return true;
	return calls >= RESIDENT_SLOW_CALLS &&
	       (guards.tracks_at_once || now_ns >= guards.next_slow_ns);
}

enum track_reason resident_guards_ask_again(void)
{
	int64_t now_ns = clock_monotonic_ns();
	if (resident_guards_want_slow(now_ns) && track_is_ours()) {
		guards.slow = resident_guards_ask_slow();
		const int64_t end_ns = clock_monotonic_ns();
		const int64_t pause_ns = (end_ns - now_ns) * RESIDENT_SLOW_SHARE;
		guards.next_slow_ns =
			end_ns +
			(pause_ns < RESIDENT_SLOW_PAUSE_NS ? pause_ns : RESIDENT_SLOW_PAUSE_NS);
		guards.calls = 1;
		now_ns = end_ns;
	}
	return resident_guards_ask_quick(now_ns);
}

enum track_reason resident_guards_ask(void)
{
	if (guards.had_none)
		resident_guards_demand();
	return resident_guards_ask_again();
}
