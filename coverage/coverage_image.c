/* coverage_image.c - walks dynamic sections, hash tables and relocations in memory */
/* SPDX-License-Identifier: Apache-2.0 */
#include "coverage/coverage_image.h"

#include <string.h>

/* What the section has are addresses of the file until the loader makes them addresses of memory, in place. */
static const void *coverage_image_locate(const struct coverage_image *image, ElfW(Addr) address)
{
	return (const void *)(address < image->base ? address + image->base : address);
}

static void coverage_image_read_flags(struct coverage_image *image, const ElfW(Dyn) * entry)
{
	image->is_symbolic |= entry->d_tag == DT_SYMBOLIC;
	image->is_symbolic |= entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_SYMBOLIC) != 0;
	image->binds_now |= entry->d_tag == DT_BIND_NOW;
	image->binds_now |= entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_BIND_NOW) != 0;
	image->binds_now |= entry->d_tag == DT_FLAGS_1 && (entry->d_un.d_val & DF_1_NOW) != 0;
}

static void coverage_image_read_entry(struct coverage_image *image, const ElfW(Dyn) * entry)
{
	const void *table = coverage_image_locate(image, entry->d_un.d_ptr);
	switch (entry->d_tag) {
	case DT_SYMTAB: image->symbols = table; break;
	case DT_STRTAB: image->strings = table; break;
	case DT_GNU_HASH: image->gnu_hash = table; break;
	case DT_HASH: image->sysv_hash = table; break;
	case DT_RELA: image->relocations[COVERAGE_REFERENCE_DATA] = table; break;
	case DT_RELASZ:
		image->relocation_counts[COVERAGE_REFERENCE_DATA] = entry->d_un.d_val / sizeof(ElfW(Rela));
		break;
	case DT_JMPREL: image->relocations[COVERAGE_REFERENCE_PLT] = table; break;
	case DT_PLTRELSZ:
		image->relocation_counts[COVERAGE_REFERENCE_PLT] = entry->d_un.d_val / sizeof(ElfW(Rela));
		break;
	default: coverage_image_read_flags(image, entry);
	}
}

bool coverage_image_read(struct coverage_image *image, const struct link_map *map)
{
	*image = (struct coverage_image){.base = map->l_addr, .dynamic = map->l_ld};
	if (map->l_ld == NULL)
		return false;
	for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++)
		coverage_image_read_entry(image, entry);
	return image->symbols != NULL && image->strings != NULL &&
	       (image->gnu_hash != NULL || image->sysv_hash != NULL);
}

/* The parts of a GNU hash table. */
struct image_hash {
	uint32_t bucket_count, first, bloom_words;
	const uint32_t *buckets, *chain;
};

static struct image_hash coverage_image_read_hash(const uint32_t *table)
{
	struct image_hash hash = {table[0], table[1], table[2], NULL, NULL};
	hash.buckets = table + 4 + hash.bloom_words * (sizeof(ElfW(Addr)) / sizeof(uint32_t));
	hash.chain = hash.buckets + hash.bucket_count;
	return hash;
}

/* One more than the last symbol: its chain's end has its lowest bit set. */
static size_t coverage_image_count_symbols(const struct coverage_image *image)
{
	if (image->gnu_hash == NULL)
		return image->sysv_hash[1];
	const struct image_hash hash = coverage_image_read_hash(image->gnu_hash);
	uint32_t last = 0;
	for (uint32_t i = 0; i < hash.bucket_count; i++)
		last = hash.buckets[i] > last ? hash.buckets[i] : last;
	if (last < hash.first)
		return hash.first;
	while ((hash.chain[last - hash.first] & 1) == 0)
		last++;
	return (size_t)last + 1;
}

static bool coverage_image_is_function(const ElfW(Sym) * symbol)
{
	const unsigned type = ELF64_ST_TYPE(symbol->st_info);
	return type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE;
}

static uint32_t coverage_image_hash(const char *symbol)
{
	uint32_t hash = 5381;
	for (; *symbol != '\0'; symbol++)
		hash = hash * 33 + (unsigned char)*symbol;
	return hash;
}

