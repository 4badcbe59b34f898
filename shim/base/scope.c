/* scope.c - finds definitions without the loader's lock, which a waiting thread may hold */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/base/scope.h"

#include <stdint.h>

#include "shim/base/object.h"

enum { SCOPE_OBJECTS = 256 };

/* A search through objects, in the order in which they are needed. */
struct scope_search {
	const char *name;
	void *found;
	bool is_certain;
	size_t count;
	const struct link_map *objects[SCOPE_OBJECTS];
};

static const struct link_map *scope_find_needed(const struct link_map *first, const char *name)
{
	struct object object;
	for (; first != NULL; first = first->l_next)
		if (object_read(&object, first->l_addr, first->l_ld) &&
		    object_is_called(&object, first->l_name, name))
			break;
	return first;
}

/* False if there is no room. */
static bool scope_add(struct scope_search *search, const struct link_map *map)
{
	for (size_t i = 0; i < search->count; i++)
		if (search->objects[i] == map)
			return true;
	if (search->count == SCOPE_OBJECTS)
		return false;
	search->objects[search->count++] = map;
	return true;
}

static void scope_add_needed(struct scope_search *search, const struct object *object,
                             const struct link_map *first)
{
	for (const ElfW(Dyn) *entry = object->dynamic; entry->d_tag != DT_NULL; entry++) {
		if (entry->d_tag != DT_NEEDED)
			continue;
		const struct link_map *needed =
			scope_find_needed(first, object->strings + entry->d_un.d_val);
		if (needed == NULL || !scope_add(search, needed))
			search->is_certain = false;
	}
}

/* Runs while the loader's list is locked. An object without symbols has no names either. */
static int scope_look(struct dl_phdr_info *info, size_t size, void *context)
{
	struct scope_search *search = context;
	const struct link_map *first = search->objects[0];
	(void)info, (void)size;
	while (first->l_prev != NULL)
		first = first->l_prev;
	for (size_t i = 0; i < search->count && search->is_certain; i++) {
		const struct link_map *map = search->objects[i];
		struct object object;
		bool indirect = false;
		if (!object_read(&object, map->l_addr, map->l_ld))
			continue;
		search->found = object_find(&object, search->name, &indirect);
		search->is_certain = !indirect;
		if (search->found != NULL)
			break;
		scope_add_needed(search, &object, first);
	}
	return 1;
}

bool scope_find(const struct link_map *map, const char *name, void **found)
{
	struct scope_search search = {.name = name, .is_certain = true, .count = 1};
	search.objects[0] = map;
	dl_iterate_phdr(scope_look, &search);
	*found = search.found;
	return search.is_certain;
}

struct scope_tally {
	const char *name;
	uintptr_t except;
	void *first;
	size_t count;
};

static int scope_count_object(struct dl_phdr_info *info, size_t size, void *context)
{
	struct scope_tally *tally = context;
	struct object object = {.hash = NULL};
	bool indirect, is_except = false, is_read = false;
	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		const uintptr_t place = info->dlpi_addr + part->p_vaddr;
		if (part->p_type == PT_LOAD)
			is_except |= tally->except - place < part->p_memsz;
		if (part->p_type == PT_DYNAMIC)
			is_read = object_read(&object, info->dlpi_addr, (const ElfW(Dyn) *)place);
	}
	void *found = is_read && !is_except ? object_find(&object, tally->name, &indirect) : NULL;
	tally->count += found != NULL;
	if (tally->first == NULL)
		tally->first = found;
	return 0;
}

size_t scope_count(const char *name, const void *except, void **first)
{
	struct scope_tally tally = {.name = name, .except = (uintptr_t)except};
	dl_iterate_phdr(scope_count_object, &tally);
	if (first != NULL)
		*first = tally.first;
	return tally.count;
}
