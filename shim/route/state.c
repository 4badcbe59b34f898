/* state.c - the state that is made at the first intercepted call, and its end */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/route/state.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "shim/describe/fftw_blocks.h"
#include "shim/describe/plans.h"
#include "shim/execute/cpu/cpu.h"
#include "shim/execute/cpu/cpu_planner.h"
#include "shim/execute/cpu/cpu_threads.h"
#include "shim/execute/gpu/device/memory.h"
#include "shim/execute/gpu/session/session.h"
#include "shim/gate/gate.h"
#include "shim/record/counters.h"
#include "shim/record/record.h"
#include "shim/record/summary.h"
#include "shim/record/timeline/timeline.h"
#include "shim/route/route_decide.h"
#include "shim/settings/settings.h"

static struct shim_state state;
static atomic_bool state_made;
static pid_t state_pid; /* of the process whose files and threads these are */
static pthread_once_t state_once = PTHREAD_ONCE_INIT;

/*
 * First of all: what is held while the planner works is taken after it. Only with lazy planning
 * anybody has it.
 */
static void state_before_fork(void)
{
	cpu_planner_lock();
	session_before_fork();
	record_before_fork();
	timeline_before_fork();
	plans_before_fork();
	fftw_blocks_before_fork();
}

static void state_after_fork_parent(void)
{
	fftw_blocks_after_fork();
	plans_after_fork();
	timeline_after_fork_parent();
	record_after_fork_parent();
	session_after_fork_parent();
	cpu_planner_unlock();
}

static void state_after_fork_child(void)
{
	fftw_blocks_after_fork();
	plans_after_fork();
	state_pid = getpid();
	cpu_planner_after_fork_child();
	gate_thread.counts = NULL;
	counters_after_fork_child();
	timeline_after_fork_child();
	record_after_fork_child();
	session_after_fork_child();
}

static atomic_bool gate_open_raised;

static uint64_t gate_open_find(int family, int element, int threads)
{
	const struct situation situation = {.gpu = gate_open_raised ? GPU_OFF : GPU_ASLEEP,
	                                    .program_excluded = state.program_excluded,
	                                    .setting.cpu_threads = threads};
	return route_decide_find_gate(&situation, (enum family)family, (enum element)element);
}

/* As for the most threads that there can be, until a library tells of less. */
static void gate_open_set_all(void)
{
	const int threads = cpu_threads_find(NULL);
	for (int family = 0; family < FAMILY_COUNT; family++)
		for (int element = 0; element < ELEMENT_COUNT; element++)
			state.gate_bytes[family][element] =
				gate_open_find(family, element, threads);
}

void gate_open_fit(int symbol, int threads)
{
	const struct symbol_row *row = &symbol_table[symbol];
	_Atomic uint64_t *gate = &state.gate_bytes[row->family][row->element];
	const uint64_t bytes = gate_open_find(row->family, row->element, threads);
	if (bytes < atomic_load_explicit(gate, memory_order_relaxed))
		atomic_store_explicit(gate, bytes, memory_order_relaxed);
}

static void state_make(void)
{
	state_pid = getpid();
	settings_load(&state.options);
	options_settle(&state.options);
	state.program_excluded = settings_program_excluded(&state.options);
	route_decide_open(&state.options);
	gate_open_set_all();
	state.times_every_call =
		state.options.log_level == LOG_CALL && state.options.log[0] != '\0';
	cpu_configure(&state.options);
	counters_open(&state.options);
	memory_set_observer(counters_add_device_bytes);
	record_open(&state.options);
	session_configure(&state.options);
	pthread_atfork(state_before_fork, state_after_fork_parent, state_after_fork_child);
	atomic_store_explicit(&state_made, true, memory_order_release);
	/* Last: what a profiler loads may call what is intercepted. */
	observe_set(timeline_open(&state.options));
}

