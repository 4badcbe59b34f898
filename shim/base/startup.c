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

/* The C library is of the start in any case. */
static const struct link_map *startup_find_first(void)
{
	const struct link_map *map = loader_map_of(__extension__(void *) dl_iterate_phdr);
	while (map != NULL && map->l_prev != NULL)
		map = map->l_prev;
	return map;
}

static const struct link_map *startup_find_last(const struct link_map *first)
{
	const struct link_map *last = loader_map_of(__extension__(void *) dl_iterate_phdr);
	const struct link_map *map = first;
	for (; map != NULL && map != last; map = map->l_next)
		last = startup_reach_all(first, last, map);
	return map != NULL ? startup_reach_all(first, last, map) : NULL;
}

/* Runs once, while the loader's list is locked. */
static int startup_look(struct dl_phdr_info *info, size_t size, void *wanted)
{
	const struct link_map **map = wanted;
	const struct link_map *first = startup_find_first();
	const struct link_map *last = atomic_load_explicit(&startup_last, memory_order_relaxed);
	(void)info, (void)size;
	if (last == NULL)
		last = startup_find_last(first);
	atomic_store_explicit(&startup_last, last, memory_order_relaxed);
	while (first != NULL && first != *map && first != last)
		first = first->l_next;
	if (last == NULL || first != *map)
		*map = NULL;
	return 1;
}

bool startup_has(const struct link_map *map)
{
	if (map != NULL)
		dl_iterate_phdr(startup_look, &map);
	return map != NULL;
}
