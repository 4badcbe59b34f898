/* loader.c - finds libraries and symbols, never the shim itself */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/base/loader.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "shim/base/library_path.h"
#include "shim/base/object.h"
#include "shim/base/scope.h"
#include "shim/libc/libc_find.h"

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

struct link_map *loader_map_of(const void *address)
{
	static _Atomic(void *) finder;
	int (*find_object)(void *, struct find_object_result *);
	struct find_object_result result;
	struct link_map *map = NULL;
	Dl_info info;

	if (!libc_find_is_glibc())
		return NULL;
	/*
	 * _dl_find_object (glibc 2.35) is looked up, not linked: older loaders would refuse the
	 * library. Without dlsym, which takes the loader's lock: the state is made under
	 * pthread_once, and a thread that waits for that may hold the lock.
	 */
	if (atomic_load_explicit(&finder, memory_order_relaxed) == NULL) {
		void *found;
		scope_count("_dl_find_object", NULL, &found);
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

/* NULL if the path means another object by now. */
static void *loader_check(void *handle, const struct link_map *map)
{
	struct link_map *opened = NULL;
	if (handle == NULL || (dlinfo(handle, RTLD_DI_LINKMAP, &opened) == 0 && opened == map))
		return handle;
	dlclose(handle);
	return NULL;
}

/* An object in a namespace made by dlmopen is not what its path alone means. */
static void *loader_hold_map(struct link_map *map)
{
	Lmid_t space = LM_ID_BASE;
	const char *path = map->l_name[0] != '\0' ? map->l_name : NULL;
	if (dlinfo(map, RTLD_DI_LMID, &space) != 0 || space == LM_ID_BASE)
		return loader_check(dlopen(path, RTLD_LAZY | RTLD_NOLOAD), map);
	return loader_check(dlmopen(space, path, RTLD_LAZY | RTLD_NOLOAD), map);
}

void *loader_hold(const void *address)
{
	struct link_map *map = loader_map_of(address);
	return map != NULL ? loader_hold_map(map) : NULL;
}

void loader_release(void *handle)
{
	if (handle != NULL)
		dlclose(handle);
}

void *loader_find_next(const char *name)
{
	return loader_unless_own(dlsym(RTLD_NEXT, name));
}

void *loader_find_from(const void *caller, const char *name)
{
	const struct link_map *map = loader_map_of(caller);
	void *found = NULL;
	if (map == NULL || scope_find(map, name, &found))
		return loader_unless_own(found);
	void *handle = loader_hold(caller);
	found = handle != NULL ? loader_unless_own(dlsym(handle, name)) : NULL;
	loader_release(handle);
	return found;
}

/* In its own table: that needs no handle. */
void *loader_find_beside(const void *address, const char *name)
{
	struct object object;
	bool indirect = false;
	const struct link_map *map = loader_map_of(address);
	if (map == NULL || loader_is_own(address) || !object_read(&object, map->l_addr, map->l_ld))
		return NULL;
	void *found = object_find(&object, name, &indirect);
	return indirect ? loader_find_from(address, name) : found;
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
 * Paths of the loaded objects that define a name, copied while the loader's list is locked. Each
 * search has a list of its own: a lock around it could be held by a thread that waits for the
 * loader's.
 */
struct object_list {
	const char *wanted;
	char paths[1 << 14];
	size_t used;
};

static bool loader_defines(const struct dl_phdr_info *info, const char *name)
{
	struct object object;
	bool indirect;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC) {
			const uintptr_t place = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
			return object_read(&object, info->dlpi_addr, (const ElfW(Dyn) *)place) &&
			       object_find(&object, name, &indirect) != NULL;
		}
	return false;
}

static int loader_note_object(struct dl_phdr_info *info, size_t size, void *context)
{
	struct object_list *list = context;
	const char *path = info->dlpi_name != NULL ? info->dlpi_name : "";
	const size_t length = strlen(path) + 1;
	(void)size;
	if (list->used + length <= sizeof list->paths && loader_defines(info, list->wanted)) {
		memcpy(list->paths + list->used, path, length);
		list->used += length;
	}
	return 0;
}

static int loader_note_changes(struct dl_phdr_info *info, size_t size, void *context)
{
	struct loader_changes *changes = context;
	(void)size;
	*changes = (struct loader_changes){info->dlpi_adds, info->dlpi_subs};
	return 1; /* stop: the numbers are the same for every object */
}

void loader_count_changes(struct loader_changes *changes)
{
	*changes = (struct loader_changes){0, 0};
	dl_iterate_phdr(loader_note_changes, changes);
}

static void *loader_defined_in(const char *path, const char *name)
{
	void *handle = dlopen(path[0] != '\0' ? path : NULL, RTLD_LAZY | RTLD_NOLOAD);
	void *found = handle != NULL ? loader_unless_own(dlsym(handle, name)) : NULL;
	const char *home = found != NULL ? loader_path_of(found) : NULL;
	loader_release(handle);
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
	list->wanted = name;
	dl_iterate_phdr(loader_note_object, list);
	for (size_t at = 0; at < list->used; at += strlen(list->paths + at) + 1) {
		void *found = loader_defined_in(list->paths + at, name);
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

bool loader_imports(const void *address, const char *name, bool is_prefix)
{
	struct object object;
	const struct link_map *map = loader_map_of(address);
	return map != NULL && object_read(&object, map->l_addr, map->l_ld) &&
	       object_imports(&object, name, is_prefix);
}
