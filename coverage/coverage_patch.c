/* coverage_patch.c - replaces function pointers, GOT entries of -fno-plt and tables of f2py's wrappers by stubs */
/* SPDX-License-Identifier: Apache-2.0 */
#include "coverage/coverage_patch.h"

#include <errno.h>
#include <sys/mman.h>

#include "coverage/coverage_store.h"
#include "coverage/coverage_stub.h"

/* left: by the kind of reference, how many addresses are no stubs. */
struct patch_tour {
	struct coverage_party *object;
	const struct coverage_party *parties;
	int count;
	uint32_t left[2];
};

/* The library whose function of this name lies at this address; NULL before the loader has written it. */
static const struct coverage_party *coverage_patch_find(const struct patch_tour *tour, const char *symbol,
                                                        uintptr_t value)
{
	for (int i = 0; value != 0 && i < tour->count; i++) {
		const struct coverage_party *party = &tour->parties[i];
		if (party->map != NULL && party->defines && coverage_image_find(&party->image, symbol) == value)
			return party;
	}
	return NULL;
}

/* The page may be one that the loader has made read-only since; it stays writable then. */
static bool coverage_patch_write(uintptr_t *slot, uintptr_t value)
{
	const int saved_errno = errno;
	const uintptr_t page = (uintptr_t)slot & ~(uintptr_t)(COVERAGE_PAGE_BYTES - 1);
	const uintptr_t end = (uintptr_t)(slot + 1);
	const bool is_open = mprotect((void *)page, end - page, PROT_READ | PROT_WRITE) == 0;
	if (is_open)
		__atomic_store_n(slot, value, __ATOMIC_RELAXED);
	errno = saved_errno;
	return is_open;
}

/* Before relocation data is 0, and an entry of the linkage table is whatever the linker left there. */
static void coverage_patch_wait(struct patch_tour *tour, const struct coverage_wanted *wanted, uintptr_t value)
{
	if (value != 0)
		tour->left[wanted->reference]++;
	if (wanted->is_weak || (wanted->reference == COVERAGE_REFERENCE_DATA && value != 0))
		return;
	tour->object->waits_for = wanted->slot;
	tour->object->waits_while = value;
}

static void coverage_patch_visit(void *context, const struct coverage_wanted *wanted)
{
	struct patch_tour *tour = context;
	struct coverage_name name;
	const uintptr_t value = *wanted->slot;
	if ((wanted->reference == COVERAGE_REFERENCE_PLT && !tour->object->is_silent) ||
	    coverage_stub_contains(value) || !coverage_names_parse(wanted->symbol, &name))
		return;
	const struct coverage_party *provider = coverage_patch_find(tour, wanted->symbol, value);
	if (provider == NULL) {
		coverage_patch_wait(tour, wanted, value);
		return;
	}
	const uintptr_t stub = coverage_bind_symbol(wanted->symbol, value, tour->object, provider, false);
	if (stub != value && !coverage_patch_write(wanted->slot, stub))
		tour->left[wanted->reference]++;
}

void coverage_patch_object(struct coverage_party *object, const struct coverage_party *parties, int count)
{
	struct patch_tour tour = {.object = object, .parties = parties, .count = count};
	struct coverage_object *row = &coverage_store.objects[object->number];
	if (object->waits_for != NULL && *object->waits_for == object->waits_while)
		return;
	object->waits_for = NULL;
	coverage_image_visit_wanted(&object->image, coverage_patch_visit, &tour);
	row->data = tour.left[COVERAGE_REFERENCE_DATA];
	row->unreported = tour.left[COVERAGE_REFERENCE_PLT];
	object->is_pending = object->waits_for != NULL;
}
