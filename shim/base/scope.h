/* scope.h - finds definitions without the loader's lock, which a waiting thread may hold */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_BASE_SCOPE_H
#define GPUSHIM_SHIM_BASE_SCOPE_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * The first definition of name in map and what it needs, in the order in which the loader looks;
 * *found is NULL if there is none. False if only the loader can tell.
 */
bool scope_find(const struct link_map *map, const char *name, void **found);

/*
 * How many loaded objects but the one that contains except define name. *first (may be NULL): the
 * first definition, NULL without.
 */
size_t scope_count(const char *name, const void *except, void **first);

#endif
