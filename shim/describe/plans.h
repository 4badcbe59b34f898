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

/* A slot's key: 0 never used, PLANS_GONE freed, else the plan. */
struct plan_slot {
	_Atomic uintptr_t key;
	struct fft_request *entry; /* valid until the plan is destroyed, which may not be while it executes */
};

enum { PLANS_GONE = 1 };

extern struct plan_slot plans_table[PLANS_SLOTS];
extern _Atomic uint32_t plans_kept;

static inline uint32_t plans_start(uintptr_t key)
{
	return (uint32_t)((key * (uintptr_t)0x9e3779b97f4a7c15u) >> 49);
}

/* What this plan was requested for, NULL where none is kept. Lock-free; a few loads. */
static inline const struct fft_request *plans_find(const void *plan)
{
	if (atomic_load_explicit(&plans_kept, memory_order_relaxed) == 0)
		return NULL;
	const uint32_t start = plans_start((uintptr_t)plan);
	for (uint32_t probe = 0; probe < PLANS_PROBES; probe++) {
		const struct plan_slot *slot = &plans_table[(start + probe) % PLANS_SLOTS];
		const uintptr_t key = atomic_load_explicit(&slot->key, memory_order_acquire);
		if (key == (uintptr_t)plan)
			return slot->entry;
		if (key == 0)
			return NULL;
	}
	return NULL;
}

/* Keeps a copy of the request under plan; false where there is no room (the plan then stays on the CPU). */
bool plans_keep(const void *plan, const struct fft_request *request);

/* Forgets plan, or every plan of a precision; dropped is told of each (may be NULL). Unknown plans are fine. */
bool plans_forget(const void *plan);
void plans_forget_all(enum element element, void (*dropped)(const void *plan));

/* Fork protocol: the table's lock. */
void plans_before_fork(void);
void plans_after_fork(void);

#endif