const struct shim_state *state_get(void)
{
	if (__builtin_expect(!atomic_load_explicit(&state_made, memory_order_acquire), 0)) {
		const int saved_errno = errno;
		int cancel_state;
		pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
		pthread_once(&state_once, state_make);
		pthread_setcancelstate(cancel_state, NULL);
		errno = saved_errno;
	}
	return &state;
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

/* The gate counts elements, so that it needs no multiplication by their size. */
static uint64_t gate_open_elements(int symbol)
{
	const struct symbol_row *row = &symbol_table[symbol];
	const uint64_t size = element_size_bytes(row->element);
	const uint64_t gate_bytes = state.gate_bytes[row->family][row->element];
	/*
	 * Plans past the gate are kept, all others are forwarded: for executions the gate is open
	 * or not.
	 */
	if (gate_bytes == UINT64_MAX || row->library == LIBRARY_FFTW)
		return UINT64_MAX;
	return gate_bytes / size + (gate_bytes % size != 0);
}

/* Gates that are open stay so. */
static void gate_open_raise_limit(_Atomic uint64_t *limit, uint64_t elements)
{
	const uint64_t before = atomic_load_explicit(limit, memory_order_relaxed);
	if (before != 0 && before < elements)
		atomic_store_explicit(limit, elements, memory_order_release);
}

void gate_open_raise(void)
{
	if (atomic_exchange(&gate_open_raised, true))
		return;
	gate_open_set_all();
	for (int symbol = 0; symbol < SYMBOL_COUNT; symbol++) {
		const uint64_t elements = gate_open_elements(symbol);
		gate_open_raise_limit(&gate_slots[symbol].limit, elements);
		gate_open_raise_limit(&gate_slots[symbol].timed_limit, elements);
		gate_open_raise_limit(&gate_slots[symbol].wide_limit, elements);
		gate_open_raise_limit(&gate_slots[symbol].site_limit, elements);
	}
}

static bool gate_open_reads_right(int symbol, const struct cpu_routine *routine)
{
	return routine->wide == (symbol_table[symbol].width == WIDTH_ILP64);
}

void gate_open_symbol(int symbol, const struct cpu_routine *routine)
{
	struct gate_slot *slot = &gate_slots[symbol];
	_Atomic uint64_t *limit = state.times_every_call ? &slot->timed_limit : &slot->limit;
	/*
	 * A wide library's sizes are not what this name's gate reads; while calls are timed, the
	 * route reads them.
	 */
	if (!gate_open_reads_right(symbol, routine)) {
		if (state.times_every_call)
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
	if (!state.times_every_call)
		atomic_store_explicit(&binding->limit, gate_open_elements(binding->symbol),
		                      memory_order_release);
}

void gate_open_sites(int symbol, const struct cpu_routine *routine, const void *caller)
{
	struct gate_slot *slot = &gate_slots[symbol];
	void *none = NULL;
	if (state.times_every_call)
		return;
	if (atomic_load_explicit(&slot->site_limit, memory_order_relaxed) == 0)
		gate_open_fit(symbol, cpu_threads_find(routine->code));
	if (routine->code != NULL && gate_open_reads_right(symbol, routine) &&
	    atomic_compare_exchange_strong(&slot->first_code, &none, routine->code))
		atomic_store_explicit(&slot->first_caller, caller, memory_order_release);
	atomic_store_explicit(&slot->site_limit, gate_open_elements(symbol), memory_order_release);
}

/*
 * Runs before the destructors of the libraries that the program uses, whose own clean-up may still
 * call BLAS or FFTW: everything keeps working afterwards, on the CPU. A child that no fork handler
 * saw has none of the threads, and files that are still its parent's.
 */
__attribute__((destructor)) static void state_finish(void)
{
	if (!atomic_load_explicit(&state_made, memory_order_acquire) || state_pid != getpid())
		return;
	session_stop();
	record_close();
	timeline_close();
	summary_print(&state.options);
	counters_close();
}
