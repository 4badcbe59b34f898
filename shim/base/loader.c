/* loader.c - finds libraries and symbols, never the shim itself */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/base/loader.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "shim/base/loader_image.h"

#include "shim/base/library_path.h"

/* Set by the linker around this image; hidden, so that they are not another image's. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

/* glibc's struct dl_find_object, which headers before 2.35 lack. */
struct find_object_result {
	unsigned long long flags;
	void *map_start, *map_end;
	struct link_map *link_map;
	void *eh_frame;
	unsigned long long reserved[7];
};

bool loader_is_own(const void *address)
{
	return (uintptr_t)address >= (uintptr_t)__ehdr_start &&
	       (uintptr_t)address < (uintptr_t)_end;
}

static void *loader_unless_own(void *address)
{
	return address != NULL && loader_is_own(address) ? NULL : address;
}

static struct link_map *loader_map_of(const void *address)
{
	static _Atomic(void *) finder;
	int (*find_object)(void *, struct find_object_result *);
	struct find_object_result result;
	struct link_map *map = NULL;
	Dl_info info;

	/*
	 * _dl_find_object (glibc 2.35) is looked up, not linked: the library has to load on glibc
	 * 2.34. Without dlsym where possible, which takes the loader's lock: the state is made
	 * under pthread_once, and a thread that waits for that may hold the lock.
	 */
	if (atomic_load_explicit(&finder, memory_order_relaxed) == NULL) {
		size_t size;
		void *found = loader_image_find("_dl_find_object", &size);
		if (found == NULL)
			found = dlsym(RTLD_DEFAULT, "_dl_find_object");
		atomic_store_explicit(&finder, found != NULL ? found : (void *)&finder,
		                      memory_order_relaxed);
	}
	void *known = atomic_load_explicit(&finder, memory_order_relaxed);
	if (known != (void *)&finder) {
		memcpy(&find_object, &known, sizeof find_object);
		return find_object((void *)(uintptr_t)address, &result) == 0 ? result.link_map
		                                                             : NULL;
	}
	if (dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) == 0)
		return NULL;
	return map;
}

/* By a handle that is never closed, which pins the object and all that it depends on. */
static void *loader_pin(const char *path)
{
	return dlopen(path[0] != '\0' ? path : NULL, RTLD_LAZY | RTLD_NOLOAD);
}

/*
 * The same for an object that may be in a namespace made by dlmopen, where its path alone would
 * mean another object.
 */
static void *loader_pin_object(struct link_map *map)
{
	Lmid_t space = LM_ID_BASE;
	if (dlinfo(map, RTLD_DI_LMID, &space) != 0 || space == LM_ID_BASE)
		return loader_pin(map->l_name);
	return dlmopen(space, map->l_name, RTLD_LAZY | RTLD_NOLOAD);
}

void *loader_find_next(const char *name)
{
	void *found = loader_unless_own(dlsym(RTLD_NEXT, name));
	struct link_map *map = found != NULL ? loader_map_of(found) : NULL;
	if (map != NULL) /* the program may dlclose what it opened RTLD_GLOBAL */
		loader_pin(map->l_name);
	return found;
}

void *loader_find_from(const void *caller, const char *name)
{
	struct link_map *map = loader_map_of(caller);
	void *handle = map != NULL ? loader_pin_object(map) : NULL;
	return handle != NULL ? loader_unless_own(dlsym(handle, name)) : NULL;
}

void *loader_find_beside(const void *address, const char *name)
{
	void *found = loader_find_from(address, name);
	return found != NULL && loader_same_object(found, address) ? found : NULL;
}

const char *loader_path_of(const void *address)
{
	struct link_map *map = loader_map_of(address);
	return map != NULL ? map->l_name : NULL;
}

bool loader_same_object(const void *a, const void *b)
{
	struct link_map *map = loader_map_of(a);
	return map != NULL && map == loader_map_of(b);
}

/*
 * Names of the loaded objects, copied while the loader's list is locked. Each search has a list of
 * its own: a lock around it could be held by a thread that waits for the loader's.
 */
