/* image.c - reads dynamic sections, hash tables and relocations in memory; needs no libc */
/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/core/image.h"

/*
 * The loader adds the base to these entries in place, except where the section is read-only (the
 * kernel's vDSO). It may not have done so yet.
 */
static const void *image_locate(const struct link_map *map, ElfW(Addr) address)
{
	return (const void *)(address < map->l_addr ? address + map->l_addr : address);
}

static void image_read_entry(struct image *image, const struct link_map *map,
                             const ElfW(Dyn) * entry)
{
	const void *place = image_locate(map, entry->d_un.d_ptr);
	const ElfW(Xword) value = entry->d_un.d_val;
	switch (entry->d_tag) {
	case DT_SYMTAB: image->symbols = place; break;
	case DT_STRTAB: image->names = place; break;
	case DT_GNU_HASH: image->gnu_hash = place; break;
	case DT_HASH: image->sysv_hash = place; break;
	case DT_RELA: image->relocations[IMAGE_DATA] = place; break;
	case DT_RELASZ: image->relocation_counts[IMAGE_DATA] = value / sizeof(ElfW(Rela)); break;
	case DT_JMPREL: image->relocations[IMAGE_PLT] = place; break;
	case DT_PLTRELSZ: image->relocation_counts[IMAGE_PLT] = value / sizeof(ElfW(Rela)); break;
	case DT_SYMBOLIC: image->is_symbolic = true; break;
	case DT_BIND_NOW: image->binds_now = true; break;
	case DT_FLAGS:
		image->is_symbolic |= (value & DF_SYMBOLIC) != 0;
		image->binds_now |= (value & DF_BIND_NOW) != 0;
		break;
	case DT_FLAGS_1: image->binds_now |= (value & DF_1_NOW) != 0; break;
	default: break;
	}
}

bool image_read(struct image *image, const struct link_map *map)
{
	*image = (struct image){.base = map->l_addr, .dynamic = map->l_ld};
	for (const ElfW(Dyn) *entry = map->l_ld; entry != NULL && entry->d_tag != DT_NULL; entry++)
		image_read_entry(image, map, entry);
	return image->symbols != NULL && image->names != NULL &&
	       (image->gnu_hash != NULL || image->sysv_hash != NULL);
}

static bool image_defines_as(const struct image *image, uint32_t symbol, const char *name)
{
	const char *own = image->names + image->symbols[symbol].st_name;
	while (*own == *name && *name != '\0') {
		own++;
		name++;
	}
	return *own == *name && image->symbols[symbol].st_shndx != SHN_UNDEF;
}

/*
 * The table's head: number of buckets, first hashed symbol, words of the filter, shift. Behind it
 * the filter, the buckets and the chains.
 */
static const ElfW(Sym) * image_find_gnu(const struct image *image, const char *name)
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
		if ((chain | 1) == (hash | 1) && image_defines_as(image, symbol, name))
			return &image->symbols[symbol];
		if ((chain & 1) != 0)
			return NULL;
	}
}

static const ElfW(Sym) * image_find_sysv(const struct image *image, const char *name)
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
		if (image_defines_as(image, symbol, name))
			return &image->symbols[symbol];
	return NULL;
}

static const ElfW(Sym) * image_find_symbol(const struct image *image, const char *name)
{
	if (image->symbols == NULL || image->names == NULL)
		return NULL;
	if (image->gnu_hash != NULL)
		return image_find_gnu(image, name);
	return image->sysv_hash != NULL ? image_find_sysv(image, name) : NULL;
}

void *image_find(const struct image *image, const char *name)
{
	const ElfW(Sym) *symbol = image_find_symbol(image, name);
	return symbol != NULL ? (void *)(image->base + symbol->st_value) : NULL;
}

uintptr_t image_find_function(const struct image *image, const char *name)
{
	const ElfW(Sym) *symbol = image_find_symbol(image, name);
	if (symbol == NULL || ELF64_ST_TYPE(symbol->st_info) != STT_FUNC)
		return 0;
	return image->base + symbol->st_value;
}

