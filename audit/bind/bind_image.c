/* bind_image.c - which symbols a loaded object defines, by its own hash table */
/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/bind/bind_image.h"

#include <stddef.h>

/*
 * The loader adds the base to these entries in place, except where the section is read-only (the
 * kernel's vDSO).
 */
const void *bind_image_locate(const struct link_map *map, ElfW(Addr) address)
{
	return (const void *)(address < map->l_addr ? address + map->l_addr : address);
}

void bind_image_read(struct bind_image *image, const struct link_map *map)
{
	*image = (struct bind_image){.base = map->l_addr};
	for (const ElfW(Dyn) *entry = map->l_ld; entry != NULL && entry->d_tag != DT_NULL;
	     entry++) {
		const void *place = bind_image_locate(map, entry->d_un.d_ptr);
		switch (entry->d_tag) {
		case DT_SYMTAB: image->symbols = place; break;
		case DT_STRTAB: image->names = place; break;
		case DT_GNU_HASH: image->gnu_hash = place; break;
		case DT_HASH: image->sysv_hash = place; break;
		default: break;
		}
	}
}

static bool bind_image_is(const struct bind_image *image, uint32_t symbol, const char *name)
{
	const char *own = image->names + image->symbols[symbol].st_name;
	while (*own == *name && *name != '\0') {
		own++;
		name++;
	}
	return *own == *name && image->symbols[symbol].st_shndx != SHN_UNDEF;
}

/*
 * The table's head: buckets, first hashed symbol, words of the filter, shift; the filter, the
 * buckets, the chains.
 */
static const ElfW(Sym) * bind_image_find_gnu(const struct bind_image *image, const char *name)
{
	enum { WORD_BITS = 8 * sizeof(ElfW(Addr)) };
	const uint32_t *head = image->gnu_hash;
	const ElfW(Addr) *filter = (const ElfW(Addr) *)(head + 4);
	const uint32_t *buckets = (const uint32_t *)(filter + head[2]), *chains = buckets + head[0];
	uint32_t hash = 5381;
	for (const char *letter = name; *letter != '\0'; letter++)
		hash = hash * 33 + (unsigned char)*letter;
	if (head[0] == 0 || head[2] == 0)
		return NULL;
	const ElfW(Addr) word = filter[hash / WORD_BITS % head[2]];
	if ((word >> hash % WORD_BITS & word >> (hash >> head[3]) % WORD_BITS & 1) == 0)
		return NULL;
	uint32_t symbol = buckets[hash % head[0]];
	if (symbol < head[1])
		return NULL;
	for (;; symbol++) {
		const uint32_t chain = chains[symbol - head[1]];
		if ((chain | 1) == (hash | 1) && bind_image_is(image, symbol, name))
			return &image->symbols[symbol];
		if ((chain & 1) != 0)
			return NULL;
	}
}

static const ElfW(Sym) * bind_image_find_sysv(const struct bind_image *image, const char *name)
{
	const uint32_t *head = image->sysv_hash, *buckets = head + 2, *chains = buckets + head[0];
	uint32_t hash = 0;
	for (const char *letter = name; *letter != '\0'; letter++) {
		hash = (hash << 4) + (unsigned char)*letter;
		hash = (hash ^ (hash & 0xf0000000u) >> 24) & 0x0fffffffu;
	}
	if (head[0] == 0)
		return NULL;
	for (uint32_t symbol = buckets[hash % head[0]]; symbol != STN_UNDEF;
	     symbol = chains[symbol])
		if (bind_image_is(image, symbol, name))
			return &image->symbols[symbol];
	return NULL;
}

const ElfW(Sym) * bind_image_find_symbol(const struct bind_image *image, const char *name)
{
	if (image->symbols == NULL || image->names == NULL)
		return NULL;
	if (image->gnu_hash != NULL)
		return bind_image_find_gnu(image, name);
	return image->sysv_hash != NULL ? bind_image_find_sysv(image, name) : NULL;
}

void *bind_image_find(const struct bind_image *image, const char *name)
{
	const ElfW(Sym) *symbol = bind_image_find_symbol(image, name);
	return symbol != NULL ? (void *)(image->base + symbol->st_value) : NULL;
}
