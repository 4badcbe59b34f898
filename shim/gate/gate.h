/* gate.h - the gate before the route: small calls are counted and forwarded at once */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_GATE_GATE_H
#define GPUSHIM_SHIM_GATE_GATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "policy/call/call.h"
#include "shim/execute/cpu/cpu.h"
#include "shim/table/symbol.h"

/*
 * Per symbol. limit is the least workload, in elements, that takes the route; 0 (every call does)
 * until the real routine is known to serve every caller. Of the limits at most one is not 0:
 * timed_limit while every call is timed (log level call); wide_limit where the integers of code
 * have 64 bits and the name does not say so; site_limit where each caller has a routine of its own.
 * code is written before the limits.
 *
 * first: the first of those callers. direct: code, once a CBLAS routine is known to call no other
 * name of its operation, or all executions of an FFTW symbol may use it. unnested: calls that did
 * not, up to GATE_TRUST; nests: one did.
 */
struct gate_slot {
	void *code;
	_Atomic uint64_t limit, timed_limit, wide_limit, site_limit;
	struct cpu_site first;
	_Atomic(void *) direct;
	_Atomic uint32_t unnested;
	atomic_bool nests;
};

/*
 * Per thread. counts: the thread's own row of counters, NULL until it has one: then every call
 * takes the route. parked_counts: counts, while binding is not NULL. binding: the call came through
 * it and has not taken its routine yet.
 *
 * nested_*: a forwarded call whose library may call again under another name (reference cblas_dgemm
 * calls dgemm_): its operation, the frame that forwarded it, its routine. An xerbla that longjmps
 * leaves the mark behind, so readers check that the frame is still above their own and that the
 * library is the caller. nested_seen: that has happened since the mark. known_*: a caller found to
 * lie in the library of this code, which is never unloaded.
 *
 * entry: GATE_ENTRY of the name whose gate was closed, until gate_take_entry; entry_before: what
 * was there before, of a call that a handler interrupted. entry_caller: its caller, set only where
 * the gate is not hand-written.
 */
struct gate_thread {
	_Atomic uint64_t *counts;
	const void *nested_frame, *nested_code;
	const void *known_caller, *known_code;
	uint32_t nested_operation;
	bool nested_seen;
	uint32_t entry, entry_before;
#if !defined(__x86_64__) || defined(ENTRY_NO_JUMP)
	const void *entry_caller;
#endif
	struct gate_binding *binding;
	_Atomic uint64_t *parked_counts;
};

/*
 * A name that was bound, by dlsym say, to one library's routine: calls through the binding are
 * meant for that library, whoever makes them. Its stub parks the thread's counts, which closes the
 * gate of thunk, and names itself in gate_thread. thunk: the shim's own entry of the name; written
 * last. width: enum integer_width, WIDTH_PROBE until the first call asked the library. key:
 * cpu_site_key of symbol and code, 0 where the binding is free; never changed. limit: as in
 * gate_slot. lifetime: of the library that width and limit were found for.
 */
struct gate_binding {
	_Atomic(void *) thunk;
	_Atomic(void *) code;
	_Atomic int symbol;
	_Atomic int width;
	_Atomic uintptr_t key;
	_Atomic uint64_t limit;
	_Atomic uint64_t lifetime;
};

/* Hidden: a gate addresses them relative to its own code, without the global offset table. */
extern __attribute__((visibility("hidden"))) struct gate_slot gate_slots[SYMBOL_COUNT];
extern __attribute__((visibility("hidden"))) _Thread_local struct gate_thread gate_thread;

/* Always inlined: a call here would have to save the registers that carry the arguments. */
#define GATE_HOT static inline __attribute__((always_inline))

/* A symbol and its operation in one word of 32 bits, which a hand-written gate stores at once. */
#define GATE_ENTRY(symbol, operation) ((uint32_t)(symbol) | (uint32_t)(operation) << 16)
_Static_assert(SYMBOL_COUNT < 1 << 16, "a symbol fits into half a word");

GATE_HOT int gate_entry_symbol(uint32_t entry)
{
	return (int)(entry & 0xffff);
}

GATE_HOT uint32_t gate_entry_operation(uint32_t entry)
{
	return entry >> 16;
}

/*
 * The entry that a closed gate has stored. The one before is put back at once: should this call be
 * a signal handler's, it is of a call that has passed its gate and not been here yet.
 */
GATE_HOT uint32_t gate_take_entry(void)
{
	const uint32_t before = gate_thread.entry_before;
	atomic_signal_fence(memory_order_seq_cst);
	const uint32_t entry = gate_thread.entry;
	atomic_signal_fence(memory_order_seq_cst);
	gate_thread.entry = before;
	return entry;
}

/* Where the gate is not hand-written. */
GATE_HOT void gate_put_entry(uint32_t entry)
{
	gate_thread.entry_before = gate_thread.entry;
	atomic_signal_fence(memory_order_seq_cst);
	gate_thread.entry = entry;
}

/*
 * An operation that libraries nest: a BLAS routine under any spelling, or FFTW's planner of one
 * precision. Never 0.
 */
