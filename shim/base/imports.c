/* imports.c - reads the dynamic symbols that an object imports */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/base/imports.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What the dynamic section of a loaded object points to. */
struct imports_tables {
	const ElfW(Sym) * symbols;
	const char *strings;
	const uint32_t *hash;
};

/* On most processors the loader has replaced the offsets by addresses; on others it has not. */
static const void *imports_locate(const struct link_map *map, const ElfW(Dyn) * entry)
{
	const uintptr_t value = (uintptr_t)entry->d_un.d_ptr;
	return (const void *)(value < (uintptr_t)map->l_addr ? value + (uintptr_t)map->l_addr
	                                                     : value);
}

static bool imports_find_tables(const void *address, struct imports_tables *tables)
{
	struct link_map *map = NULL;
	Dl_info info;
	*tables = (struct imports_tables){NULL, NULL, NULL};
	if (dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) == 0 || map == NULL ||
	    map->l_ld == NULL)
		return false;
	for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
		if (entry->d_tag == DT_SYMTAB)
			tables->symbols = imports_locate(map, entry);
		else if (entry->d_tag == DT_STRTAB)
			tables->strings = imports_locate(map, entry);
		else if (entry->d_tag == DT_GNU_HASH)
			tables->hash = imports_locate(map, entry);
	}
	return tables->symbols != NULL && tables->strings != NULL && tables->hash != NULL;
}

/* The hash table lists definitions only, the last symbols; its second word is their first. */
bool imports_begin_with(const void *address, const char *prefix)
{
	struct imports_tables tables;
	if (!imports_find_tables(address, &tables))
		return true;
	const uint32_t count = tables.hash[1];
	const size_t length = strlen(prefix);
	for (uint32_t i = 1; i < count; i++)
		if (strncmp(tables.strings + tables.symbols[i].st_name, prefix, length) == 0)
			return true;
	return false;
}
