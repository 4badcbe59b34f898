/* migration.h - which operands a coherent device's memory is worth moving to; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_RESIDENT_MIGRATION_H
#define GPUSHIM_POLICY_RESIDENT_MIGRATION_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A coherent device (GH200, GB200) reads the processor's memory over a link, and its own memory,
 * which is a NUMA node, ten times as fast. Moving an operand's pages there costs as much as reading
 * it several times. An operand that was read so often that its reads took as long as the move will
 * take is moved: whatever the program does next, moves never take longer than the reads did that
 * led to them. It must have been read twice. An operand that a call writes is counted anew, because
 * the processor writes results, and does so more slowly on that node.
 */
struct migration {
	uint32_t reads; /* by calls, since it was seen first or written last */
	uint32_t rest,
		exponent;     /* reads to leave out after a refusal; the next rest is 2^exponent */
	uint64_t moved_bytes; /* from its beginning on; these are not looked at again */
	bool is_refused;      /* by the last move; the operand is tried again after the rest */
};

/* Of all operands. */
struct migration_total {
	uint64_t moved_bytes, refused_bytes, move_ns;
	uint64_t held_bytes; /* on the node now, as far as known */
	double read_ns;      /* that the link took for reads of operands not moved */
};

/* What a move could use. limit_bytes: of the device's memory that the shim may use. */
struct migration_room {
	double link_bytes_s;
	uint64_t free_bytes, limit_bytes;
};

/*
 * For each call that reads the operand, of so many bytes in whole pages: how many of them, behind
 * those that were moved, are to be moved now. 0: none.
 */
uint64_t migration_note_read(struct migration *migration, struct migration_total *total,
                             uint64_t bytes, const struct migration_room *room);
/* For each call that writes it. */
void migration_note_written(struct migration *migration);

/* The outcome of a move. Where most of it was refused the operand rests. */
void migration_note_move(struct migration *migration, struct migration_total *total,
                         uint64_t moved_bytes, uint64_t refused_bytes, int64_t elapsed_ns);
/* Its pages are elsewhere again: the program has freed the memory, and this is another operand. */
void migration_note_lost(struct migration *migration, struct migration_total *total);

/* Whether moves took longer than the reads that they could have saved. Then they end for good. */
bool migration_is_costly(const struct migration_total *total);

#endif
