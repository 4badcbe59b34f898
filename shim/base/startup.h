/* startup.h - the objects that were loaded with the program, and are never unloaded */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_BASE_STARTUP_H
#define GPUSHIM_SHIM_BASE_STARTUP_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>

/* Whether map, of an object that stays loaded meanwhile, was loaded with the program. */
bool startup_has(const struct link_map *map);

/*
 * The first definition of name in an object of the start behind the shim, NULL without. They come
 * first in the global scope, so it serves every caller. Takes no lock that a constructor's thread
 * holds.
 */
void *startup_find_next(const char *name);

#endif
