/* image.h - a loaded object's dynamic section: its symbols, its relocations, how it is bound */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_AUDIT_CORE_IMAGE_H
#define GPUSHIM_AUDIT_CORE_IMAGE_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which table a relocation stands in: that of data, or that of the procedure linkage table. */
enum image_table { IMAGE_DATA, IMAGE_PLT, IMAGE_TABLES };

/*
 * Views into the object's memory, valid while it is loaded. An object without a hash table defines
 * nothing: both are NULL. binds_now: the loader resolves all functions when it loads the object.
 * is_symbolic: the object resolves its own definitions first.
 */
struct image {
	ElfW(Addr) base;
	const ElfW(Sym) * symbols;
	const char *names;
	const uint32_t *gnu_hash, *sysv_hash;
	const ElfW(Dyn) * dynamic;
	const ElfW(Rela) * relocations[IMAGE_TABLES];
	size_t relocation_counts[IMAGE_TABLES];
	bool binds_now, is_symbolic;
};

/* A function that the loader looks up for the object. slot: where the loader writes its address. */
struct image_wanted {
	const char *symbol;
	enum image_table table;
	uintptr_t *slot;
	bool is_weak; /* it may be defined nowhere */
};

/* Where the object lies in memory: from its first to behind its last byte; 0 where not known. */
struct image_range {
	uintptr_t begin, end;
};

/* headers: of the program's segments, in memory. */
struct image_range image_measure(const struct image *image, const ElfW(Phdr) * headers,
                                 size_t count);

/* Reads the dynamic section. false where the object has no table of symbols to look into. */
bool image_read(struct image *image, const struct link_map *map);

/* The address of what the object itself defines under this name; NULL where it does not. */
void *image_find(const struct image *image, const char *name);

/* The address of a function that the object defines, 0 without; IFUNCs are not looked at. */
uintptr_t image_find_function(const struct image *image, const char *name);

/* Whether the object asks for a library whose name begins with prefix. */
bool image_needs(const struct image *image, const char *prefix);

bool image_starts_with(const char *text, const char *start);

/* Calls visit for the functions that the object defines, until visit returns false. */
void image_visit_defined(const struct image *image,
                         bool (*visit)(void *context, const char *symbol), void *context);

/*
 * Calls visit for the functions that the object calls by its procedure linkage table, and for
 * those of other objects whose addresses are in its data.
 */
void image_visit_wanted(const struct image *image,
                        void (*visit)(void *context, const struct image_wanted *wanted),
                        void *context);

#endif
