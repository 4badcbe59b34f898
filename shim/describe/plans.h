/* plans.h - what the program's own fftw_plans were made for, kept beside them under their pointers */
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
 * What is kept of a plan, valid until the plan is destroyed, which may not be while it executes.
 * lazy: the plan was made with less effort than the request's flags ask for; better is the plan
 * that was made with them later, NULL until then; cpu_runs counts the executions on the CPU.
 * saved_ns: what they could have saved on the GPU, where its own plan was not worth making yet.
 */
struct plan_entry {
	struct fft_request request;
	bool lazy;
	_Atomic uint32_t cpu_runs;
	_Atomic(void *) better;
	_Atomic double saved_ns;
};

/*
 * A slot's key: 0 never used, PLANS_GONE freed, else the plan, with the lowest bit set where its
 * executions need a decision. Others are below the gate, or belong to a plan that nothing is known
 * of, and may share one entry.
 */
struct plan_slot {
	_Atomic uintptr_t key;
	struct plan_entry *entry;
};

enum { PLANS_LARGE = 1, PLANS_GONE = PLANS_LARGE };

extern __attribute__((visibility("hidden"))) struct plan_slot plans_table[PLANS_SLOTS];

/*
 * Plans come from malloc, 16 bytes apart at least: 16 times the factor is 2^32 over the golden
 * ratio.
 */
static inline uint32_t plans_start(uintptr_t key)
{
	return (uint32_t)key * UINT32_C(0x09e3779b) >> 17;
}

/*
 * The slot of this plan, NULL where it is not kept. Lock-free; a few loads. *small: as its key
 * says.
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
 * Whether executions of the plan may be forwarded at once. A NULL plan may: nobody but its library
 * can answer.
 */
static inline bool plans_is_small(const void *plan)
{
	bool small;
	return plan == NULL || (plans_find_slot(plan, &small) != NULL && small);
}

/*
 * The same, as far as one look tells: where another plan stands in the first place of this one's,
 * it is not known. (The key of a place that was never used is the NULL plan's.)
 */
static inline bool plans_is_first(const void *plan)
{
	const struct plan_slot *slot = &plans_table[plans_start((uintptr_t)plan)];
	const uintptr_t key = atomic_load_explicit(&slot->key, memory_order_acquire);
	return __builtin_expect(key == (uintptr_t)plan, 1);
}

/* What is kept of the plan, NULL where nothing is. */
struct plan_entry *plans_find(const void *plan);

/*
 * Keeps a copy of the request under plan, in place of an older one; small as in the key. NULL where
 * there is no room: the plan then stays on the CPU.
 */
struct plan_entry *plans_keep(const void *plan, const struct fft_request *request, bool small);

/*
 * Keeps no more of it than that it is small, and its precision: costs no memory. False where there
 * is no room.
 */
bool plans_keep_small(const void *plan, enum element element);

/*
 * Forgets plan, or every plan of a precision. dropped is told of each, with what was kept of it
 * until it returns. Unknown plans are fine. False where nothing was kept.
 */
bool plans_forget(const void *plan, void (*dropped)(const void *plan, struct plan_entry *entry));
void plans_forget_all(enum element element,
                      void (*dropped)(const void *plan, struct plan_entry *entry));

/* Around fork: the table is whole in the child. */
void plans_before_fork(void);
void plans_after_fork(void);

#endif
