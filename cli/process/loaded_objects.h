/* loaded_objects.h - lists the libraries that the loader would load, without running the program */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_PROCESS_LOADED_OBJECTS_H
#define GPUSHIM_CLI_PROCESS_LOADED_OBJECTS_H

#include <stddef.h>

/* paths: files, in the loader's order. missing: names that the loader does not find. All owned. */
struct loaded_objects {
	char **paths, **missing;
	size_t path_count, missing_count;
};

/*
 * Runs the program's loader with LD_TRACE_LOADED_OBJECTS, which makes it list the libraries and
 * end. Returns 0 or an error number.
 */
int loaded_objects_list(struct loaded_objects *objects, const char *loader, const char *program);
void loaded_objects_free(struct loaded_objects *objects);

#endif
