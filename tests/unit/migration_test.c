/* migration_test.c - which operands are moved, when, and that moves never cost more than reads */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include "policy/resident/migration.h"
#include "policy/resident/migration_reason.h"

enum { MIB = 1 << 20 };

static const uint64_t gib = UINT64_C(1) << 30;
static const double link_bytes_s = 100e9;
static struct migration migration;
static struct migration_total total;
static struct migration_room room;

static void begin(void)
{
	migration = (struct migration){.reads = 0};
	total = (struct migration_total){.moved_bytes = 0};
	room = (struct migration_room){link_bytes_s, 100 * gib, 80 * gib};
}

TestSuite(migration, .init = begin);

/* A read, and the move if there is one, at a rate. Returns the bytes that were moved. */
static uint64_t read_once(uint64_t bytes, double move_bytes_s)
{
	const uint64_t moved = migration_note_read(&migration, &total, bytes, &room);
	if (moved > 0)
		migration_note_move(&migration, &total, moved, 0,
		                    (int64_t)((double)moved / move_bytes_s * 1e9));
	return moved;
}

Test(migration, an_operand_that_was_read_twice_is_moved)
{
	cr_expect_eq(read_once(10 * MIB, link_bytes_s), 0);
	cr_expect_eq(read_once(10 * MIB, link_bytes_s), 10 * MIB);
	cr_expect_eq(read_once(10 * MIB, link_bytes_s), 0, "it is there");
	cr_expect_eq(total.held_bytes, 10 * MIB);
}

Test(migration, small_operands_stay)
{
	for (int i = 0; i < 100; i++)
		cr_expect_eq(read_once(MIB - 1, link_bytes_s), 0);
}

Test(migration, the_first_move_is_a_trial_and_later_ones_have_a_bound)
{
	cr_expect_eq(read_once(gib, link_bytes_s), 0);
	cr_expect_eq(read_once(gib, link_bytes_s), 16 * MIB);
	cr_expect_eq(read_once(gib, link_bytes_s), 512 * MIB);
	cr_expect_eq(read_once(gib, link_bytes_s), gib - 528 * MIB);
	cr_expect_eq(read_once(gib, link_bytes_s), 0);
}

/* A move takes as long as twenty reads. */
Test(migration, reads_must_have_taken_as_long_as_the_move_will)
{
	read_once(gib, link_bytes_s / 20);
	cr_expect_eq(read_once(gib, link_bytes_s / 20), 16 * MIB);
	for (int reads = 3; reads < 20; reads++)
		cr_expect_eq(read_once(gib, link_bytes_s / 20), 0, "read %d", reads);
	uint64_t moved = 0;
	for (int reads = 20; reads < 24; reads++)
		moved += read_once(gib, link_bytes_s / 20);
	cr_expect_eq(moved, gib - 16 * MIB);
}

Test(migration, an_operand_that_is_written_is_counted_anew)
{
	for (int i = 0; i < 100; i++) {
		cr_expect_eq(read_once(10 * MIB, link_bytes_s), 0);
		migration_note_written(&migration);
	}
	cr_expect_eq(read_once(10 * MIB, link_bytes_s), 0);
	cr_expect_eq(read_once(10 * MIB, link_bytes_s), 10 * MIB);
}

Test(migration, half_of_what_is_free_and_of_the_limit_may_be_taken)
{
	room.free_bytes = 20 * MIB - 1;
	for (int i = 0; i < 10; i++)
		cr_expect_eq(read_once(10 * MIB, link_bytes_s), 0);
	room.free_bytes = 0;
	cr_expect_eq(read_once(10 * MIB, link_bytes_s), 0, "unknown");
	room.free_bytes = 20 * MIB;
	room.limit_bytes = 30 * MIB;
	cr_expect_eq(read_once(10 * MIB, link_bytes_s), 10 * MIB);
	migration = (struct migration){.reads = 10};
	cr_expect_eq(read_once(5 * MIB + 1, link_bytes_s), 0, "with what is there already");
	cr_expect_eq(read_once(5 * MIB, link_bytes_s), 5 * MIB);
	room.limit_bytes = 10 * MIB;
	migration = (struct migration){.reads = 10};
	cr_expect_eq(read_once(MIB, link_bytes_s), 0, "the limit has become smaller");
}

