/* migration.c - an operand is moved once its reads took as long as its move will take */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/resident/migration.h"

enum {
	MIGRATION_LEAST_READS = 2,
	MIGRATION_EXPONENT_MAX = 20,
	MIGRATION_LEAST_BYTES = 1 << 20,
	MIGRATION_TRIAL_BYTES = 16 << 20, /* while the rate of moves is not known */
	MIGRATION_MOST_BYTES = 512 << 20, /* in one call, whose signals wait for it */
	MIGRATION_SHARE = 2,              /* of free memory and of the limit may be taken: a half */
	MIGRATION_FREE_NS = 100000000     /* that moves may take in any case */
};

static const double migration_second_ns = 1e9;

static uint64_t migration_smaller(uint64_t x, uint64_t y)
{
	return x < y ? x : y;
}

static bool migration_rests(struct migration *migration)
{
	if (migration->rest == 0)
		return false;
	migration->rest--;
	return true;
}

/* What reading these bytes over the link takes. */
static double migration_read_ns(uint64_t bytes, const struct migration_room *room)
{
	return room->link_bytes_s > 0 ? (double)bytes / room->link_bytes_s * migration_second_ns
	                              : 0;
}

/* The rate is that of all moves so far; those that were refused took time too. */
static bool migration_pays(const struct migration *migration, const struct migration_total *total,
                           uint64_t left_bytes, const struct migration_room *room)
{
	if (total->move_ns == 0 || total->moved_bytes == 0)
		return true;
	const double move_ns =
		(double)left_bytes / (double)total->moved_bytes * (double)total->move_ns;
	return move_ns <= migration->reads * migration_read_ns(left_bytes, room);
}

uint64_t migration_note_read(struct migration *migration, struct migration_total *total,
                             uint64_t bytes, const struct migration_room *room)
{
	const uint64_t left_bytes =
		bytes > migration->moved_bytes ? bytes - migration->moved_bytes : 0;
	if (migration->reads < UINT32_MAX)
		migration->reads++;
	total->read_ns += migration_read_ns(left_bytes, room);
	if (left_bytes == 0 || bytes < MIGRATION_LEAST_BYTES || migration_rests(migration) ||
	    migration->reads < MIGRATION_LEAST_READS || migration_is_costly(total) ||
	    !migration_pays(migration, total, left_bytes, room))
		return 0;
	const uint64_t most_bytes =
		total->moved_bytes == 0 ? MIGRATION_TRIAL_BYTES : MIGRATION_MOST_BYTES;
	/* Part of an operand is no use where the rest will never have room. */
	if (left_bytes > room->free_bytes / MIGRATION_SHARE ||
	    total->held_bytes > room->limit_bytes / MIGRATION_SHARE ||
	    left_bytes > room->limit_bytes / MIGRATION_SHARE - total->held_bytes)
		return 0;
	return migration_smaller(left_bytes, most_bytes);
}

void migration_note_written(struct migration *migration)
{
	migration->reads = 0;
}

void migration_note_move(struct migration *migration, struct migration_total *total,
                         uint64_t moved_bytes, uint64_t refused_bytes, int64_t elapsed_ns)
{
	total->moved_bytes += moved_bytes;
	total->refused_bytes += refused_bytes;
	total->move_ns += elapsed_ns > 0 ? (uint64_t)elapsed_ns : 0;
	migration->is_refused = refused_bytes > moved_bytes;
	if (!migration->is_refused) {
		migration->moved_bytes += moved_bytes + refused_bytes;
		total->held_bytes += moved_bytes + refused_bytes;
		migration->exponent = 0;
		return;
	}
	migration->rest = UINT32_C(1) << migration->exponent;
	if (migration->exponent < MIGRATION_EXPONENT_MAX)
		migration->exponent++;
}

void migration_note_lost(struct migration *migration, struct migration_total *total)
{
	total->held_bytes -= migration_smaller(total->held_bytes, migration->moved_bytes);
	*migration = (struct migration){.reads = 1};
}

bool migration_is_costly(const struct migration_total *total)
{
	return (double)total->move_ns > MIGRATION_FREE_NS + total->read_ns;
}
