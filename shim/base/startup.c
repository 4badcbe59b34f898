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

/* own: found before the list is locked, because that may take another lock of the loader's. */
struct startup_search {
	const struct link_map *map, *own;
	bool found;
};

/* Runs while the loader's list is locked. The program comes first in the list. */
static int startup_look(struct dl_phdr_info *info, size_t size, void *context)
{
	struct startup_search *search = context;
	const struct link_map *last = atomic_load_explicit(&startup_last, memory_order_relaxed);
	const struct link_map *program = search->own, *map;
	(void)info, (void)size;
	while (program->l_prev != NULL)
		program = program->l_prev;
	if (last == NULL)
		last = startup_find_last(program);
	atomic_store_explicit(&startup_last, last, memory_order_relaxed);
	for (map = program; map != NULL && map != search->map && map != last; map = map->l_next)
		;
	search->found = map == search->map;
	return 1;
}

bool startup_has(const struct link_map *map)
{
	struct startup_search search = {.map = map};
	search.own = loader_map_of(&startup_last);
	if (map != NULL && search.own != NULL)
		dl_iterate_phdr(startup_look, &search);
	return search.found;
}