Test(migration, what_is_refused_is_tried_again_later_and_later)
{
	int tries = 0;
	for (int i = 0; i < 100000; i++) {
		const uint64_t moved = migration_note_read(&migration, &total, 10 * MIB, &room);
		if (moved == 0)
			continue;
		tries++;
		migration_note_move(&migration, &total, 0, moved, 1000);
		cr_assert(migration.is_refused);
	}
	cr_expect_leq(tries, 17, "%d tries", tries);
	cr_expect_geq(tries, 10, "%d tries", tries);
	cr_expect_eq(total.held_bytes, 0);
}

Test(migration, a_few_refused_pages_are_left_where_they_are)
{
	cr_expect_eq(migration_note_read(&migration, &total, 10 * MIB, &room), 0);
	cr_expect_eq(migration_note_read(&migration, &total, 10 * MIB, &room), 10 * MIB);
	migration_note_move(&migration, &total, 9 * MIB, MIB, 1000);
	cr_expect_not(migration.is_refused);
	cr_expect_eq(read_once(10 * MIB, link_bytes_s), 0);
	cr_expect_eq(total.refused_bytes, MIB);
}

Test(migration, memory_that_was_freed_is_a_new_operand)
{
	read_once(10 * MIB, link_bytes_s);
	read_once(10 * MIB, link_bytes_s);
	migration_note_lost(&migration, &total);
	cr_expect_eq(total.held_bytes, 0);
	cr_expect_eq(read_once(10 * MIB, link_bytes_s), 10 * MIB, "it was seen before");
}

/* Any mix of operands, writes, rates that change, refusals: moves take at most what reads did. */
Test(migration, moves_never_take_much_longer_than_the_reads)
{
	enum { OPERANDS = 20 };
	for (unsigned seed = 1; seed < 200; seed++) {
		struct migration all[OPERANDS];
		memset(all, 0, sizeof all);
		begin();
		unsigned chance = seed * 2654435761u;
		double worst_ns = 0;
		for (int i = 0; i < 2000; i++) {
			chance = chance * 1664525u + 1013904223u;
			struct migration *one = &all[(chance >> 8) % OPERANDS];
			const uint64_t bytes = (uint64_t)MIB << ((one - all) % 10);
			if (chance >> 28 == 0)
				migration_note_written(one);
			const uint64_t moved = migration_note_read(one, &total, bytes, &room);
			const double ns = (double)moved / (1e9 * (1 + (chance >> 20) % 20)) * 1e9;
			worst_ns = ns > worst_ns ? ns : worst_ns;
			if (moved > 0)
				migration_note_move(one, &total, chance % 7 ? moved : 0,
				                    chance % 7 ? 0 : moved, (int64_t)ns);
		}
		cr_expect_leq((double)total.move_ns, total.read_ns + 100e6 + worst_ns,
		              "seed %u: %g ns of moves, %g ns of reads", seed,
		              (double)total.move_ns, total.read_ns);
	}
}

Test(migration, moves_end_where_they_took_longer_than_the_reads)
{
	total.read_ns = 1e9;
	total.move_ns = 1100000000;
	cr_expect_not(migration_is_costly(&total), "a tenth of a second does not matter");
	total.move_ns += 1000000000;
	cr_expect(migration_is_costly(&total));
	migration.reads = 1000;
	cr_expect_eq(read_once(MIB, link_bytes_s), 0);
}

Test(migration, a_link_of_unknown_rate_saves_nothing)
{
	room.link_bytes_s = 0;
	read_once(20 * MIB, 1e9);
	cr_expect_eq(read_once(20 * MIB, 1e9), 16 * MIB, "the trial");
	cr_expect_eq(read_once(20 * MIB, 1e9), 0);
}

Test(migration, every_reason_has_a_sentence)
{
	for (int reason = 0; reason < MIGRATION_REASONS; reason++)
		cr_expect_gt(strlen(migration_reason_sentence((enum migration_reason)reason)), 20);
}
