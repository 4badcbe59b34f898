/* imports.h - which symbols an object asks others for */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_BASE_IMPORTS_H
#define GPUSHIM_SHIM_BASE_IMPORTS_H

#include <stdbool.h>

/*
 * Whether the object that contains address asks for a symbol whose name begins with prefix. True as
 * well where that cannot be told. Takes time; allocates nothing.
 */
bool imports_begin_with(const void *address, const char *prefix);

#endif
