/* counters.h - counts in a shared file that outlives the process when it is killed */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_COUNTERS_H
#define GPUSHIM_SHIM_RECORD_COUNTERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "policy/call/reason.h"
#include "policy/decide/learn.h"
#include "policy/options/options.h"
#include "shim/table/symbol.h"

enum {
	COUNTERS_SLOTS = 32,
	COUNTERS_DECIDED = 1024,
	COUNTERS_VERSION = 3,
	COUNTERS_PROGRAM_BYTES = 256
};

/* A thread's row of forwarded[] fills whole cache lines, so that no two threads write to one. */
enum { COUNTERS_LINE_BYTES = 64, COUNTERS_ROW = (SYMBOL_COUNT + 7) / 8 * 8 };

/*
 * Past the gate: how many calls had this outcome, the time they took (timed ones only) and their
 * workload.
 */
struct counters_cell {
	_Atomic uint64_t calls, elapsed_ns, size_bytes;
};

/* What deciding by time came to so far: the totals of struct learn_totals, in whole nanoseconds. */
struct counters_totals {
	_Atomic uint64_t looks, offloads, verified;
	_Atomic int64_t gain_ns, look_loss_ns, regret_ns, dry_cpu_ns, dry_gpu_ns;
};

/* The cell of one symbol and one reason, which key names; free where that is 0. */
struct counters_row {
	_Atomic uint64_t key;
	struct counters_cell cell;
};

/*
 * The file, as it is mapped. Counts only grow. forwarded[] holds the calls that the gate sent on at
 * once, per thread slot; decided[] all others, a row for each pair of symbol and reason that
 * occurs: a program meets few of them. Calls that found no row are in undecided. Readers need no
 * lock: each word is written whole.
 */
struct counters_file {
	char magic[8]; /* "gpushim" */
	uint32_t version, symbols, reasons, slots;
	uint32_t forwarded_reason; /* why the gate sends calls on: an enum reason */
	int64_t pid, start_realtime_ns;
	_Atomic int64_t end_realtime_ns; /* 0 while the process runs or when it was killed */
	_Atomic int64_t device_bytes, device_bytes_peak; /* requested of the GPU by the shim */
	char program[COUNTERS_PROGRAM_BYTES]; /* its executable's path, cut to fit, terminated */
	_Atomic uint32_t slot_owner[COUNTERS_SLOTS]; /* tid, 0 where free */
	struct counters_row decided[COUNTERS_DECIDED];
	struct counters_cell undecided;
	struct counters_totals totals;
	_Alignas(COUNTERS_LINE_BYTES) _Atomic uint64_t forwarded[COUNTERS_SLOTS][COUNTERS_ROW];
};

static inline uint64_t counters_name_row(int symbol, enum reason reason)
{
	return 1 + (uint64_t)symbol * REASON_COUNT + (uint64_t)reason;
}

static inline size_t counters_start(uint64_t key)
{
	return (size_t)(key * 0x9e3779b97f4a7c15u >> 32) % COUNTERS_DECIDED;
}

/* The calls of this symbol that had this outcome; all zero where there were none. */
static inline const struct counters_cell *counters_find_cell(const struct counters_file *file,
                                                             int symbol, enum reason reason)
{
	static const struct counters_cell none;
	const uint64_t key = counters_name_row(symbol, reason);
	for (size_t probe = 0; probe < COUNTERS_DECIDED; probe++) {
		const struct counters_row *row =
			&file->decided[(counters_start(key) + probe) % COUNTERS_DECIDED];
		const uint64_t found = atomic_load_explicit(&row->key, memory_order_acquire);
		if (found == key)
			return &row->cell;
		if (found == 0)
			break;
	}
	return &none;
}

/* The same to be added to, made where it is not there yet. */
struct counters_cell *counters_take_cell(struct counters_file *file, int symbol,
                                         enum reason reason);

/*
 * Makes the file (design section 5: 0600, O_EXCL, O_NOFOLLOW, allocated before it is mapped) named
 * gpushim-<pid>-<start ns>.counters; private memory where that fails, silently but for a folder
 * that the options name.
 */
void counters_open(const struct options *options);

/*
 * The calling thread's row of forwarded[], never NULL. The last slot is shared by all threads that
 * found none free (then *shared is true and the caller must add atomically). A thread's slot is
 * free again when it ends.
 */
_Atomic uint64_t *counters_claim_slot(bool *shared);

/* Why the gate sends calls on under these options, as far as these tell. */
enum reason counters_find_forwarded_reason(const struct options *options);

/* Counts one call past the gate. elapsed_ns negative: not timed. */
void counters_add(int symbol, enum reason reason, int64_t elapsed_ns, uint64_t size_bytes);

/* The totals of deciding by time, as they are now. */
void counters_set_totals(const struct learn_totals *totals);

/* One more call of the GPU was computed by the CPU too. */
void counters_add_verified(void);

/* Device memory that the shim holds, in bytes, as a difference. */
void counters_add_device_bytes(int64_t difference);

/* The mapped file of this process, never NULL after counters_open. */
const struct counters_file *counters_view(void);

/*
 * A fork child starts from zero, with a file of its own that is made at its first claim or count:
 * most children only exec. Rows claimed before the fork stay valid memory, but each thread must
 * claim again for the file to be made.
 */
void counters_after_fork_child(void);

/* Marks a clean end; removes the file unless the options name a folder. */
void counters_close(void);

#endif
