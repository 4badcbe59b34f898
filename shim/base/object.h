/* object.h - what the dynamic section of a loaded object tells: definitions, imports, needs */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_BASE_OBJECT_H
#define GPUSHIM_SHIM_BASE_OBJECT_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Views into the object's memory, valid while it is loaded; NULL and 0 for what it lacks. */
struct object {
	uintptr_t base;
	const ElfW(Dyn) * dynamic;
	const ElfW(Sym) * symbols;
	const char *strings;
	const uint32_t *hash, *old_hash; /* GNU's table, and the generic ABI's */
	const ElfW(Rela) * relocations;
	const uint64_t *packed; /* DT_RELR */
	size_t relocation_count, packed_count;
};

/* False where the object has no symbols that can be looked through. */
bool object_read(struct object *object, uintptr_t base, const ElfW(Dyn) * dynamic);

/* The object's own definition of name, NULL without. *indirect: it is an IFUNC's resolver. */
void *object_find(const struct object *object, const char *name, bool *indirect);

/* Whether the object imports name; or, where is_prefix, any symbol whose name begins with it. */
bool object_imports(const struct object *object, const char *name, bool is_prefix);

/* NULL where it has none. */
const char *object_soname(const struct object *object);

/* Whether name, of a DT_NEEDED entry, is the object's file name (the end of path) or soname. */
bool object_is_called(const struct object *object, const char *path, const char *name);

/*
 * Words of the object's data that the loader made point to themselves, at most max of them; returns
 * their number, which may be more. The handle that compilers' start files give an object
 * (__dso_handle) is one.
 */
size_t object_find_self_pointers(const struct object *object, void **found, size_t max);

#endif
