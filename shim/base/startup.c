/* startup.c - the objects that were loaded with the program, and are never unloaded */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/base/startup.h"

#include <stdatomic.h>
#include <stddef.h>

#include "shim/base/loader.h"
#include "shim/base/object.h"

/*
 * The loader appends to its list. So the objects of the start are those up to the last one that one
 * of them needs.
 */
static _Atomic(const struct link_map *) startup_last;

static bool startup_is_needed(const struct link_map *map, const char *name)
{
	struct object object;
	return object_read(&object, map->l_addr, map->l_ld) &&
	       object_is_called(&object, map->l_name, name);
}

/* The object that map needs under this name, if that is behind last; else last. */
static const struct link_map *startup_reach(const struct link_map *first,
                                            const struct link_map *last, const char *name)
{
	bool is_behind = false;
	for (const struct link_map *map = first; map != NULL; map = map->l_next) {
		if (startup_is_needed(map, name))
			return is_behind ? map : last;
		is_behind |= map == last;
	}
	return last;
}

static const struct link_map *startup_reach_all(const struct link_map *first,
                                                const struct link_map *last,
                                                const struct link_map *map)
{
	struct object object;
	if (!object_read(&object, map->l_addr, map->l_ld))
		return last;
	for (const ElfW(Dyn) *entry = object.dynamic; entry->d_tag != DT_NULL; entry++)
		if (entry->d_tag == DT_NEEDED)
			last = startup_reach(first, last, object.strings + entry->d_un.d_val);
	return last;
}

static const struct link_map *startup_find_last(const struct link_map *program)
{
	const struct link_map *last = startup_reach_all(program, program, program);
	for (const struct link_map *map = program; map != last;
	     last = startup_reach_all(program, last, map))
		map = map->l_next;
	return last;
}

/* With the loader's list locked. The program comes first in the list. */
static const struct link_map *startup_get_last(const struct link_map *any)
{
	const struct link_map *last = atomic_load_explicit(&startup_last, memory_order_relaxed);
	if (last != NULL)
		return last;
	while (any->l_prev != NULL)
		any = any->l_prev;
	last = startup_find_last(any);
	atomic_store_explicit(&startup_last, last, memory_order_relaxed);
	return last;
}

/* own: found before the list is locked, because that may take another lock of the loader's. */
struct startup_search {
	const struct link_map *own, *map;
	bool has;
	const char *name;
	void *found;
};

/* Runs while the loader's list is locked. */
static int startup_look(struct dl_phdr_info *info, size_t size, void *context)
{
	struct startup_search *search = context;
	const struct link_map *last = startup_get_last(search->own), *map = last;
	(void)info, (void)size;
	while (map != NULL && map != search->map)
		map = map->l_prev;
	search->has = map != NULL;
	return 1;
}

bool startup_has(const struct link_map *map)
{
	struct startup_search search = {.own = loader_map_of(&startup_last), .map = map};
	if (map != NULL && search.own != NULL)
		dl_iterate_phdr(startup_look, &search);
	return search.has;
}

/* Runs while the loader's list is locked. An IFUNC is left to the loader. */
static int startup_look_behind(struct dl_phdr_info *info, size_t size, void *context)
{
	struct startup_search *search = context;
	const struct link_map *last = startup_get_last(search->own), *map = search->own;
	(void)info, (void)size;
	while (map != last && map != NULL && search->found == NULL) {
		struct object object;
		bool indirect = false;
		map = map->l_next;
		if (map == NULL || !object_read(&object, map->l_addr, map->l_ld))
			continue;
		search->found = object_find(&object, search->name, &indirect);
		if (indirect) {
			search->found = NULL;
			break;
		}
	}
	return 1;
}

void *startup_find_next(const char *name)
{
	struct startup_search search = {.own = loader_map_of(&startup_last), .name = name};
	/* An own that was opened later is behind the last one. */
	if (search.own != NULL && startup_has(search.own))
		dl_iterate_phdr(startup_look_behind, &search);
	return search.found;
}
