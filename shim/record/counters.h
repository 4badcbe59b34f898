/* counters.h - counts in a mapped file that outlives the process if it is killed */
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

/* A thread's row of forwarded[] fills whole cache lines: no two threads write to one line. */
enum { COUNTERS_LINE_BYTES = 64, COUNTERS_ROW = (SYMBOL_COUNT + 7) / 8 * 8 };

/*
 * Calls past the gate with one outcome: how many, the time of those that were timed, their
 * workload.
 */
struct counters_cell {
	_Atomic uint64_t calls, elapsed_ns, size_bytes;
};

/* The totals of struct learn_totals so far, in whole nanoseconds. */
struct counters_totals {
	_Atomic uint64_t looks, offloads, verified;
	_Atomic int64_t gain_ns, look_loss_ns, regret_ns, dry_cpu_ns, dry_gpu_ns;
};

/* The cell of one pair of symbol and reason, named by key; free where key is 0. */
struct counters_row {
	_Atomic uint64_t key;
	struct counters_cell cell;
};

/*
 * The file as it is mapped; counts only grow. forwarded[] counts the calls that the gate forwarded,
 * per thread slot; decided[] all others, a row for each pair of symbol and reason that occurs;
 * undecided the calls that found no free row. Readers need no lock: each word is written whole.
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

/* The same cell to be added to; made where there is none yet. */
struct counters_cell *counters_take_cell(struct counters_file *file, int symbol,
                                         enum reason reason);

/*
 * Makes the file gpushim-<pid>-<start ns>.counters with mode 0600, O_EXCL and O_NOFOLLOW, allocated
 * before it is mapped. Where that fails the counts stay in private memory, with a warning only if
 * the options name the folder.
 */
void counters_open(const struct options *options);

/*
 * The calling thread's row of forwarded[], never NULL. Threads that find no free slot share the
 * last one: then *shared is true and the caller adds atomically. A thread's slot is free again when
 * the thread ends.
 */
_Atomic uint64_t *counters_claim_slot(bool *shared);

/* The reason that the options alone give for the calls that the gate forwards. */
enum reason counters_find_forwarded_reason(const struct options *options);

/* Counts one call past the gate. elapsed_ns negative: not timed. */
void counters_add(int symbol, enum reason reason, int64_t elapsed_ns, uint64_t size_bytes);

/* Sets the totals of deciding by time to these. */
void counters_set_totals(const struct learn_totals *totals);

/* One more call of the GPU was verified on the CPU. */
void counters_add_verified(void);

/* Adds to the bytes of device memory that the shim holds. */
void counters_add_device_bytes(int64_t difference);

/* The mapped file of this process, never NULL after counters_open. */
const struct counters_file *counters_view(void);

/*
 * A fork child counts from zero, in a file of its own that is made at its first claim or count:
 * most children only call exec. Rows claimed before the fork stay valid memory, but each thread has
 * to claim again.
 */
void counters_after_fork_child(void);

/* Marks a clean end of the process; removes the file unless the options name a folder. */
void counters_close(void);

#endif
