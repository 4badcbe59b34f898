/* plans.c - a fixed open-addressing table: readers take no lock, writers one */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/describe/plans.h"

#include <pthread.h>
#include <stdlib.h>

struct plan_slot plans_table[PLANS_SLOTS];
_Atomic uint32_t plans_kept;

static pthread_mutex_t plans_lock = PTHREAD_MUTEX_INITIALIZER;

static struct plan_slot *plans_slot(uintptr_t start, uint32_t probe)
{
	return &plans_table[(start + probe) % PLANS_SLOTS];
}

static struct plan_slot *plans_free_slot(uintptr_t key)
{
	struct plan_slot *free_slot = NULL;
	for (uint32_t probe = 0; probe < PLANS_PROBES; probe++) {
		struct plan_slot *slot = plans_slot(plans_start(key), probe);
		const uintptr_t found = atomic_load_explicit(&slot->key, memory_order_relaxed);
		if (found == key)
			return slot;
		if (free_slot == NULL && found <= PLANS_GONE)
			free_slot = slot;
		if (found == 0)
			break;
	}
	return free_slot;
}

bool plans_keep(const void *plan, const struct fft_request *request)
{
	struct fft_request *entry = malloc(sizeof *entry);
	if (entry == NULL)
		return false;
	*entry = *request;
	pthread_mutex_lock(&plans_lock);
	struct plan_slot *slot = plans_free_slot((uintptr_t)plan);
	struct fft_request *old = NULL;
	if (slot != NULL) {
		if (atomic_load_explicit(&slot->key, memory_order_relaxed) > PLANS_GONE)
			old = slot->entry; /* its plan was destroyed unseen: the address is in use again */
		else
			atomic_fetch_add_explicit(&plans_kept, 1, memory_order_relaxed);
		slot->entry = entry;
		atomic_store_explicit(&slot->key, (uintptr_t)plan, memory_order_release);
	}
	pthread_mutex_unlock(&plans_lock);
	free(slot != NULL ? old : entry);
	return slot != NULL;
}

/* Frees a slot; where nothing follows it in its chain, it and the freed ones before it become unused again. */
static struct fft_request *plans_clear(uint32_t index)
{
	struct fft_request *entry = plans_table[index].entry;
	const bool last = atomic_load_explicit(&plans_slot(index, 1)->key, memory_order_relaxed) == 0;
	atomic_store_explicit(&plans_table[index].key, last ? 0 : PLANS_GONE, memory_order_release);
	plans_table[index].entry = NULL; /* a NULL plan has the key of an unused slot */
	for (uint32_t at = index - 1; last; at--) {
		struct plan_slot *slot = plans_slot(at, 0);
		if (atomic_load_explicit(&slot->key, memory_order_relaxed) != PLANS_GONE)
			break;
		atomic_store_explicit(&slot->key, 0, memory_order_release);
	}
	atomic_fetch_sub_explicit(&plans_kept, 1, memory_order_relaxed);
	return entry;
}

bool plans_forget(const void *plan)
{
	struct fft_request *entry = NULL;
	if ((uintptr_t)plan <= PLANS_GONE || plans_find(plan) == NULL)
		return false;
	pthread_mutex_lock(&plans_lock);
	for (uint32_t probe = 0; probe < PLANS_PROBES && entry == NULL; probe++) {
		const uint32_t index = (plans_start((uintptr_t)plan) + probe) % PLANS_SLOTS;
		if (atomic_load_explicit(&plans_table[index].key, memory_order_relaxed) == (uintptr_t)plan)
			entry = plans_clear(index);
	}
	pthread_mutex_unlock(&plans_lock);
	free(entry);
	return entry != NULL;
}

void plans_forget_all(enum element element, void (*dropped)(const void *plan))
{
	pthread_mutex_lock(&plans_lock);
	for (uint32_t index = PLANS_SLOTS; index-- > 0 && atomic_load(&plans_kept) != 0;) {
		const uintptr_t key = atomic_load_explicit(&plans_table[index].key, memory_order_relaxed);
		if (key <= PLANS_GONE || plans_table[index].entry->problem.element != element)
			continue;
		free(plans_clear(index));
		if (dropped != NULL)
			dropped((const void *)key);
	}
	pthread_mutex_unlock(&plans_lock);
}

void plans_before_fork(void)
{
	pthread_mutex_lock(&plans_lock);
}

void plans_after_fork(void)
{
	pthread_mutex_unlock(&plans_lock);
}