struct object_list {
	char names[1 << 16];
	size_t used;
};

static int loader_note_object(struct dl_phdr_info *info, size_t size, void *context)
{
	struct object_list *list = context;
	const char *name = info->dlpi_name != NULL ? info->dlpi_name : "";
	const size_t length = strlen(name) + 1;
	(void)size;
	if (list->used + length <= sizeof list->names) {
		memcpy(list->names + list->used, name, length);
		list->used += length;
	}
	return 0;
}

static int loader_note_loads(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size;
	*(uint64_t *)context = info->dlpi_adds;
	return 1; /* stop: dlpi_adds is the same for every object */
}

uint64_t loader_count_loads(void)
{
	uint64_t loads = 0;
	dl_iterate_phdr(loader_note_loads, &loads);
	return loads;
}

static void *loader_defined_in(const char *path, const char *name)
{
	void *handle = loader_pin(path);
	void *found = handle != NULL ? loader_unless_own(dlsym(handle, name)) : NULL;
	const char *home = found != NULL ? loader_path_of(found) : NULL;
	return home != NULL && strcmp(home, path) == 0 ? found : NULL;
}

void *loader_find_any(const char *name, bool (*accept)(void *address), size_t *count)
{
	void *first = NULL;
	struct object_list *list = mmap(NULL, sizeof *list, PROT_READ | PROT_WRITE,
	                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	*count = 0;
	if (list == MAP_FAILED)
		return NULL;
	dl_iterate_phdr(loader_note_object, list);
	for (size_t at = 0; at < list->used; at += strlen(list->names + at) + 1) {
		void *found = loader_defined_in(list->names + at, name);
		if (found == NULL || (accept != NULL && !accept(found)))
			continue;
		*count += 1;
		if (first == NULL)
			first = found;
	}
	munmap(list, sizeof *list);
	return first;
}

void *loader_find_in(const char *library, const char *name, const char **why)
{
	const bool refused = library_path_is_relative(library);
	void *handle = refused ? NULL : dlopen(library, RTLD_LAZY | RTLD_LOCAL);
	void *found = handle != NULL ? dlsym(handle, name) : NULL;
	if (found == NULL && why != NULL)
		*why = refused ? "LD_LIBRARY_PATH leads to it by a relative path" : dlerror();
	return loader_unless_own(found);
}

/* What the dynamic section of a loaded object points to. */
struct loader_tables {
	const ElfW(Sym) * symbols;
	const char *strings;
	const uint32_t *hash;
};

/* On most processors the loader has replaced the offsets by addresses; on others it has not. */
static const void *loader_locate(const struct link_map *map, const ElfW(Dyn) * entry)
{
	const uintptr_t value = (uintptr_t)entry->d_un.d_ptr;
	return (const void *)(value < (uintptr_t)map->l_addr ? value + (uintptr_t)map->l_addr
	                                                     : value);
}

static bool loader_find_tables(const void *address, struct loader_tables *tables)
{
	struct link_map *map = NULL;
	Dl_info info;
	*tables = (struct loader_tables){NULL, NULL, NULL};
	if (dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) == 0 || map == NULL ||
	    map->l_ld == NULL)
		return false;
	for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
		if (entry->d_tag == DT_SYMTAB)
			tables->symbols = loader_locate(map, entry);
		else if (entry->d_tag == DT_STRTAB)
			tables->strings = loader_locate(map, entry);
		else if (entry->d_tag == DT_GNU_HASH)
			tables->hash = loader_locate(map, entry);
	}
	return tables->symbols != NULL && tables->strings != NULL && tables->hash != NULL;
}

/* The hash table lists definitions only, the last symbols; its second word is their first. */
bool loader_imports(const void *address, const char *prefix)
{
	struct loader_tables tables;
	if (!loader_find_tables(address, &tables))
		return true;
	const uint32_t count = tables.hash[1];
	const size_t length = strlen(prefix);
	for (uint32_t i = 1; i < count; i++)
		if (strncmp(tables.strings + tables.symbols[i].st_name, prefix, length) == 0)
			return true;
	return false;
}
