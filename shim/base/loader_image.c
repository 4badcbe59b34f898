/* loader_image.c - the hash table of the loader's own image */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/base/loader_image.h"

#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

/* The loader's tables of symbols; base: where it is mapped. */
struct loader_image {
	uintptr_t base;
	const ElfW(Sym) * symbols;
	const char *strings;
	const uint32_t *hash;
};

/* The loader may have replaced the offsets by addresses. */
static const void *loader_image_locate(uintptr_t base, const ElfW(Dyn) * entry)
{
	const uintptr_t value = (uintptr_t)entry->d_un.d_ptr;
	return (const void *)(value < base ? base + value : value);
}

static const ElfW(Dyn) * loader_image_find_dynamic(uintptr_t base)
{
	const ElfW(Ehdr) *file = (const void *)base;
	const ElfW(Phdr) *part = (const void *)(base + file->e_phoff);
	for (int i = 0; i < file->e_phnum; i++)
		if (part[i].p_type == PT_DYNAMIC)
			return (const void *)(base + part[i].p_vaddr);
	return NULL;
}

/* AT_BASE is 0 where the loader was started as the program. */
static bool loader_image_find_tables(struct loader_image *tables)
{
	*tables = (struct loader_image){.base = (uintptr_t)getauxval(AT_BASE)};
	const ElfW(Dyn) *entry = tables->base != 0 ? loader_image_find_dynamic(tables->base) : NULL;
	for (; entry != NULL && entry->d_tag != DT_NULL; entry++) {
		if (entry->d_tag == DT_SYMTAB)
			tables->symbols = loader_image_locate(tables->base, entry);
		else if (entry->d_tag == DT_STRTAB)
			tables->strings = loader_image_locate(tables->base, entry);
		else if (entry->d_tag == DT_GNU_HASH)
			tables->hash = loader_image_locate(tables->base, entry);
	}
	return tables->symbols != NULL && tables->strings != NULL && tables->hash != NULL;
}

static uint32_t loader_image_hash(const char *name)
{
	uint32_t hash = 5381;
	for (; *name != '\0'; name++)
		hash = hash * 33 + (unsigned char)*name;
	return hash;
}

/* By the hash table: bucket, then the chain of that bucket, whose last hash is odd. */
static const ElfW(Sym) *
	loader_image_find_symbol(const struct loader_image *tables, const char *name)
{
	const uint32_t hash = loader_image_hash(name), buckets = tables->hash[0],
		       first = tables->hash[1], words = tables->hash[2];
	const uint32_t *bucket = tables->hash + 4 + words * (sizeof(ElfW(Addr)) / sizeof *bucket);
	const uint32_t *chain = bucket + buckets;
	uint32_t number = buckets != 0 ? bucket[hash % buckets] : 0;
	if (number < first)
		return NULL;
	for (;; number++) {
		const ElfW(Sym) *symbol = &tables->symbols[number];
		if ((chain[number - first] | 1) == (hash | 1) &&
		    strcmp(tables->strings + symbol->st_name, name) == 0)
			return symbol;
		if ((chain[number - first] & 1) != 0)
			return NULL;
	}
}

void *loader_image_find(const char *name, size_t *size)
{
	struct loader_image tables;
	const ElfW(Sym) *symbol =
		loader_image_find_tables(&tables) ? loader_image_find_symbol(&tables, name) : NULL;
	*size = symbol != NULL ? (size_t)symbol->st_size : 0;
	return symbol != NULL ? (void *)(tables.base + (uintptr_t)symbol->st_value) : NULL;
}
