/* count_patch.c - puts stubs into function pointers, GOT entries of -fno-plt, f2py's tables */
/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/count/count_bind.h"

#include <errno.h>
#include <sys/mman.h>

#include "audit/count/count_store.h"
#include "audit/count/count_stub.h"

/* left: number of addresses that could not be replaced, by table. */
struct patch_tour {
	struct count_party *object;
	const struct count_party *parties;
	int count;
	uint32_t left[2];
};

/*
 * The object whose function of this name lies at the address; NULL before the loader has written
 * it.
 */
static const struct count_party *count_patch_find(const struct patch_tour *tour, const char *symbol,
                                                  uintptr_t value)
{
	for (int i = 0; value != 0 && i < tour->count; i++) {
		const struct count_party *party = &tour->parties[i];
		if (party->map != NULL && party->defines &&
		    image_find_function(&party->image, symbol) == value)
			return party;
	}
	return NULL;
}

/* The loader may have made the page read-only since; it stays writable. */
static bool count_patch_write(uintptr_t *slot, uintptr_t value)
{
	const int saved_errno = errno;
	const uintptr_t page = (uintptr_t)slot & ~(uintptr_t)(COUNT_PAGE_BYTES - 1);
	const uintptr_t end = (uintptr_t)(slot + 1);
	const bool is_open = mprotect((void *)page, end - page, PROT_READ | PROT_WRITE) == 0;
	if (is_open)
		__atomic_store_n(slot, value, __ATOMIC_RELAXED);
	errno = saved_errno;
	return is_open;
}

/*
 * Before the relocation, data holds 0, and an entry of the linkage table what the linker put there.
 */
static void count_patch_wait(struct patch_tour *tour, const struct image_wanted *wanted,
                             uintptr_t value)
{
	if (value != 0)
		tour->left[wanted->table]++;
	if (wanted->is_weak || (wanted->table == IMAGE_DATA && value != 0))
		return;
	tour->object->waits_for = wanted->slot;
	tour->object->waits_while = value;
}

static void count_patch_visit(void *context, const struct image_wanted *wanted)
{
	struct patch_tour *tour = context;
	struct count_name name;
	const uintptr_t value = *wanted->slot;
	if ((wanted->table == IMAGE_PLT && !tour->object->is_silent) ||
	    count_stub_contains(value) || !count_names_parse(wanted->symbol, &name))
		return;
	const struct count_party *provider = count_patch_find(tour, wanted->symbol, value);
	if (provider == NULL) {
		count_patch_wait(tour, wanted, value);
		return;
	}
	const uintptr_t stub =
		count_bind_symbol(wanted->symbol, value, tour->object, provider, false);
	if (stub != value && !count_patch_write(wanted->slot, stub))
		tour->left[wanted->table]++;
}

void count_patch_object(struct count_party *object, const struct count_party *parties, int count)
{
	struct patch_tour tour = {.object = object, .parties = parties, .count = count};
	struct count_object *row = &count_store.objects[object->number];
	if (object->waits_for != NULL && *object->waits_for == object->waits_while)
		return;
	object->waits_for = NULL;
	image_visit_wanted(&object->image, count_patch_visit, &tour);
	row->data = tour.left[IMAGE_DATA];
	row->unreported = tour.left[IMAGE_PLT];
	object->is_pending = object->waits_for != NULL;
}
