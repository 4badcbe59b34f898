/* mappings.h - the process's memory mappings, as /proc/self/maps has them */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_MAPPINGS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_MAPPINGS_H

#include "shim/execute/gpu/pages/pages.h"

struct mapping {
	struct pages_span span;
	bool is_trackable; /* private, anonymous, readable and writable, not the stack */
	const char *name;  /* the file's, or a word in brackets, or "" */
};

/*
 * Calls visit for each mapping, in the order of addresses, until it returns false. False where the
 * list cannot be read. One caller at a time.
 */
typedef bool mappings_visitor(const struct mapping *mapping, void *self);
bool mappings_visit(mappings_visitor *visit, void *self);

#endif
