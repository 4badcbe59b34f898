/* gate_open.c - sets the least workload of each gate, and the routines that gates forward to */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/gate/gate_open.h"

#include <errno.h>
#include <stddef.h>

#include "shim/execute/cpu/cpu_threads.h"
#include "shim/record/counters.h"

static gate_open_finder *gate_open_finds;
static _Atomic uint64_t gate_open_least_bytes[FAMILY_COUNT][ELEMENT_COUNT];
static bool gate_open_timed;

/* For all threads of the CPU; gate_open_fit lowers it when a library's number is known. */
static void gate_open_set_all(void)
{
	const int threads = cpu_threads_find(NULL);
	for (int family = 0; family < FAMILY_COUNT; family++)
		for (int element = 0; element < ELEMENT_COUNT; element++)
			gate_open_least_bytes[family][element] = gate_open_finds(
				(enum family)family, (enum element)element, threads);
}

void gate_open_configure(gate_open_finder *find_bytes, bool times_calls)
{
	gate_open_finds = find_bytes;
	gate_open_timed = times_calls;
	gate_open_set_all();
}

uint64_t gate_open_bytes(enum family family, enum element element)
{
	return atomic_load_explicit(&gate_open_least_bytes[family][element], memory_order_relaxed);
}

bool gate_open_times_calls(void)
{
	return gate_open_timed;
}

void gate_open_fit(int symbol, int threads)
{
	const struct symbol_row *row = &symbol_table[symbol];
	_Atomic uint64_t *gate = &gate_open_least_bytes[row->family][row->element];
	const uint64_t bytes = gate_open_finds(row->family, row->element, threads);
	if (bytes < atomic_load_explicit(gate, memory_order_relaxed))
		atomic_store_explicit(gate, bytes, memory_order_relaxed);
}

void gate_open_count(int symbol)
{
	bool shared = false;
	_Atomic uint64_t *counts = gate_thread.counts;
	if (counts == NULL) {
		const int saved_errno = errno;
		counts = counters_claim_slot(&shared);
		errno = saved_errno;
	}
	if (shared) {
		atomic_fetch_add_explicit(&counts[symbol], 1, memory_order_relaxed);
		return;
	}
	gate_thread.counts = counts;
	gate_count(counts, symbol);
}

/* In elements: the gate then needs no multiplication by their size. */
static uint64_t gate_open_elements(int symbol)
{
	const struct symbol_row *row = &symbol_table[symbol];
	const uint64_t size = element_size_bytes(row->element);
	const uint64_t gate_bytes = gate_open_least_bytes[row->family][row->element];
	/*
	 * FFTW: a plan's key tells whether its executions need a decision, so the gate has no
	 * limit.
	 */
	if (gate_bytes == UINT64_MAX || row->library == LIBRARY_FFTW)
		return UINT64_MAX;
	return gate_bytes / size + (gate_bytes % size != 0);
}

static bool gate_open_reads_right(int symbol, const struct cpu_routine *routine)
{
	return routine->wide == (symbol_table[symbol].width == WIDTH_ILP64);
}

void gate_open_symbol(int symbol, const struct cpu_routine *routine)
{
	struct gate_slot *slot = &gate_slots[symbol];
	_Atomic uint64_t *limit = gate_open_timed ? &slot->timed_limit : &slot->limit;
	/*
	 * The gate of this name would read the sizes of a wide library wrongly. While calls are
	 * timed the route reads them.
	 */
	if (!gate_open_reads_right(symbol, routine)) {
		if (gate_open_timed)
			return;
		limit = &slot->wide_limit;
	}
	if (atomic_load_explicit(limit, memory_order_relaxed) != 0)
		return;
	gate_open_fit(symbol, cpu_threads_find(routine->code));
	__atomic_store_n(&slot->code, routine->code, __ATOMIC_RELAXED);
	atomic_store_explicit(limit, gate_open_elements(symbol), memory_order_release);
	if (limit == &slot->limit && symbol_is_of(symbol, LIBRARY_FFTW))
		atomic_store_explicit(&slot->direct, routine->code, memory_order_release);
}

void gate_open_binding(struct gate_binding *binding)
{
	if (!gate_open_timed)
		atomic_store_explicit(&binding->limit, gate_open_elements(binding->symbol),
		                      memory_order_release);
}

void gate_open_sites(int symbol, const struct cpu_routine *routine, const void *caller)
{
	struct gate_slot *slot = &gate_slots[symbol];
	if (gate_open_timed)
		return;
	if (atomic_load_explicit(&slot->site_limit, memory_order_relaxed) == 0)
		gate_open_fit(symbol, cpu_threads_find(routine->code));
	if (routine->code != NULL && gate_open_reads_right(symbol, routine))
		cpu_site_keep_in(&slot->first, (uintptr_t)caller, routine->code, routine->wide,
		                 routine->lifetime);
	atomic_store_explicit(&slot->site_limit, gate_open_elements(symbol), memory_order_release);
}