#define GATE_OPERATION(family, element) ((uint32_t)(1 + (family)*ELEMENT_COUNT + (element)))

/*
 * Only the thread itself writes there, so one add without a lock is enough; the compiler would use
 * three instructions.
 */
GATE_HOT void gate_count(_Atomic uint64_t *counts, int symbol)
{
#ifdef __x86_64__
	__asm__("addq $1, %0" : "+m"(counts[symbol]) : : "cc");
#else
	const uint64_t count = atomic_load_explicit(&counts[symbol], memory_order_relaxed);
	atomic_store_explicit(&counts[symbol], count + 1, memory_order_relaxed);
#endif
}

/* Atomic, since several first calls may store it, each the same value. */
GATE_HOT void *gate_load_code(int symbol)
{
	return __atomic_load_n(&gate_slots[symbol].code, __ATOMIC_RELAXED);
}

/* Whether a call may be forwarded without taking the route. Operation 0 is never nested. */
GATE_HOT bool gate_is_open(uint32_t operation, uint64_t elements, const _Atomic uint64_t *limit)
{
	if (__builtin_expect(elements >= atomic_load_explicit(limit, memory_order_acquire), 0))
		return false;
	return gate_thread.counts != NULL &&
	       (operation == 0 || gate_thread.nested_operation != operation);
}

/* The routine to forward to, counted; NULL where the call must take the route. */
GATE_HOT void *gate_pass(int symbol, uint32_t operation, uint64_t elements)
{
	if (__builtin_expect(!gate_is_open(operation, elements, &gate_slots[symbol].limit), 0))
		return NULL;
	gate_count(gate_thread.counts, symbol);
	return gate_load_code(symbol);
}

/* gate_pass without size and nesting: the thread needs its row, the symbol its routine. */
GATE_HOT void *gate_pass_direct(int symbol)
{
	_Atomic uint64_t *counts = gate_thread.counts;
	void *code = atomic_load_explicit(&gate_slots[symbol].direct, memory_order_relaxed);
	if (__builtin_expect(counts == NULL || code == NULL, 0))
		return NULL;
	gate_count(counts, symbol);
	return code;
}

/* gate_pass for a routine of the caller's own, where this caller was the first. */
GATE_HOT void *gate_pass_first(int symbol, uint32_t operation, uint64_t elements,
                               const void *caller)
{
	const struct gate_slot *slot = &gate_slots[symbol];
	void *code = cpu_site_read_announced(&slot->first, (uintptr_t)caller);
	if (code == NULL || !gate_is_open(operation, elements, &slot->site_limit))
		return NULL;
	gate_count(gate_thread.counts, symbol);
	return code;
}

/* Whether a name that does not say so has 64-bit integers: then sizes are read again. */
static inline bool gate_is_wide(int symbol)
{
	return atomic_load_explicit(&gate_slots[symbol].wide_limit, memory_order_relaxed) != 0;
}

/* gate_pass with sizes of 64 bits. */
static inline void *gate_pass_wide(int symbol, uint32_t operation, uint64_t elements)
{
	if (!gate_is_open(operation, elements, &gate_slots[symbol].wide_limit))
		return NULL;
	gate_count(gate_thread.counts, symbol);
	return gate_load_code(symbol);
}

static inline bool gate_is_timed(int symbol)
{
	return atomic_load_explicit(&gate_slots[symbol].timed_limit, memory_order_relaxed) != 0;
}

/* gate_pass where every call is timed, which the caller does. */
static inline void *gate_pass_timed(int symbol, uint32_t operation, uint64_t elements)
{
	if (gate_thread.binding != NULL ||
	    !gate_is_open(operation, elements, &gate_slots[symbol].timed_limit))
		return NULL;
	gate_count(gate_thread.counts, symbol);
	return gate_load_code(symbol);
}

/* gate_pass for a routine of the caller's own. wide: the width that the sizes were read with. */
static inline void *gate_pass_site(int symbol, uint32_t operation, uint64_t elements, bool wide,
                                   const void *caller)
{
	if (!gate_is_open(operation, elements, &gate_slots[symbol].site_limit))
		return NULL;
	bool is_wide = false;
	void *code = cpu_site_find(cpu_site_key(symbol, caller), &is_wide);
	if (code == NULL || is_wide != wide)
		return NULL;
	gate_count(gate_thread.counts, symbol);
	return code;
}

/* gate_pass for a nested call whose caller is known; not counted. */
static inline void *gate_pass_nested(int symbol, uint32_t operation, const void *caller,
                                     const void *frame)
{
	const struct gate_thread *thread = &gate_thread;
	if (operation == 0 || thread->nested_operation != operation ||
	    thread->known_caller != caller)
		return NULL;
	if (thread->known_code != thread->nested_code ||
	    (uintptr_t)frame >= (uintptr_t)thread->nested_frame)
		return NULL;
	gate_thread.nested_seen = true;
	return gate_load_code(symbol);
}

/*
 * The routine of the binding that the call came through, counted; NULL where the call must take the
 * route, which takes the binding from the thread.
 */
