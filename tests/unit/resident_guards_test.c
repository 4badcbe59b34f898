/* resident_guards_test.c - when the slow guards are asked; the guards are this file's */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "shim/base/clock.h"
#include "shim/execute/gpu/resident/resident_guards.h"
#include "shim/execute/gpu/resident/resident_room.h"
#include "shim/execute/gpu/resident/track.h"
#include "shim/execute/gpu/resident/track_guard.h"

struct operand_context resident_context;

static int64_t took_ns; /* by the guard of descriptors */
static int asked;
static const int64_t pause_ns = 100000000;

enum track_reason track_guard_descriptors(void)
{
	const int64_t end_ns = clock_monotonic_ns() + took_ns;
	while (clock_monotonic_ns() < end_ns)
		continue;
	asked++;
	return TRACK_REASON_NONE;
}

enum track_reason track_guard_libraries(void)
{
	return TRACK_REASON_NONE;
}

enum track_reason track_guard_pins(void)
{
	return TRACK_REASON_NONE;
}

bool track_is_ours(void)
{
	return true;
}

/* One call of a process that has windows. */
static void ask(void)
{
	resident_guards_begin_call(false);
	cr_assert_eq(resident_guards_ask(), TRACK_REASON_NONE);
}

static void start(bool tracks_at_once)
{
	resident_guards_open(false, tracks_at_once);
	resident_guards_demand();
	asked = 0;
}

Test(resident_guards, each_operand_tracked_one_call_in_64_asks)
{
	start(true);
	took_ns = 1000000;
	for (int i = 0; i < 2 * 64; i++)
		ask();
	cr_expect_eq(asked, 2, "asked %d times", asked);
}

Test(resident_guards, no_window_each_call_asks)
{
	start(false);
	for (int i = 0; i < 3; i++) {
		resident_guards_begin_call(true);
		resident_guards_ask();
	}
	cr_expect_eq(asked, 3, "asked %d times", asked);
}

/* 50 ms, as in a process that was stopped: without an end to the pause it would be ten seconds. */
Test(resident_guards, slow_guards_are_asked_again_soon)
{
	const int64_t most_ns = INT64_C(5000000000);
	start(false);
	took_ns = 50000000;
	ask();
	const int64_t begin_ns = clock_monotonic_ns();
	while (asked < 2 && clock_monotonic_ns() - begin_ns < most_ns)
		ask();
	cr_expect_eq(asked, 2, "not asked again");
}

/* Quick calls: 64 of them take less time than the pause, unless the machine is busy. */
Test(resident_guards, slow_guards_take_a_small_part_of_the_time)
{
	start(false);
	took_ns = 50000000;
	ask();
	const int64_t begin_ns = clock_monotonic_ns();
	for (int i = 0; i < 2 * 64; i++)
		ask();
	cr_expect(asked == 1 || clock_monotonic_ns() - begin_ns >= pause_ns, "asked %d times",
	          asked);
}
