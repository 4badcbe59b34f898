/* plans.c - a hash table with open addressing: readers take no lock, writers one */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/describe/plans.h"

#include <pthread.h>
#include <stdlib.h>

#include "shim/shield/shield.h"

struct plan_slot plans_table[PLANS_SLOTS];

static pthread_mutex_t plans_lock = PTHREAD_MUTEX_INITIALIZER;

static void plans_enter(struct shield *shield)
{
	shield_begin(shield);
	pthread_mutex_lock(&plans_lock);
}

static void plans_leave(const struct shield *shield)
{
	pthread_mutex_unlock(&plans_lock);
	shield_end(shield);
}

static struct plan_slot *plans_slot(uintptr_t start, uint32_t probe)
{
	return &plans_table[(start + probe) % PLANS_SLOTS];
}

static uintptr_t plans_key(const struct plan_slot *slot)
{
	return atomic_load_explicit(&slot->key, memory_order_relaxed);
}

static bool plans_is_of(uintptr_t key, const void *plan)
{
	return key > PLANS_GONE && (key & ~(uintptr_t)PLANS_LARGE) == (uintptr_t)plan;
}

struct plan_entry *plans_find(const void *plan)
{
	bool small;
	const struct plan_slot *slot = plan != NULL ? plans_find_slot(plan, &small) : NULL;
	return slot != NULL ? slot->entry : NULL;
}

/* The plan's own slot, else the first free one of its chain, else NULL. */
static struct plan_slot *plans_find_place(const void *plan)
{
	struct plan_slot *place = NULL;
	for (uint32_t probe = 0; probe < PLANS_PROBES; probe++) {
		struct plan_slot *slot = plans_slot(plans_start((uintptr_t)plan), probe);
		const uintptr_t key = plans_key(slot);
		if (plans_is_of(key, plan))
			return slot;
		if (place == NULL && key <= PLANS_GONE)
			place = slot;
		if (key == 0)
			break;
	}
	return place;
}

/* Shared by all small plans of a precision of which nothing else is kept. */
#define PLANS_SHARED(letter)                                                                       \
	[ELEMENT_##letter] = {                                                                     \
		.request = {.problem = {.family = FAMILY_FFT_C2C, .element = ELEMENT_##letter},    \
	                    .defect = REASON_UNKNOWN_PLAN}}
static struct plan_entry plans_shared[ELEMENT_COUNT] = {PLANS_SHARED(C), PLANS_SHARED(Z),
                                                        PLANS_SHARED(L), PLANS_SHARED(Q)};

static void plans_free(struct plan_entry *entry)
{
	if (entry < plans_shared || entry >= plans_shared + ELEMENT_COUNT)
		free(entry);
}

/* Puts the entry in its plan's slot, replacing an old one, whose plan was destroyed unseen. */
static bool plans_put(const void *plan, struct plan_entry *entry, bool small)
{
	struct plan_entry *old = NULL;
	struct shield shield;
	plans_enter(&shield);
	struct plan_slot *slot = plans_find_place(plan);
	if (slot != NULL) {
		old = plans_key(slot) > PLANS_GONE ? slot->entry : NULL;
		slot->entry = entry;
		atomic_store_explicit(&slot->key, (uintptr_t)plan | (small ? 0 : PLANS_LARGE),
		                      memory_order_release);
	}
	plans_leave(&shield);
	plans_free(old);
	return slot != NULL;
}

struct plan_entry *plans_keep(const void *plan, const struct fft_request *request, bool small)
{
	struct plan_entry *entry = plan != NULL ? calloc(1, sizeof *entry) : NULL;
	if (entry == NULL)
		return NULL;
	entry->request = *request;
	if (plans_put(plan, entry, small))
		return entry;
	free(entry);
	return NULL;
}

bool plans_keep_small(const void *plan, enum element element)
{
	return plan != NULL && plans_put(plan, &plans_shared[element], true);
}

/*
 * Frees a slot. If nothing follows it in its chain, it and freed slots right before it become
 * unused.
 */
static struct plan_entry *plans_clear(uint32_t index)
{
	struct plan_entry *entry = plans_table[index].entry;
	const bool last = plans_key(plans_slot(index, 1)) == 0;
	atomic_store_explicit(&plans_table[index].key, last ? 0 : PLANS_GONE, memory_order_release);
	plans_table[index].entry = NULL;
	for (uint32_t at = index - 1; last; at--) {
		struct plan_slot *slot = plans_slot(at, 0);
		if (plans_key(slot) != PLANS_GONE)
			break;
		atomic_store_explicit(&slot->key, 0, memory_order_release);
	}
	return entry;
}

bool plans_forget(const void *plan, void (*dropped)(const void *plan, struct plan_entry *entry))
{
	struct plan_entry *entry = NULL;
	struct shield shield;
	if (plans_find(plan) == NULL)
		return false;
	plans_enter(&shield);
	for (uint32_t probe = 0; probe < PLANS_PROBES && entry == NULL; probe++) {
		const uint32_t index = (plans_start((uintptr_t)plan) + probe) % PLANS_SLOTS;
		if (plans_is_of(plans_key(&plans_table[index]), plan))
			entry = plans_clear(index);
	}
	plans_leave(&shield);
	if (entry != NULL)
		dropped(plan, entry);
	plans_free(entry);
	return entry != NULL;
}

/*
 * Takes one plan of the precision out of the table, searching down from *index. The caller frees
 * *entry.
 */
static const void *plans_take(enum element element, uint32_t *index, struct plan_entry **entry)
{
	const void *plan = NULL;
	struct shield shield;
	plans_enter(&shield);
	while (plan == NULL && *index > 0) {
		const uintptr_t key = plans_key(&plans_table[--*index]);
		if (key <= PLANS_GONE ||
		    plans_table[*index].entry->request.problem.element != element)
			continue;
		plan = (const void *)(key & ~(uintptr_t)PLANS_LARGE);
		*entry = plans_clear(*index);
	}
	plans_leave(&shield);
	return plan;
}

void plans_forget_all(enum element element,
                      void (*dropped)(const void *plan, struct plan_entry *entry))
{
	uint32_t index = PLANS_SLOTS;
	struct plan_entry *entry = NULL;
	for (const void *plan; (plan = plans_take(element, &index, &entry)) != NULL;
	     plans_free(entry))
		dropped(plan, entry);
}

void plans_before_fork(void)
{
	pthread_mutex_lock(&plans_lock);
}

void plans_renew(void)
{
	plans_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

void plans_after_fork(void)
{
	pthread_mutex_unlock(&plans_lock);
}