void *gate_pass_binding(int symbol, uint32_t operation, uint64_t elements, bool wide);

/* Takes from the thread the binding that the call came through; NULL where there is none. */
struct gate_binding *gate_take_binding(void);

/*
 * For a binding that is handed out again: what was asked of a library that was unloaded since is
 * forgotten.
 */
void gate_renew_binding(struct gate_binding *binding, void *thunk);

/* The binding's routine. The first call asks the library for the width of its integers. */
struct cpu_routine gate_find_bound(struct gate_binding *binding);

/* The other ways past the gate, after gate_pass returned NULL. */
static inline void *gate_pass_again(int symbol, uint32_t operation, uint64_t elements, bool wide,
                                    const void *caller)
{
	if (__builtin_expect(gate_thread.binding != NULL, 0))
		return gate_pass_binding(symbol, operation, elements, wide);
	if (gate_is_timed(symbol))
		return NULL;
	void *code = gate_pass_nested(symbol, operation, caller, __builtin_frame_address(0));
	if (code == NULL && wide)
		code = gate_pass_wide(symbol, operation, elements);
	return code != NULL ? code : gate_pass_site(symbol, operation, elements, wide, caller);
}

/*
 * Elements of all operands, by the shapes of blas.def; UINT64_MAX where a size is negative or has
 * more than 31 bits. inner is the order of the square A: m if A is on the left, else n.
 */
GATE_HOT uint64_t gate_elements_gemm(uint64_t m, uint64_t n, uint64_t k)
{
	return __builtin_expect((m | n | k) >> 31 != 0, 0) ? UINT64_MAX : m * k + k * n + m * n;
}

GATE_HOT uint64_t gate_elements_symm(uint64_t m, uint64_t n, uint64_t inner)
{
	return __builtin_expect((m | n) >> 31 != 0, 0) ? UINT64_MAX : inner * inner + 2 * m * n;
}

GATE_HOT uint64_t gate_elements_trmm(uint64_t m, uint64_t n, uint64_t inner)
{
	return __builtin_expect((m | n) >> 31 != 0, 0) ? UINT64_MAX : inner * inner + m * n;
}

GATE_HOT uint64_t gate_elements_syrk(uint64_t n, uint64_t k)
{
	return __builtin_expect((n | k) >> 31 != 0, 0) ? UINT64_MAX : n * n + n * k;
}

GATE_HOT uint64_t gate_elements_syr2k(uint64_t n, uint64_t k)
{
	return __builtin_expect((n | k) >> 31 != 0, 0) ? UINT64_MAX : n * n + 2 * n * k;
}

/*
 * The same for LAPACK, at least as many as all operands have: of an m x n matrix; of count squares
 * of order n; of A, U and VT of a singular value decomposition.
 */
GATE_HOT uint64_t gate_elements_matrix(uint64_t m, uint64_t n)
{
	return __builtin_expect((m | n) >> 31 != 0, 0) ? UINT64_MAX : m * n;
}

GATE_HOT uint64_t gate_elements_squares(uint64_t n, uint64_t count)
{
	return __builtin_expect(n >> 31 != 0, 0) ? UINT64_MAX : n * n * count;
}

GATE_HOT uint64_t gate_elements_singular(uint64_t m, uint64_t n)
{
	return __builtin_expect((m | n) >> 31 != 0, 0) ? UINT64_MAX : (m + n) * (m + n);
}

/* problems times elements; UINT64_MAX on overflow or a negative count. */
GATE_HOT uint64_t gate_elements_batch(uint64_t elements, uint64_t problems)
{
	uint64_t all;
	if (problems >> 31 != 0 || __builtin_mul_overflow(elements, problems, &all))
		return UINT64_MAX;
	return all;
}

/* Marks the forwarded operation while its library runs. */
GATE_HOT void gate_mark(uint32_t operation, const void *code, const void *frame)
{
	gate_thread.nested_frame = frame;
	gate_thread.nested_code = code;
	gate_thread.nested_seen = false;
	gate_thread.nested_operation = operation;
}

GATE_HOT void gate_unmark(void)
{
	gate_thread.nested_operation = 0;
}

/*
 * After a small marked call: a routine that called no other name in GATE_TRUST calls is assumed to
 * call none and no longer marked. If it does later, that call is counted too.
 */
enum { GATE_TRUST = 32 };
static inline void gate_learn(int symbol)
{
	struct gate_slot *slot = &gate_slots[symbol];
	if (atomic_load_explicit(&slot->nests, memory_order_relaxed))
		return;
	if (gate_thread.nested_seen)
		atomic_store_explicit(&slot->nests, true, memory_order_relaxed);
	else if (atomic_fetch_add_explicit(&slot->unnested, 1, memory_order_relaxed) + 1 ==
	         GATE_TRUST)
		atomic_store_explicit(&slot->direct, gate_load_code(symbol), memory_order_release);
}

/* Whether a call of this operation, entered at frame from caller, is nested in a forwarded one. */
bool gate_is_nested(uint32_t operation, const void *frame, const void *caller);

#endif
