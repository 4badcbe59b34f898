/* loader.h - finds libraries and symbols, never the shim itself */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_BASE_LOADER_H
#define GPUSHIM_SHIM_BASE_LOADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether address lies in the shim's own image. */
bool loader_is_own(const void *address);

/*
 * The next definition of name after the shim in the global scope, pinned, or NULL. It serves every
 * caller.
 */
void *loader_find_next(const char *name);

/*
 * The definition that the object containing caller would bind name to, in its own dependency scope.
 * The object is pinned, so caller and result are never unmapped. NULL if there is none or it is the
 * shim's.
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
 * The number of objects loaded so far. While it is unchanged, what was not found still is not
 * there.
 */
uint64_t loader_count_loads(void);

/* The path of the object that contains address, or NULL. */
const char *loader_path_of(const void *address);

/* Whether both addresses lie in one object. */
bool loader_same_object(const void *a, const void *b);

/*
 * Whether the object that contains address imports a symbol whose name begins with prefix; true
 * also if that cannot be found out. Slow; allocates nothing.
 */
bool loader_imports(const void *address, const char *prefix);

#endif
