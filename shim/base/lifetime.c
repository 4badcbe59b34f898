/* lifetime.c - tells whether an object that was loaded once still is, and is not another one */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/base/lifetime.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>

#include "shim/base/loader.h"
#include "shim/base/object.h"
#include "shim/base/pending_error.h"
#include "shim/base/startup.h"

/*
 * Every object that a compiler linked has a handle, and its last destructor calls
 * __cxa_finalize(handle), which calls what was registered for it. The destructor runs when the
 * object is closed for the last time, and when the program ends.
 */
int __cxa_atexit(void (*function)(void *), void *argument, void *handle);

/* More words than this point to themselves in no object that was looked at. */
enum { LIFETIME_HANDLES = 16 };

_Atomic uint64_t lifetime_now[LIFETIME_PLACES];

/*
 * The objects whose lifetime was asked for, by place. ENDING: the end was announced, and the object
 * is still there while the loader's number of unloaded objects is unloads: destructors of higher
 * priority run after the announcement, and nothing announces their end. map belongs to the lifetime
 * that lifetime_now has at the place.
 */
enum lifetime_state {
	LIFETIME_FREE,
	LIFETIME_OPENING,
	LIFETIME_LIVE,
	LIFETIME_ENDING,
	LIFETIME_STAYING /* never unloaded */
};
static struct lifetime_record {
	_Atomic(const struct link_map *) map;
	_Atomic uint64_t unloads;
	_Atomic int state;
} lifetime_records[LIFETIME_PLACES];

/* Places below it were claimed. */
static _Atomic uint64_t lifetime_used = LIFETIME_COUNTED + 1;

/* Of those who claim a place. Never waited for. */
static atomic_flag lifetime_lock = ATOMIC_FLAG_INIT;

static uint64_t lifetime_count(void)
{
	struct loader_changes changes;
	loader_count_changes(&changes);
	return (changes.loads + changes.unloads) * LIFETIME_PLACES + LIFETIME_COUNTED;
}

bool lifetime_is_current(uint64_t counted)
{
	return lifetime_count() == counted;
}

static uint64_t lifetime_count_unloads(void)
{
	struct loader_changes changes;
	loader_count_changes(&changes);
	return changes.unloads;
}

/* Called by the object's destructor, with the lifetime. */
static void lifetime_end(void *argument)
{
	const uint64_t lifetime = (uintptr_t)argument, place = lifetime % LIFETIME_PLACES;
	uint64_t now = lifetime;
	if (!atomic_compare_exchange_strong(&lifetime_now[place], &now, lifetime + LIFETIME_PLACES))
		return; /* another word of the object was taken for its handle, too */
	atomic_store(&lifetime_records[place].unloads, lifetime_count_unloads());
	atomic_store(&lifetime_records[place].state, LIFETIME_ENDING);
}

static bool lifetime_is_gone(const struct lifetime_record *record)
{
	const int state = atomic_load(&record->state);
	return state == LIFETIME_FREE ||
	       (state == LIFETIME_ENDING &&
	        atomic_load(&record->unloads) != lifetime_count_unloads());
}

/* Of the record at place, if it is that of map; false if it is not. */
static bool lifetime_read(uint64_t place, const struct link_map *map, uint64_t *lifetime)
{
	const struct lifetime_record *record = &lifetime_records[place];
	const uint64_t now = atomic_load(&lifetime_now[place]);
	if (atomic_load(&record->map) != map || lifetime_is_gone(record))
		return false;
	switch (atomic_load(&record->state)) {
	case LIFETIME_LIVE:
		*lifetime = atomic_load(&lifetime_now[place]) == now ? now : LIFETIME_OVER;
		break;
	case LIFETIME_STAYING: *lifetime = LIFETIME_PERMANENT; break;
	case LIFETIME_ENDING: *lifetime = lifetime_count(); break;
	default: *lifetime = LIFETIME_OVER;
	}
	return true;
}

static bool lifetime_recall(const struct link_map *map, uint64_t *lifetime)
{
	const uint64_t used = atomic_load(&lifetime_used);
	for (uint64_t place = LIFETIME_COUNTED + 1; place < used; place++)
		if (lifetime_read(place, map, lifetime))
			return true;
	return false;
}