bool image_starts_with(const char *text, const char *start)
{
	while (*start != '\0' && *text == *start) {
		text++;
		start++;
	}
	return *start == '\0';
}

bool image_needs(const struct image *image, const char *prefix)
{
	for (const ElfW(Dyn) *entry = image->dynamic; entry->d_tag != DT_NULL; entry++)
		if (entry->d_tag == DT_NEEDED &&
		    image_starts_with(image->names + entry->d_un.d_val, prefix))
			return true;
	return false;
}

/*
 * One more than the last symbol. A GNU hash table does not store the number of symbols: the last
 * symbol ends the chain of the last bucket, and the lowest bit of its hash is set.
 */
static size_t image_count_symbols(const struct image *image)
{
	const uint32_t *head = image->gnu_hash;
	if (head == NULL)
		return image->sysv_hash[1];
	const uint32_t bucket_count = head[0], first = head[1];
	const uint32_t *buckets = head + 4 + head[2] * (sizeof(ElfW(Addr)) / sizeof(uint32_t));
	const uint32_t *chain = buckets + bucket_count;
	uint32_t last = 0;
	for (uint32_t i = 0; i < bucket_count; i++)
		last = buckets[i] > last ? buckets[i] : last;
	if (last < first)
		return first;
	while ((chain[last - first] & 1) == 0)
		last++;
	return (size_t)last + 1;
}

static bool image_is_function(const ElfW(Sym) * symbol)
{
	const unsigned type = ELF64_ST_TYPE(symbol->st_info);
	return type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE;
}

void image_visit_defined(const struct image *image,
                         bool (*visit)(void *context, const char *symbol), void *context)
{
	const size_t count = image_count_symbols(image);
	for (size_t i = 1; i < count; i++) {
		const ElfW(Sym) *symbol = &image->symbols[i];
		if (symbol->st_shndx != SHN_UNDEF && image_is_function(symbol) &&
		    !visit(context, image->names + symbol->st_name))
			return;
	}
}

/* Whether the loader writes the plain address of a symbol; anything else is not called. */
static bool image_is_address(const ElfW(Rela) * relocation)
{
	const unsigned type = ELF64_R_TYPE(relocation->r_info);
	return relocation->r_addend == 0 &&
	       (type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT || type == R_X86_64_64);
}

void image_visit_wanted(const struct image *image,
                        void (*visit)(void *context, const struct image_wanted *wanted),
                        void *context)
{
	for (int table = IMAGE_DATA; table < IMAGE_TABLES; table++) {
		const ElfW(Rela) *relocation = image->relocations[table];
		for (size_t i = 0; relocation != NULL && i < image->relocation_counts[table]; i++) {
			const size_t index = ELF64_R_SYM(relocation[i].r_info);
			const ElfW(Sym) *symbol = &image->symbols[index];
			const bool is_own = symbol->st_shndx != SHN_UNDEF && table == IMAGE_DATA;
			if (index == 0 || is_own || !image_is_function(symbol) ||
			    !image_is_address(&relocation[i]))
				continue;
			const struct image_wanted wanted = {
				image->names + symbol->st_name, (enum image_table)table,
				(uintptr_t *)(image->base + relocation[i].r_offset),
				ELF64_ST_BIND(symbol->st_info) == STB_WEAK};
			visit(context, &wanted);
		}
	}
}

struct image_range image_measure(const struct image *image, const ElfW(Phdr) * headers,
                                 size_t count)
{
	struct image_range range = {UINTPTR_MAX, 0};
	for (size_t i = 0; i < count; i++) {
		const uintptr_t begin = image->base + headers[i].p_vaddr;
		if (headers[i].p_type != PT_LOAD)
			continue;
		range.begin = begin < range.begin ? begin : range.begin;
		range.end = begin + headers[i].p_memsz > range.end ? begin + headers[i].p_memsz
		                                                   : range.end;
	}
	return range.begin < range.end ? range : (struct image_range){0, 0};
}