/* The index of the symbol, or 0, which is none. */
static size_t coverage_image_search_gnu(const struct coverage_image *image, const char *symbol)
{
	const struct image_hash hash = coverage_image_read_hash(image->gnu_hash);
	const uint32_t wanted = coverage_image_hash(symbol);
	if (hash.bucket_count == 0)
		return 0;
	size_t index = hash.buckets[wanted % hash.bucket_count];
	if (index < hash.first)
		return 0;
	for (;; index++) {
		const uint32_t found = hash.chain[index - hash.first];
		if ((found | 1) == (wanted | 1) && strcmp(image->strings + image->symbols[index].st_name, symbol) == 0)
			return index;
		if ((found & 1) != 0)
			return 0;
	}
}

static size_t coverage_image_search_all(const struct coverage_image *image, const char *symbol)
{
	const size_t count = coverage_image_count_symbols(image);
	for (size_t i = 1; i < count; i++)
		if (strcmp(image->strings + image->symbols[i].st_name, symbol) == 0)
			return i;
	return 0;
}

uintptr_t coverage_image_find(const struct coverage_image *image, const char *symbol)
{
	const size_t index = image->gnu_hash != NULL ? coverage_image_search_gnu(image, symbol)
	                                             : coverage_image_search_all(image, symbol);
	const ElfW(Sym) *found = &image->symbols[index];
	if (index == 0 || found->st_shndx == SHN_UNDEF || ELF64_ST_TYPE(found->st_info) != STT_FUNC)
		return 0;
	return image->base + found->st_value;
}

void coverage_image_visit_defined(const struct coverage_image *image, bool (*visit)(void *context, const char *symbol),
                                  void *context)
{
	const size_t count = coverage_image_count_symbols(image);
	for (size_t i = 1; i < count; i++) {
		const ElfW(Sym) *symbol = &image->symbols[i];
		if (symbol->st_shndx == SHN_UNDEF || !coverage_image_is_function(symbol))
			continue;
		if (!visit(context, image->strings + symbol->st_name))
			return;
	}
}

/* An address, whole and unchanged: anything else is no function to be called. */
static bool coverage_image_is_address(const ElfW(Rela) * relocation)
{
	const unsigned type = ELF64_R_TYPE(relocation->r_info);
	return relocation->r_addend == 0 &&
	       (type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT || type == R_X86_64_64);
}

void coverage_image_visit_wanted(const struct coverage_image *image,
                                 void (*visit)(void *context, const struct coverage_wanted *wanted), void *context)
{
	for (int reference = COVERAGE_REFERENCE_DATA; reference <= COVERAGE_REFERENCE_PLT; reference++) {
		const ElfW(Rela) *relocation = image->relocations[reference];
		for (size_t i = 0; relocation != NULL && i < image->relocation_counts[reference]; i++) {
			const size_t index = ELF64_R_SYM(relocation[i].r_info);
			const ElfW(Sym) *symbol = &image->symbols[index];
			const bool is_own = symbol->st_shndx != SHN_UNDEF && reference == COVERAGE_REFERENCE_DATA;
			if (index == 0 || is_own || !coverage_image_is_function(symbol) ||
			    !coverage_image_is_address(&relocation[i]))
				continue;
			const struct coverage_wanted wanted = {image->strings + symbol->st_name,
			                                       (enum coverage_reference)reference,
			                                       (uintptr_t *)(image->base + relocation[i].r_offset),
			                                       ELF64_ST_BIND(symbol->st_info) == STB_WEAK};
			visit(context, &wanted);
		}
	}
}

bool coverage_image_needs(const struct coverage_image *image, const char *prefix)
{
	for (const ElfW(Dyn) *entry = image->dynamic; entry->d_tag != DT_NULL; entry++)
		if (entry->d_tag == DT_NEEDED &&
		    strncmp(image->strings + entry->d_un.d_val, prefix, strlen(prefix)) == 0)
			return true;
	return false;
}
