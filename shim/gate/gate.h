/* gate.h - what stands in front of the route: small calls are counted and sent on at once */
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
 * Per symbol. limit is the least workload, in elements, that must take the route; it is 0 (every
 * call takes the route) until the real routine is known to serve every caller. code is written
 * before it. Other limits stand in its place: timed_limit while every call is timed (log level
 * call); wide_limit where the integers of code have 64 bits and the name does not say so;
 * site_limit where each caller has a routine of its own. The first such caller is kept here.
 */
struct gate_slot {
	void *code;
	_Atomic uint64_t limit, timed_limit, wide_limit, site_limit;
	_Atomic(const void *) first_caller; /* written after first_code */
	_Atomic(void *) first_code;
	/* code, once it is known that it calls no other name of its operation; of an execution of FFTW, once all may
	 * have it */
	_Atomic(void *) direct;
	_Atomic uint32_t unnested;
	atomic_bool nests;
};

/*
 * Per thread. counts is the thread's own row of counters, NULL until it has one: then every call
 * takes the route. nested_* tell of a call that was forwarded and that its library may call again
 * under another name (reference cblas_dgemm calls dgemm_): the operation, and the frame that
 * forwarded it. An xerbla that longjmps leaves it behind; hence whoever reads it checks that the
 * frame still stands above its own and that the library is the caller.
 */
struct gate_thread {
	_Atomic uint64_t *counts;
	const void *nested_frame, *nested_code;
	const void *known_caller,
		*known_code; /* a caller that was found to lie in the library of this code */
	uint32_t nested_operation;
	bool nested_seen;         /* since it was marked */
	uint32_t entry;           /* GATE_ENTRY of the name by which a closed gate was reached */
	const void *entry_caller; /* its caller, where the gate is not hand-written */
	struct gate_binding
		*binding; /* the call came through it and did not take its routine yet */
	_Atomic uint64_t *parked_counts; /* counts, while binding is not NULL */
};

/*
 * A name that was bound, by dlsym say, to one library's routine: calls through it are meant for
 * that library, whoever makes them. Its stub parks the thread's counts, which closes the gate of
 * thunk, and names itself in gate_thread.
 */
struct gate_binding {
	_Atomic(void *)
		thunk; /* the shim's own entry of the name, or of what it is known to be; written last */
	_Atomic(void *) code; /* the routine */
	_Atomic int symbol;
	_Atomic int
		width; /* enum integer_width; WIDTH_PROBE until the library was asked, at the first call */
	_Atomic uintptr_t
		key; /* cpu_site_key of symbol and code, 0 where the binding is not taken; never changed */
	_Atomic uint64_t limit; /* as in gate_slot */
};

/* Hidden: each gate finds them by one address, not by way of a table. */
extern __attribute__((visibility("hidden"))) struct gate_slot gate_slots[SYMBOL_COUNT];
extern __attribute__((visibility("hidden"))) _Thread_local struct gate_thread gate_thread;

/* What every call passes: a call of a function there would cost the registers of its arguments. */
#define GATE_HOT static inline __attribute__((always_inline))

/* A symbol and its operation in one word of 32 bits, that a hand-written gate can store at once. */
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
 * An operation that libraries nest: a BLAS routine under any spelling, or planning in one
 * precision. Never 0.
 */
#define GATE_OPERATION(family, element) ((uint32_t)(1 + (family)*ELEMENT_COUNT + (element)))

/*
 * Only the thread itself writes there: no lock, and one instruction where the compiler would take
 * three.
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

/* Several first calls may store it, each the same. */
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

/* The same where nothing but the thread's row and the routine has to be there. */
GATE_HOT void *gate_pass_direct(int symbol)
{
	_Atomic uint64_t *counts = gate_thread.counts;
	void *code = atomic_load_explicit(&gate_slots[symbol].direct, memory_order_relaxed);
	if (__builtin_expect(counts == NULL || code == NULL, 0))
		return NULL;
	gate_count(counts, symbol);
	return code;
}

/* The same where the routine is the caller's own and this caller was the first. */
GATE_HOT void *gate_pass_first(int symbol, uint32_t operation, uint64_t elements,
                               const void *caller)
{
	const struct gate_slot *slot = &gate_slots[symbol];
	if (atomic_load_explicit(&slot->first_caller, memory_order_acquire) != caller)
		return NULL;
	if (!gate_is_open(operation, elements, &slot->site_limit))
		return NULL;
	gate_count(gate_thread.counts, symbol);
	return atomic_load_explicit(&slot->first_code, memory_order_relaxed);
}

/*
 * Whether integers of this name, which does not tell, have 64 bits: then the sizes must be read
 * anew.
 */
static inline bool gate_is_wide(int symbol)
{
	return atomic_load_explicit(&gate_slots[symbol].wide_limit, memory_order_relaxed) != 0;
}

/* The same with sizes of 64 bits. */
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

/* The same where every call is timed: the caller does so. */
static inline void *gate_pass_timed(int symbol, uint32_t operation, uint64_t elements)
{
	if (gate_thread.binding != NULL ||
	    !gate_is_open(operation, elements, &gate_slots[symbol].timed_limit))
		return NULL;
	gate_count(gate_thread.counts, symbol);
	return gate_load_code(symbol);
}

/* The same where the routine is the caller's own. wide: what the sizes were read as. */
static inline void *gate_pass_site(int symbol, uint32_t operation, uint64_t elements, bool wide,
                                   const void *caller)
{
	if (!gate_is_open(operation, elements, &gate_slots[symbol].site_limit))
		return NULL;
	const struct cpu_site *site = cpu_find_site(cpu_site_key(symbol, caller));
	if (site == NULL || site->wide != wide)
		return NULL;
	gate_count(gate_thread.counts, symbol);
	return site->code;
}

/* The inner half of a forwarded call, where that is known of its caller already; not counted. */
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
 * route, which then takes the binding from the thread.
 */
void *gate_pass_binding(int symbol, uint32_t operation, uint64_t elements, bool wide);

/*
 * The binding that the call came through, NULL where there is none; the thread has none afterwards.
 */
struct gate_binding *gate_take_binding(void);

/*
 * What it is bound to. The first call asks the library for the width of its integers, and pins it.
 */
struct cpu_routine gate_find_bound(struct gate_binding *binding);

/* After gate_pass said no. */
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
 * Elements of all operands together, by the shapes of blas.def; UINT64_MAX where a size is negative
 * or has more than 31 bits. inner is the order of a square A, which stands on the left (order m) or
 * on the right (order n).
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

/* problems times elements; UINT64_MAX where that does not fit, or where the count was negative. */
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
 * After a small call that was marked: a routine that has called no other name for a while is
 * believed to call none, and is no longer marked. Where it does so after all, that call is counted
 * too.
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

/*
 * Whether a call of this operation, entered at frame from caller, is the nested half of a forwarded
 * one.
 */
bool gate_is_nested(uint32_t operation, const void *frame, const void *caller);

#endif
