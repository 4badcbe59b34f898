/* startup.h - the objects that were loaded with the program, and are never unloaded */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_BASE_STARTUP_H
#define GPUSHIM_SHIM_BASE_STARTUP_H

#include <link.h>
#include <stdbool.h>

/* Whether map, of an object that stays loaded meanwhile, was loaded with the program. */
bool startup_has(const struct link_map *map);

#endif
