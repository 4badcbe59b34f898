/* plans.h - what each fftw_plan of the program was made for, by the plan's address */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_DESCRIBE_PLANS_H
#define GPUSHIM_SHIM_DESCRIBE_PLANS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shim/describe/describe_fftw.h"

enum { PLANS_SLOTS = 1 << 15, PLANS_PROBES = 32 };

/*
 * What is kept of a plan until it is destroyed, which may not happen while it executes. lazy: it
 * was made with less effort than the request's flags ask for; better: the plan with those flags,
 * NULL until it is made; cpu_runs: executions on the CPU so far. saved_ns: what the GPU would have
 * saved in executions whose cuFFT plan did not pay yet. slices: plans for parts of its batch, NULL
 * until they are made; unsliced: they cannot be made.
 */
struct plan_entry {
	struct fft_request request;
	bool lazy;
	_Atomic uint32_t cpu_runs;
	_Atomic(void *) better;
	_Atomic double saved_ns;
	_Atomic(void *) slices;
	atomic_bool unsliced;
};

/*
 * key: 0 never used, PLANS_GONE freed, else the plan's address, with PLANS_LARGE set if its
 * executions need a decision. The others are below the gate or unknown, and may share one entry.
 */
struct plan_slot {
	_Atomic uintptr_t key;
	struct plan_entry *entry;
};

enum { PLANS_LARGE = 1, PLANS_GONE = PLANS_LARGE };

extern __attribute__((visibility("hidden"))) struct plan_slot plans_table[PLANS_SLOTS];

/*
 * Plans are at least 16 bytes apart, as malloc places them: 16 times the factor is 2^32 over the
 * golden ratio.
 */
static inline uint32_t plans_start(uintptr_t key)
{
	return (uint32_t)key * UINT32_C(0x09e3779b) >> 17;
}

/*
 * The slot of this plan, NULL if none is kept; *small: whether its executions may be forwarded.
 * Lock-free; a few loads.
 */
static inline const struct plan_slot *plans_find_slot(const void *plan, bool *small)
{
	const uint32_t start = plans_start((uintptr_t)plan);
	for (uint32_t probe = 0; probe < PLANS_PROBES; probe++) {
		const struct plan_slot *slot = &plans_table[(start + probe) % PLANS_SLOTS];
		const uintptr_t key = atomic_load_explicit(&slot->key, memory_order_acquire);
		*small = key == (uintptr_t)plan;
		if (*small || key == ((uintptr_t)plan | PLANS_LARGE))
			return slot;
		if (key == 0)
			break;
	}
	*small = false;
	return NULL;
}

/*
 * Whether executions of the plan may be forwarded at once; true for NULL, which the library
 * answers.
 */
static inline bool plans_is_small(const void *plan)
{
	bool small;
	return plan == NULL || (plans_find_slot(plan, &small) != NULL && small);
}

/*
 * The same by one look at the first slot of its chain: false if another plan is there. (A slot that
 * was never used has the key of the NULL plan.)
 */
static inline bool plans_is_first(const void *plan)
{
	const struct plan_slot *slot = &plans_table[plans_start((uintptr_t)plan)];
	const uintptr_t key = atomic_load_explicit(&slot->key, memory_order_acquire);
	return __builtin_expect(key == (uintptr_t)plan, 1);
}

/* What is kept of the plan, or NULL. */
struct plan_entry *plans_find(const void *plan);

/*
 * Keeps a copy of the request under plan, replacing an old one; small as in the key. NULL where
 * there is no room: the plan then runs on the CPU.
 */
struct plan_entry *plans_keep(const void *plan, const struct fft_request *request, bool small);

/*
 * Keeps only that the plan is small, and its precision, which takes no memory. False where there is
 * no room.
 */
bool plans_keep_small(const void *plan, enum element element);

/*
 * Forgets plan (false: it was not kept), or all plans of a precision. dropped is told of each,
 * whose entry is valid until it returns.
 */
bool plans_forget(const void *plan, void (*dropped)(const void *plan, struct plan_entry *entry));
void plans_forget_all(enum element element,
                      void (*dropped)(const void *plan, struct plan_entry *entry));

/* Around fork: the table is whole in the child. */
void plans_before_fork(void);
void plans_after_fork(void);

/* In a child that ran no handler of fork: frees the lock. */
void plans_renew(void);

#endif
