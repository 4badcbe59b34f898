/* startup.c - the objects that were loaded with the program, and are never unloaded */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/base/startup.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "shim/base/loader.h"
#include "shim/base/object.h"

/*
 * The loader appends to its list. So the objects of the start are those up to the last one that one
 * of them needs.
 */
static _Atomic(const struct link_map *) startup_last;

/*
 * The list as it is when the last one is looked for, in which the loader's lock excludes others;
 * and hashes of the names. A program with hundreds of libraries needs thousands of names.
 */
enum { STARTUP_OBJECTS = 1024 };
static struct startup_entry {
	const struct link_map *map;
	uint32_t file, soname;
} startup_list[STARTUP_OBJECTS];

/* Of what is behind the last slash. */
static uint32_t startup_hash(const char *name)
{
	const char *slash = strrchr(name, '/');
	uint32_t hash = 5381;
	for (name = slash != NULL ? slash + 1 : name; *name != '\0'; name++)
		hash = hash * 33 + (unsigned char)*name;
	return hash;
}

static struct startup_entry startup_note(const struct link_map *map)
{
	struct startup_entry entry = {.map = map, .file = startup_hash(map->l_name)};
	struct object object;
	const char *soname =
		object_read(&object, map->l_addr, map->l_ld) ? object_soname(&object) : NULL;
	entry.soname = soname != NULL ? startup_hash(soname) : entry.file;
	return entry;
}

static bool startup_is_called(const struct link_map *map, const char *name)
{
	struct object object;
	return object_read(&object, map->l_addr, map->l_ld) &&
	       object_is_called(&object, map->l_name, name);
}

/* The place of the object that has this name, if it is behind last; else last. */
static size_t startup_reach(size_t count, size_t last, const char *name)
{
	const uint32_t hash = startup_hash(name);
	for (size_t i = 0; i < count; i++)
		if ((startup_list[i].file == hash || startup_list[i].soname == hash) &&
		    startup_is_called(startup_list[i].map, name))
			return i > last ? i : last;
	return last;
}

static size_t startup_reach_all(size_t count, size_t last, const struct link_map *map)
{
	struct object object;
	if (!object_read(&object, map->l_addr, map->l_ld))
		return last;
	for (const ElfW(Dyn) *entry = object.dynamic; entry->d_tag != DT_NULL; entry++)
		if (entry->d_tag == DT_NEEDED)
			last = startup_reach(count, last, object.strings + entry->d_un.d_val);
	return last;
}

static const struct link_map *startup_find_last(const struct link_map *program)
{
	size_t count = 0, last = 0;
	for (; program != NULL && count < STARTUP_OBJECTS; program = program->l_next)
		startup_list[count++] = startup_note(program);
	for (size_t i = 0; i <= last; i++)
		last = startup_reach_all(count, last, startup_list[i].map);
	return startup_list[last].map;
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
