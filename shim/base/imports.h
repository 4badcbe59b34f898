/* imports.h - the symbols that an object imports */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_BASE_IMPORTS_H
#define GPUSHIM_SHIM_BASE_IMPORTS_H

#include <stdbool.h>

/*
 * Whether the object that contains address imports a symbol whose name begins with prefix; true
 * also if that cannot be found out. Slow; allocates nothing.
 */
bool imports_begin_with(const void *address, const char *prefix);

#endif