/* A place for map, LIFETIME_PERMANENT if none is free, LIFETIME_COUNTED if another one claims. */
static uint64_t lifetime_claim(const struct link_map *map)
{
	uint64_t place = LIFETIME_COUNTED + 1, known;
	if (atomic_flag_test_and_set(&lifetime_lock))
		return LIFETIME_COUNTED;
	while (place < LIFETIME_PLACES && !lifetime_is_gone(&lifetime_records[place]))
		place++;
	if (lifetime_recall(map, &known))
		place = LIFETIME_COUNTED;
	else if (place == LIFETIME_PLACES)
		place = LIFETIME_PERMANENT;
	else {
		atomic_store(&lifetime_records[place].state, LIFETIME_OPENING);
		atomic_store(&lifetime_records[place].map, map);
		if (place == atomic_load(&lifetime_used))
			atomic_store(&lifetime_used, place + 1);
	}
	atomic_flag_clear(&lifetime_lock);
	return place;
}

/* The words of which one is the handle; 0 if the object's end cannot be announced. */
static size_t lifetime_find_handles(struct link_map *map, void *handles[LIFETIME_HANDLES])
{
	struct object object;
	Lmid_t space = LM_ID_BASE;
	void *error = pending_error_begin();
	const bool known = dlinfo(map, RTLD_DI_LMID, &space) == 0;
	pending_error_end(error);
	/* Another namespace has a C library of its own. */
	if (!known || space != LM_ID_BASE || !object_read(&object, map->l_addr, map->l_ld) ||
	    !object_imports(&object, "__cxa_finalize", false))
		return 0;
	const size_t count = object_find_self_pointers(&object, handles, LIFETIME_HANDLES);
	return count <= LIFETIME_HANDLES ? count : 0;
}

/* With the place's record claimed. */
static uint64_t lifetime_open(uint64_t place, void *const handles[], size_t count)
{
	struct lifetime_record *record = &lifetime_records[place];
	const uint64_t before = atomic_load(&lifetime_now[place]);
	const uint64_t lifetime = (before != 0 ? before : place) + LIFETIME_PLACES;
	size_t done = 0;
	atomic_store(&lifetime_now[place], lifetime);
	while (done < count &&
	       __cxa_atexit(lifetime_end, (void *)(uintptr_t)lifetime, handles[done]) == 0)
		done++;
	if (done == count) {
		atomic_store(&record->state, LIFETIME_LIVE);
		return lifetime;
	}
	/* Out of memory, or the program has ended. */
	atomic_store(&lifetime_now[place], lifetime + LIFETIME_PLACES);
	atomic_store(&record->state, LIFETIME_FREE);
	return lifetime_count();
}

static uint64_t lifetime_stay(uint64_t place)
{
	if (place > LIFETIME_COUNTED)
		atomic_store(&lifetime_records[place].state, LIFETIME_STAYING);
	return LIFETIME_PERMANENT;
}

static uint64_t lifetime_begin(struct link_map *map)
{
	void *handles[LIFETIME_HANDLES];
	const bool stays = startup_has(map);
	const size_t count = stays ? 0 : lifetime_find_handles(map, handles);
	if (!stays && count == 0)
		return lifetime_count();
	const uint64_t place = lifetime_claim(map);
	if (stays)
		return lifetime_stay(place);
	if (place == LIFETIME_COUNTED)
		return LIFETIME_OVER;
	return place != LIFETIME_PERMANENT ? lifetime_open(place, handles, count)
	                                   : lifetime_count();
}

uint64_t lifetime_find(const void *address)
{
	uint64_t lifetime = LIFETIME_OVER;
	struct link_map *map = loader_map_of(address);
	if (map == NULL)
		return lifetime_count();
	return lifetime_recall(map, &lifetime) ? lifetime : lifetime_begin(map);
}

uint64_t lifetime_join(uint64_t a, uint64_t b)
{
	const uint64_t count = lifetime_count(); /* before both are found to last */
	if (!lifetime_lasts(a) || !lifetime_lasts(b))
		return LIFETIME_OVER;
	if (a == LIFETIME_PERMANENT || a == b)
		return b;
	return b == LIFETIME_PERMANENT ? a : count;
}

void lifetime_make_permanent(const void *address)
{
	struct link_map *map = loader_map_of(address);
	if (map == NULL || loader_hold(address) == NULL)
		return;
	/* What was kept with the old lifetime stays valid. */
	for (uint64_t place = LIFETIME_COUNTED + 1; place < LIFETIME_PLACES; place++) {
		int live = LIFETIME_LIVE;
		if (atomic_load(&lifetime_records[place].map) == map &&
		    atomic_compare_exchange_strong(&lifetime_records[place].state, &live,
		                                   LIFETIME_STAYING))
			return;
	}
	lifetime_stay(lifetime_claim(map));
}

void lifetime_after_fork_child(void)
{
	for (uint64_t place = 0; place < LIFETIME_PLACES; place++)
		if (atomic_load(&lifetime_records[place].state) == LIFETIME_OPENING)
			atomic_store(&lifetime_records[place].state, LIFETIME_FREE);
	atomic_flag_clear(&lifetime_lock);
}
