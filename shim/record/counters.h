/* counters.h - counts in memory that `gpushim top` and `gpushim run` read, also after a kill */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_COUNTERS_H
#define GPUSHIM_SHIM_RECORD_COUNTERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "policy/call/reason.h"
#include "policy/decide/gate_reason.h"
#include "policy/decide/predict.h"
#include "policy/options/options.h"
#include "policy/resident/migration_reason.h"
#include "policy/resident/track_reason.h"
#include "shim/table/symbol.h"

enum {
	COUNTERS_SLOTS = 32,
	COUNTERS_DECIDED = 1024,
	COUNTERS_FIRST = 87,
	COUNTERS_NEAR = 16,
	COUNTERS_VERSION = 13,
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

/* Totals of verification, and those of struct learn_totals so far, in whole nanoseconds. */
struct counters_totals {
	_Atomic uint64_t looks, offloads;
	/*
	 * Calls that the CPU computed too; those with another result; the largest difference of
	 * those with the same one (counters_read_worst).
	 */
	_Atomic uint64_t verified, disagreed, worst;
	_Atomic int64_t gain_ns, look_loss_ns, regret_ns;
};

/*
 * Bytes of calls on the GPU: copied to it, and of operands what it had from earlier calls. What the
 * tracking of operands cost so far: write faults of the program, and an estimate of their time.
 * untracked: why operands are sent each time now, an enum track_reason; 0 where some may stay, or
 * the option is off. moved_bytes: of pages that went to the GPU's memory; unmoved: why none go
 * there now, an enum migration_reason; 0 where some may, or the option is another one.
 */
struct counters_traffic {
	_Atomic uint64_t sent_bytes, kept_bytes, faults, fault_ns, untracked, moved_bytes, unmoved;
};

enum { COUNTERS_MACHINE_BYTES = 128 };

/*
 * What a dry run has predicted so far, struct predict_totals in whole nanoseconds. machine: the
 * machine that it is for, as machine_phrase names it; empty where there is no dry run. start_ns: of
 * CUDA there. gate: what calls have to reach, as in predict_gate.h.
 */
struct counters_dry {
	char machine[COUNTERS_MACHINE_BYTES];
	_Atomic uint64_t calls, gpu_calls, starts, plans, solvers, gate;
	_Atomic int64_t cpu_ns, auto_ns, waited_ns, start_ns;
};

/* The cell of one pair of symbol and reason, named by key; free where key is 0. */
struct counters_row {
	_Atomic uint64_t key;
	struct counters_cell cell;
};

/*
 * The counts of a process, in its memory or as a file; they only grow. forwarded[] counts the calls
 * that the gate forwarded, per thread slot; decided[] all others, a row for each pair of symbol and
 * reason that occurs; undecided the calls that found no free row. Readers need no lock: each word
 * is written whole. Most processes touch the first page only, and the rows of their threads.
 */
struct counters_file {
	char magic[8]; /* "gpushim" */
	uint32_t version, symbols, reasons, slots;
	_Atomic uint32_t gpu_lost; /* an enum reason: why no call can go to the GPU any more */
	struct gate_reasons gate_reasons; /* why the gate sends calls on */
	int32_t rank, ranks; /* of a launcher's processes; -1 and 1 for a program by itself */
	uint64_t launch; /* tells apart the launches of a run, where their launcher names them */
	int64_t pid, start_realtime_ns;
	_Atomic int64_t end_realtime_ns; /* 0 while the process runs or when it was killed */
	_Atomic int64_t device_bytes, device_bytes_peak; /* requested of the GPU by the shim */
	char program[COUNTERS_PROGRAM_BYTES]; /* its executable's path, cut to fit, terminated */
	_Atomic uint32_t slot_owner[COUNTERS_SLOTS]; /* tid, 0 where free */
	_Atomic uint32_t slots_used;                 /* later slots were never taken */
	_Atomic uint32_t spilled;                    /* rows from COUNTERS_FIRST on are in use */
	struct counters_cell undecided;
	struct counters_totals totals;
	struct counters_dry dry;
	struct counters_traffic traffic;
	struct counters_row decided[COUNTERS_DECIDED];
	_Alignas(COUNTERS_LINE_BYTES) _Atomic uint64_t forwarded[COUNTERS_SLOTS][COUNTERS_ROW];
};

_Static_assert(offsetof(struct counters_file, decided[COUNTERS_FIRST]) <= 4096,
               "the head and the first rows fill one page at most");

static inline uint64_t counters_name_row(int symbol, enum reason reason)
{
	return 1 + (uint64_t)symbol * REASON_COUNT + (uint64_t)reason;
}

enum { COUNTERS_PROBES = COUNTERS_NEAR + COUNTERS_DECIDED - COUNTERS_FIRST };

/* Where to look for a key at the given attempt: near the head first, so that few pages are used. */
static inline size_t counters_probe(uint64_t key, size_t attempt)
{
	const size_t start = (size_t)(key * 0x9e3779b97f4a7c15u >> 32);
	if (attempt < COUNTERS_NEAR)
		return (start + attempt) % COUNTERS_FIRST;
	return COUNTERS_FIRST +
	       (start + attempt - COUNTERS_NEAR) % (COUNTERS_DECIDED - COUNTERS_FIRST);
}

/* The calls of this symbol that had this outcome; all zero where there were none. */
static inline const struct counters_cell *counters_find_cell(const struct counters_file *file,
                                                             int symbol, enum reason reason)
{
	static const struct counters_cell none;
	const uint64_t key = counters_name_row(symbol, reason);
	for (size_t attempt = 0; attempt < COUNTERS_PROBES; attempt++) {
		const struct counters_row *row = &file->decided[counters_probe(key, attempt)];
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

/* Why the gate sent calls of this symbol on. */
static inline enum reason counters_find_gate_reason(const struct counters_file *file, int symbol)
{
	return gate_reason_get(&file->gate_reasons, symbol_table[symbol].family,
	                       symbol_table[symbol].element);
}

/* How many calls of this symbol the gate sent on. */
static inline uint64_t counters_count_forwarded(const struct counters_file *file, int symbol)
{
	uint64_t calls = 0;
	for (int slot = 0; slot < COUNTERS_SLOTS; slot++)
		calls += atomic_load_explicit(&file->forwarded[slot][symbol], memory_order_relaxed);
	return calls;
}

/* Why no call can go to the GPU any more; REASON_NONE while one can, or where it is not known. */
static inline enum reason counters_find_loss(const struct counters_file *file)
{
	const uint32_t reason = atomic_load_explicit(&file->gpu_lost, memory_order_relaxed);
	return reason < REASON_COUNT ? (enum reason)reason : REASON_NONE;
}

/*
 * Why CUDA did not start where calls met it starting; REASON_NONE where it did start, in one
 * process at least.
 */
enum reason counters_find_failed_start(const struct counters_file *const files[], size_t count);

/*
 * Puts the counts where others can read them (struct backing). Where that fails they stay in
 * private memory, with a warning only if the options name the place. program_excluded: by the
 * options only and except.
 */
void counters_open(const struct options *options, bool program_excluded);

/*
 * The calling thread's row of forwarded[], never NULL. Threads that find no free slot share the
 * last one: then *shared is true and the caller adds atomically. A thread's slot is free again when
 * the thread ends.
 */
_Atomic uint64_t *counters_claim_slot(bool *shared);

/* Counts one call past the gate. elapsed_ns negative: not timed. */
void counters_add(int symbol, enum reason reason, int64_t elapsed_ns, uint64_t size_bytes);

/* Sets the totals of deciding by time to these. */
void counters_set_totals(const struct learn_totals *totals);

/* Begins a dry run; the arguments are as in struct counters_dry. Sets what it predicts so far. */
void counters_begin_dry(const char *machine, double start_ns, uint64_t gate);
void counters_set_dry(const struct predict_totals *totals);
struct predict_totals counters_read_dry(const struct counters_dry *dry);

/* Adds up the dry runs of files; returns the last one, or NULL where there is none. */
const struct counters_dry *counters_sum_dry(const struct counters_file *const files[], size_t count,
                                            struct predict_totals *sum, uint64_t *gate);

/*
 * One more call of the GPU was verified on the CPU. ratio: the difference of the results as a part
 * of what rounding explains.
 */
void counters_add_verified(int symbol, double ratio, bool agrees);

/* The largest ratio of calls that agreed, and whose it was. symbol: -1 where there is none. */
struct counters_worst {
	double ratio;
	int symbol;
};
struct counters_worst counters_read_worst(const struct counters_file *file);

/* A call on the GPU: its bytes, and what tracking cost in all so far. */
void counters_add_traffic(uint64_t sent_bytes, uint64_t kept_bytes);
void counters_set_moves(uint64_t moved_bytes, enum migration_reason unmoved);
void counters_set_tracking(uint64_t faults, uint64_t fault_ns, enum track_reason untracked);

/* From now on no call can go to the GPU, for this reason. */
void counters_note_loss(enum reason reason);

/* Adds to the bytes of device memory that the shim holds. */
void counters_add_device_bytes(int64_t difference);

/* The counts of this process, never NULL. */
const struct counters_file *counters_view(void);

/*
 * A fork child counts from zero, in memory of its own that is made at its first claim or count:
 * most children only call exec. Rows claimed before the fork stay valid memory, but each thread has
 * to claim again.
 */
void counters_after_fork_child(void);

/* In a child that ran no handler of fork: frees the lock. */
void counters_renew(void);

/* Marks a clean end of the process. Where the pool is out of reach, its folder gets the counts. */
void counters_close(void);

/* At the end of a process without a call: if a launcher started it, the tool learns of it. */
void counters_note_presence(void);

#endif
