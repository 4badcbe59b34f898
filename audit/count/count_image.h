/* count_image.h - a loaded object's own tables: what it defines, and which functions it refers to, how */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_AUDIT_COUNT_COUNT_IMAGE_H
#define GPUSHIM_AUDIT_COUNT_COUNT_IMAGE_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "audit/bind/bind_image.h"

/* Views into the object's memory; valid while it is loaded. */
struct count_image {
	struct bind_image table;           /* of its symbols */
	const ElfW(Rela) * relocations[2]; /* of data, and of the procedure linkage table */
	size_t relocation_counts[2];
	const ElfW(Dyn) * dynamic;
	bool binds_now, is_symbolic;
};

enum count_reference { COUNT_REFERENCE_DATA, COUNT_REFERENCE_PLT };

/* false where the object has no table of symbols. */
bool count_image_read(struct count_image *image, const struct link_map *map);

/* The address of a function that the object defines, or 0. */
uintptr_t count_image_find(const struct count_image *image, const char *symbol);

/* Calls visit for the functions that the object defines, until visit returns false. */
void count_image_visit_defined(const struct count_image *image,
                               bool (*visit)(void *context, const char *symbol), void *context);

/*
 * A function that the loader looks up. slot: where the loader writes its address. is_weak: it may
 * be nowhere.
 */
struct count_wanted {
	const char *symbol;
	enum count_reference reference;
	uintptr_t *slot;
	bool is_weak;
};

/* Calls visit for the functions that the object calls by way of its linkage table, and for others' that it points to.
 */
void count_image_visit_wanted(const struct count_image *image,
                              void (*visit)(void *context, const struct count_wanted *wanted),
                              void *context);

/* Whether the object asks for a library whose name begins like this. */
bool count_image_needs(const struct count_image *image, const char *prefix);

#endif
