/* library_path.h - whether the loader would search a library in the program's working directory */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_BASE_LIBRARY_PATH_H
#define GPUSHIM_SHIM_BASE_LIBRARY_PATH_H

#include <stdbool.h>

/*
 * Whether the loader may find the library of this bare name by an element of LD_LIBRARY_PATH that
 * is empty or relative, which means the folder that the program happens to run in. The shim never
 * asks the loader for such a library: its file may be another user's. A name with a / is searched
 * nowhere.
 */
bool library_path_is_relative(const char *name);

#endif
