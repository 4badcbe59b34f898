/* loader.h - finds libraries and symbols, never the shim itself */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_BASE_LOADER_H
#define GPUSHIM_SHIM_BASE_LOADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether address lies in the shim's own image. */
bool loader_is_own(const void *address);

struct link_map;

/*
 * The object that contains address, or NULL, also where libc is not glibc. Lock-free from glibc
 * 2.35 on.
 */
struct link_map *loader_map_of(const void *address);

/*
 * Keeps the object that contains address loaded, and all that it depends on, until the handle is
 * released. NULL if there is no such object.
 */
void *loader_hold(const void *address);
void loader_release(void *handle);

/* The next definition of name after the shim in the global scope, or NULL. */
void *loader_find_next(const char *name);

/*
 * The definition that the object containing caller would bind name to, in its own dependency scope;
 * it stays loaded while the caller's object does. NULL if there is none or it is the shim's.
 */
void *loader_find_from(const void *caller, const char *name);

/*
 * The first definition of name in any loaded object but the shim; *count: the number of
 * definitions. accept (may be NULL) is asked about each; one that it refuses is not counted.
 */
void *loader_find_any(const char *name, bool (*accept)(void *address), size_t *count);

/*
 * name in the library file or soname, opened RTLD_LOCAL and kept; else NULL and the loader's words
 * in *why (storage of the calling thread, valid until its next loader call; why may be NULL).
 */
void *loader_find_in(const char *library, const char *name, const char **why);

/* name in the object that contains address, or NULL; a dependency's definition does not count. */
void *loader_find_beside(const void *address, const char *name);

/*
 * How many objects were loaded and unloaded so far. While loads is unchanged, what was not found
 * still is not there; while both are, every object is where it was.
 */
struct loader_changes {
	uint64_t loads, unloads;
};
void loader_count_changes(struct loader_changes *changes);

/* The path of the object that contains address, valid while it is loaded; or NULL. */
const char *loader_path_of(const void *address);

/* Whether both addresses lie in one object. */
bool loader_same_object(const void *a, const void *b);

/*
 * Whether the object that contains address imports name; or, where is_prefix, a symbol whose name
 * begins with it. Slow; allocates nothing.
 */
bool loader_imports(const void *address, const char *name, bool is_prefix);

#endif
