/* loader.h - find libraries and symbols without ever finding the shim itself */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_BASE_LOADER_H
#define GPUSHIM_SHIM_BASE_LOADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether address lies in the shim's own image. */
bool loader_is_own(const void *address);

/* The next definition of name after the shim in the global scope, pinned, or NULL. Once found it serves every caller.
 */
void *loader_find_next(const char *name);

/*
 * The definition that the object containing caller would bind name to: its own dependency scope.
 * The object is pinned, so that neither caller nor result is ever unmapped. NULL on a miss, or
 * where the result is the shim.
 */
void *loader_find_from(const void *caller, const char *name);

/*
 * The definition of name in any loaded object but the shim: the first one, and how many different
 * ones there are. accept (may be NULL) is asked about each; a definition it refuses does not count.
 */
void *loader_find_any(const char *name, bool (*accept)(void *address), size_t *count);

/* name in the library file or soname, opened RTLD_LOCAL and kept; NULL with the loader's words in *why (static storage
 * of the calling thread, valid until its next loader call; may be NULL). */
void *loader_find_in(const char *library, const char *name, const char **why);

/*
 * name in the object that contains address (its own definitions and those of its dependencies), or
 * NULL.
 */
void *loader_find_beside(const void *address, const char *name);

/*
 * How many objects have been loaded so far. While it stays, what was nowhere to be found still is.
 */
uint64_t loader_count_loads(void);

/* The path of the object that contains address, or NULL. */
const char *loader_path_of(const void *address);

/* Whether both addresses lie in one object. */
bool loader_same_object(const void *a, const void *b);

#endif
